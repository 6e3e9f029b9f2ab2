/** Waiting with a time limit. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import t from 'tap'
import { within } from '../../../src/platform/async/deadline.ts'

const late = () => new Error('too late')

t.test('work that takes too long is abandoned with the given error', async (t) => {
  await t.rejects(within(1, new Promise(() => {}), late), late())
})

t.test('work that ends in time returns its result or its error', async (t) => {
  t.equal(await within(10_000, Promise.resolve('done'), late), 'done')
  await t.rejects(within(10_000, Promise.reject(new Error('failed')), late), /failed/)
})

t.test('the time in which the process was blocked does not count for the time limit of work', async (t) => {
  let finish = (_: string) => {}
  const work = new Promise<string>((resolve) => {
    finish = resolve
  })
  const outcome = within(1000, work, late)
  const until = performance.now() + 2000
  while (performance.now() < until);
  // The work ends before its extra time is over, even if both timers fire late.
  setTimeout(() => finish('done'), 10)
  t.equal(await outcome, 'done')
})

t.test(
  'a response that arrived while the process was blocked is read, even if its time limit has passed',
  async (t) => {
    const server = createServer().listen(0, '127.0.0.1')
    t.teardown(() => server.close())
    await once(server, 'listening')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    t.teardown(() => client.destroy())
    const [other] = (await once(server, 'connection')) as [Socket]
    const answer = within(20, once(client, 'data'), late)
    other.write('here')
    // Blocks the process without using the processor, which the network may need to deliver the data.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    t.match(String(await answer), 'here')
  },
)
