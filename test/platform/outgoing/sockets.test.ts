/** The sockets of a sender: how many there are, which request gets one, and for how long. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { openSender, type SenderOptions } from '../../../src/platform/outgoing/sender.ts'
import { until } from '../../until.ts'
import { fails, localRules, receive, receiveBytes } from './receivers.ts'

const headers = { 'content-type': 'application/json' }

function open(t: Test, options?: SenderOptions) {
  const sender = openSender(localRules, options)
  t.teardown(() => sender.close())
  return sender
}

t.test('one connection serves one request after another', async (t) => {
  let connections = 0
  const { port, server } = await receive(t, (_, response) => response.end())
  server.on('connection', () => connections++)
  const sender = open(t)
  for (let post = 0; post < 5; post++) await sender.post(`http://127.0.0.1:${port}/`, headers, '{}')
  t.equal(connections, 1)
})

t.test('a request on a reused connection that breaks is not sent again', async (t) => {
  let requests = 0
  const url = await receiveBytes(t, (socket) => {
    socket.on('data', () => {
      if (++requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
      else socket.destroy()
    })
  })
  const sender = open(t)
  t.match(await sender.post(url, headers, '{}'), { status: 200 })
  await fails(t, sender.post(url, headers, '{}'), { reason: 'cut' })
  t.equal(requests, 2)
})

t.test('a receiver gets a limited number of connections, and further requests wait', async (t) => {
  const held: ServerResponse[] = []
  const { port } = await receive(t, (_, response) => held.push(response))
  const sender = open(t, { socketsPerOrigin: 2 })
  const posts = Array.from({ length: 5 }, () => sender.post(`http://127.0.0.1:${port}/`, headers, '{}'))
  for (const count of [2, 4, 5]) {
    await until(() => held.length === count)
    for (const response of held) response.end()
  }
  t.same(
    (await Promise.all(posts)).map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
})

t.test(
  'a receiver that does not respond occupies only its own connections, and others are called at once',
  async (t) => {
    const slow = await receive(t, () => undefined)
    const quick = await receive(t, (_, response) => response.end())
    const sender = open(t, { socketsPerOrigin: 2, sockets: 3, waitTimeoutMs: 100, answerTimeoutMs: 2_000 })
    const hanging = Array.from({ length: 9 }, () =>
      sender.post(`http://127.0.0.1:${slow.port}/`, headers, '{}'),
    )
    const ended = Promise.allSettled(hanging)
    for (let post = 0; post < 3; post++)
      t.match(await sender.post(`http://127.0.0.1:${quick.port}/`, headers, '{}'), { status: 200 })
    const reasons = (await ended).map((result) => result.status === 'rejected' && result.reason.reason)
    t.same(reasons.slice(0, 2), ['timeout', 'timeout'])
    t.same(new Set(reasons.slice(2)), new Set(['busy']), 'the requests that waited were not sent')
  },
)

t.test('idle connections are closed when all connections together reach the limit', async (t) => {
  const receivers = await Promise.all([1, 2, 3, 4].map(() => receive(t, (_, response) => response.end())))
  let openConnections = 0
  for (const { server } of receivers)
    server.on('connection', (socket) => {
      openConnections++
      socket.on('close', () => openConnections--)
    })
  const sender = open(t, { sockets: 2 })
  for (const { port } of receivers) await sender.post(`http://127.0.0.1:${port}/`, headers, '{}')
  await until(() => openConnections <= 2)
  const posts = receivers.flatMap(({ port }) => [port, port, port])
  const answers = await Promise.all(
    posts.map((port) => sender.post(`http://127.0.0.1:${port}/`, headers, '{}')),
  )
  t.equal(answers.length, 12)
})

t.test('a closing sender waits for requests under way, and sends no further ones', async (t) => {
  const held: ServerResponse[] = []
  const { port, server } = await receive(t, (_, response) => held.push(response))
  const sender = openSender(localRules)
  const post = sender.post(`http://127.0.0.1:${port}/`, headers, '{}')
  await until(() => held.length === 1)
  const closed = sender.close()
  await fails(t, sender.post(`http://127.0.0.1:${port}/`, headers, '{}'), { reason: 'busy' })
  held[0]!.end('late')
  t.match(await post, { status: 200, excerpt: 'late' })
  await closed
  server.close()
  await once(server, 'close')
})
