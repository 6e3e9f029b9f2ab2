/** Which connections are given up for saying nothing. */
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { createSilenceWatch } from '../../../src/platform/postgres/silence.ts'
import { until } from '../../until.ts'

const silence = 200

/** Connections by name, and the names of those that were given up. */
function watched<Name extends string>(...names: Name[]) {
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

/** Makes something new to be heard of it each time it is looked at. */
function liven(socket: { bytesRead: number }): void {
  let read = 0
  Object.defineProperty(socket, 'bytesRead', { get: () => ++read })
}

t.test('what was asked and says nothing is given up, with all that nothing was heard of since', async (t) => {
  const { sockets, givenUp } = watched('first', 'later', 'lively')
  liven(sockets.lively)
  sockets.first.bytesWritten = 1
  await delay(silence / 2)
  sockets.later.bytesWritten = 1
  await until(() => givenUp.length > 0)
  t.same(givenUp, ['first', 'later'])
})

t.test('further questions are no sign of life', async (t) => {
  const { sockets, givenUp } = watched('asked')
  let written = 0
  Object.defineProperty(sockets.asked, 'bytesWritten', { get: () => ++written })
  await until(() => givenUp.length > 0)
  t.same(givenUp, ['asked'])
})

t.test('one that is idle is given up alone, and one that was closed is forgotten', async (t) => {
  const { sockets, givenUp } = watched('closed', 'idle', 'lively')
  liven(sockets.lively)
  sockets.closed.destroyed = true
  await until(() => givenUp.length > 0)
  t.same(givenUp, ['idle'])
})
