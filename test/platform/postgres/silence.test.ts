/** Which silent connections are closed. */
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { createSilenceWatch } from '../../../src/platform/postgres/silence.ts'
import { until } from '../../until.ts'

const silence = 200

/** Connections by name, and the names of the closed ones. */
function watchConnections<Name extends string>(...names: Name[]) {
  const watch = createSilenceWatch(silence)
  const givenUp: Name[] = []
  const make = () => ({ bytesRead: 0, bytesWritten: 0, destroyed: false })
  const sockets = {} as Record<Name, ReturnType<typeof make>>
  for (const name of names) {
    sockets[name] = make()
    watch(sockets[name] as unknown as Socket, () => {
      sockets[name].destroyed = true
      givenUp.push(name)
    })
  }
  return { sockets, givenUp }
}

/** Makes the connection seem to have received data at each check. */
function liven(socket: { bytesRead: number }): void {
  let read = 0
  Object.defineProperty(socket, 'bytesRead', { get: () => ++read })
}

t.test(
  'a silent connection with a query is closed, together with all others that received nothing since that query',
  async (t) => {
    const { sockets, givenUp } = watchConnections('first', 'later', 'lively')
    liven(sockets.lively)
    sockets.first.bytesWritten = 1
    await delay(silence / 2)
    sockets.later.bytesWritten = 1
    await until(() => givenUp.length > 0)
    t.same(givenUp, ['first', 'later'])
  },
)

t.test('a connection that sends queries and receives nothing is closed', async (t) => {
  const { sockets, givenUp } = watchConnections('asked')
  let written = 0
  Object.defineProperty(sockets.asked, 'bytesWritten', { get: () => ++written })
  await until(() => givenUp.length > 0)
  t.same(givenUp, ['asked'])
})

t.test(
  'a silent idle connection is closed alone, and connections that are already closed are ignored',
  async (t) => {
    const { sockets, givenUp } = watchConnections('closed', 'idle', 'lively')
    liven(sockets.lively)
    sockets.closed.destroyed = true
    await until(() => givenUp.length > 0)
    t.same(givenUp, ['idle'])
  },
)
