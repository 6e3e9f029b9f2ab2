/**
 * Server-sent events for open pages: `changed`, when bookings or occupancy of the account did, with the position as
 * the event's id, so that a browser that comes back has missed nothing. What changed is for the page to ask.
 */
import { PassThrough } from 'node:stream'
import { createChangeWatch } from '../events/watching/service.ts'
import { problems } from '../http/problems.ts'
import type { Routes } from '../http/routes.ts'
import { type DashboardOptions, readSession } from './frame/session.ts'

/** Pages of one user that one process keeps up to date; each asks the database for its session now and then. */
const mostOfUser = 12

/** @param heartbeatSeconds how long nothing is sent at most, and how long a session is taken for granted. */
export const livePages: Routes<DashboardOptions & { heartbeatSeconds: number }> = (
  app,
  { sql, signIns, heartbeatSeconds },
) => {
  const changes = createChangeWatch(sql, (error) => app.log.warn({ err: error }, 'pages are not kept live'))
  const open = new Map<PassThrough, number>()
  let draining = false
  app.addHook('preClose', async () => {
    draining = true
    for (const stream of open.keys()) stream.end()
  })

  // A HEAD of what never ends would never end either.
  const options = {
    schema: { hide: true },
    config: { unmeasured: true, takesNoTurn: true },
    exposeHeadRoute: false,
  }
  app.get('/live', options, async (request, reply) => {
    const session = await readSession(request, signIns)
    // By 204 a browser knows not to come again by itself.
    if (!session || draining) return reply.code(204).send()
    const { userId, accountId } = session.user
    if ([...open.values()].filter((id) => id === userId).length >= mostOfUser) throw problems.tooManyPages()

    const stream = new PassThrough()
    open.set(stream, userId)
    const send = (text: string) => {
      // Whoever does not read is not written to for ever; the browser comes back by itself.
      if (!stream.writableEnded && !stream.write(text)) stream.destroy()
    }
    const heartbeat = setInterval(async () => {
      const user = await signIns.findSession(session.token).catch(() => session.user)
      if (user) return send(':\n\n')
      send('event: signed-out\ndata:\n\n')
      stream.end()
    }, heartbeatSeconds * 1000)
    const close = () => {
      clearInterval(heartbeat)
      open.delete(stream)
    }
    stream.once('close', close)
    const lastSeen = request.headers['last-event-id']
    const since = typeof lastSeen === 'string' ? lastSeen : null
    const unwatch = changes.watch(accountId, since, (position) =>
      send(`id: ${position}\nevent: changed\ndata:\n\n`),
    )
    stream.once('close', unwatch)
    send(':\n\n')
    return reply
      .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      .type('text/event-stream')
      .send(stream)
  })
}
