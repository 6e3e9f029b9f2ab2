/**
 * Server-sent events for open pages. `changed`: the event log has new events of the account, so the page requests
 * its content again. The id of this server-sent event is the position in the event log, so that a browser that
 * reconnects does not miss a change. `signed-out`: the session has ended.
 */
import { PassThrough } from 'node:stream'
import { createChangeWatch } from '../events/watching/service.ts'
import { problems } from '../http/problems.ts'
import type { Routes } from '../http/routes.ts'
import { type DashboardOptions, readSession } from './frame/session.ts'

/**
 * The maximum number of open pages of one user that a process serves. The number is limited because the process
 * checks the session of each page in the database at every heartbeat.
 */
const maxOfUser = 12

/**
 * @param heartbeatSeconds the interval of heartbeats. Each heartbeat checks the session, and sends a comment that
 *   keeps the connection open.
 */
export const livePages: Routes<DashboardOptions & { heartbeatSeconds: number }> = (
  app,
  { sql, signIns, heartbeatSeconds },
) => {
  const changes = createChangeWatch(sql, (error) =>
    app.log.warn({ err: error }, 'open pages get no updates: the event log cannot be read'),
  )
  const open = new Map<PassThrough, number>()
  let draining = false
  app.addHook('preClose', async () => {
    draining = true
    for (const stream of open.keys()) stream.end()
  })

  // A HEAD request of an endless response would never end.
  const options = {
    schema: { hide: true },
    config: { unmeasured: true, takesNoTurn: true },
    exposeHeadRoute: false,
  }
  app.get('/live', options, async (request, reply) => {
    const session = await readSession(request, signIns)
    // After a 204, a browser does not reconnect.
    if (!session || draining) return reply.code(204).send()
    const { userId, accountId } = session.user
    if ([...open.values()].filter((id) => id === userId).length >= maxOfUser) throw problems.tooManyPages()

    const stream = new PassThrough()
    open.set(stream, userId)
    const send = (text: string) => {
      // Ends the connection of a client that does not read. A browser reconnects by itself.
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
