/** The sender: what it sends, what it makes of answers, and how it shares its sockets. */
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

t.test('a POST carries its headers and body as they are, and the answer comes back', async (t) => {
  const { port } = await receive(t, async (request, response) => {
    const body = (await request.toArray()).join('')
    const { method, url, httpVersion } = request
    const { host, id } = request.headers
    response.writeHead(202).end(JSON.stringify({ method, url, httpVersion, host, id, body }))
  })
  const url = `http://127.0.0.1:${port}/hook?a=%20b`
  const answer = await open(t).post(url, { ...headers, id: 'msg_1' }, '{"ü":1}')
  t.match(answer, { status: 202, retryAfterSeconds: null })
  t.same(JSON.parse(answer.excerpt), {
    method: 'POST',
    url: '/hook?a=%20b',
    httpVersion: '1.1',
    host: `127.0.0.1:${port}`,
    id: 'msg_1',
    body: '{"ü":1}',
  })
})

t.test('one connection serves one request after another', async (t) => {
  let connections = 0
  const { port, server } = await receive(t, (_, response) => response.end())
  server.on('connection', () => connections++)
  const sender = open(t)
  for (let post = 0; post < 5; post++) await sender.post(`http://127.0.0.1:${port}/`, headers, '{}')
  t.equal(connections, 1)
})

t.test('a redirect is an answer like any other, and is not followed', async (t) => {
  let requests = 0
  const { port } = await receive(t, (_, response) => {
    requests++
    response.writeHead(307, { location: `http://127.0.0.1:${port}/inside` }).end()
  })
  t.match(await open(t).post(`http://127.0.0.1:${port}/`, headers, '{}'), { status: 307 })
  t.equal(requests, 1)
})

t.test('the excerpt is the first KiB, without what PostgreSQL cannot store', async (t) => {
  const bodies = [
    Buffer.from('a'.repeat(5_000)),
    Buffer.from('a\0b'),
    Buffer.from([0x61, 0xff, 0xed, 0xa0, 0x80, 0x62]),
    Buffer.from(`${'a'.repeat(1_023)}ü`),
    Buffer.from(''),
  ]
  const { port } = await receive(t, (request, response) =>
    response.end(bodies[Number(request.url!.slice(1))]),
  )
  const sender = open(t)
  const excerpts = []
  for (const index of bodies.keys())
    excerpts.push((await sender.post(`http://127.0.0.1:${port}/${index}`, headers, '{}')).excerpt)
  t.same(excerpts, ['a'.repeat(1_024), 'ab', 'a\ufffd\ufffd\ufffd\ufffdb', `${'a'.repeat(1_023)}\ufffd`, ''])
})

t.test('Retry-After is read as seconds or a date, and left out when it makes no sense', async (t) => {
  const values: [string, number | null][] = [
    ['120', 120],
    ['0', 0],
    [new Date(Date.now() + 90_000).toUTCString(), 90],
    [new Date(Date.now() - 90_000).toUTCString(), null],
    ['-1', null],
    ['1.5', null],
    ['soon', null],
    ['9'.repeat(30), null],
    ['2030', 2_030],
    ['2099-01-01T00:00:00Z', null],
    ['Thu, 99 Foo 2099 00:00:00 GMT', null],
  ]
  const { port } = await receive(t, (request, response) =>
    response.writeHead(503, { 'retry-after': values[Number(request.url!.slice(1))]![0] }).end(),
  )
  const sender = open(t)
  for (const [index, [value, expected]] of values.entries()) {
    const answer = await sender.post(`http://127.0.0.1:${port}/${index}`, headers, '{}')
    const isDate = value.endsWith('GMT') && expected !== null
    if (isDate) t.ok(answer.retryAfterSeconds! > 60 && answer.retryAfterSeconds! <= expected, value)
    else t.equal(answer.retryAfterSeconds, expected, value)
  }
})

t.test('a body past 64 KiB is not read to its end, and the status counts', async (t) => {
  let isClosed = false
  const url = await receiveBytes(t, (socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 999999999\r\n\r\n')
      const more = () => socket.writable && socket.write('x'.repeat(65_536), more)
      more()
    })
    socket.on('close', () => {
      isClosed = true
    })
  })
  t.match(await open(t).post(url, headers, '{}'), { status: 200, excerpt: 'x'.repeat(1_024) })
  await until(() => isClosed)
})

const endless: [name: string, start: string, more: string, status: number | null][] = [
  ['chunk extensions', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;', 'x'.repeat(65_536), 200],
  ['trailers', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n', 'a: b\r\n'.repeat(9_999), 200],
  ['interim answers', '', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(2_000), null],
  ['headers', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n'.repeat(9_999), null],
  ['one header', 'HTTP/1.1 200 OK\r\na: ', 'x'.repeat(65_536), null],
  ['a status line', 'HTTP/1.1 200 ', 'x'.repeat(65_536), null],
]
for (const [name, start, more, status] of endless) {
  t.test(`an answer with endless ${name} is dropped`, async (t) => {
    const url = await receiveBytes(t, (socket) => {
      const write = () => socket.writable && socket.write(more, write)
      socket.once('data', () => socket.write(start, write))
    })
    const answered = open(t).post(url, headers, '{}')
    if (status === null) await fails(t, answered, { reason: 'too-large' })
    else t.match(await answered, { status })
  })
}

t.test('a receiver that does not begin to answer in time is given up', async (t) => {
  const url = await receiveBytes(t, () => undefined)
  await fails(t, open(t, { firstByteTimeoutMs: 50 }).post(url, headers, '{}'), {
    reason: 'timeout',
    message: 'The receiver did not begin to answer within 0.05 seconds.',
  })
})

t.test('a receiver that sends its answer drop by drop is given up', async (t) => {
  const url = await receiveBytes(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
    const drip = setInterval(() => socket.write('x'), 5)
    socket.on('close', () => clearInterval(drip))
  })
  await fails(t, open(t, { answerTimeoutMs: 200 }).post(url, headers, '{}'), {
    reason: 'timeout',
    message: 'The receiver did not answer within 0.2 seconds.',
  })
})

const broken: [name: string, bytes: string, message: string][] = [
  ['nothing', '', 'The connection ended before the whole answer had arrived.'],
  [
    'half of the headers',
    'HTTP/1.1 200 OK\r\nconte',
    'The connection ended before the whole answer had arrived.',
  ],
  [
    'half of the body',
    'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf',
    'The connection ended before the whole answer had arrived.',
  ],
  [
    'half of a chunk',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nhalf',
    'The connection ended before the whole answer had arrived.',
  ],
  [
    'another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
    'The connection ended before the whole answer had arrived.',
  ],
  ['another language', '220 mail.example ESMTP secret\r\n', 'What the receiver answers is not HTTP/1.1.'],
]
for (const [name, bytes, message] of broken) {
  t.test(`a connection that ends after ${name} has no answer, and is not tried again`, async (t) => {
    let requests = 0
    const url = await receiveBytes(t, (socket) => {
      socket.on('data', () => {
        requests++
        socket.end(bytes)
      })
    })
    await fails(t, open(t).post(url, headers, '{}'), { reason: 'cut', message })
    t.equal(requests, 1)
  })
}

t.test('a request on a kept connection that is cut is not sent again', async (t) => {
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

t.test('a body without a length ends with its connection', async (t) => {
  const url = await receiveBytes(t, (socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 500 No\r\n\r\nno'))
  })
  t.match(await open(t).post(url, headers, '{}'), { status: 500, excerpt: 'no' })
})

t.test('a receiver that is not there is said to refuse connections', async (t) => {
  const { port, server } = await receive(t, () => undefined)
  server.close()
  await once(server, 'close')
  await fails(t, open(t).post(`http://127.0.0.1:${port}/`, headers, '{}'), {
    reason: 'connect',
    message: 'The receiver refuses connections.',
  })
})

t.test('a receiver gets a bounded number of connections, and the others wait for theirs', async (t) => {
  const held: ServerResponse[] = []
  const { port } = await receive(t, (_, response) => held.push(response))
  const sender = open(t, { socketsPerHost: 2 })
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

t.test('one receiver that hangs keeps its own connections, and another is called at once', async (t) => {
  const slow = await receive(t, () => undefined)
  const quick = await receive(t, (_, response) => response.end())
  const sender = open(t, { socketsPerHost: 2, sockets: 3, waitTimeoutMs: 100, answerTimeoutMs: 2_000 })
  const hanging = Array.from({ length: 9 }, () =>
    sender.post(`http://127.0.0.1:${slow.port}/`, headers, '{}'),
  )
  const ended = Promise.allSettled(hanging)
  for (let post = 0; post < 3; post++)
    t.match(await sender.post(`http://127.0.0.1:${quick.port}/`, headers, '{}'), { status: 200 })
  const reasons = (await ended).map((result) => result.status === 'rejected' && result.reason.reason)
  t.same(reasons.slice(0, 2), ['timeout', 'timeout'])
  t.same(new Set(reasons.slice(2)), new Set(['busy']), 'nothing was sent of those that waited')
})

t.test('idle connections make room when all together are at their bound', async (t) => {
  const receivers = await Promise.all([1, 2, 3, 4].map(() => receive(t, (_, response) => response.end())))
  let open2 = 0
  for (const { server } of receivers)
    server.on('connection', (socket) => {
      open2++
      socket.on('close', () => open2--)
    })
  const sender = open(t, { sockets: 2 })
  for (const { port } of receivers) await sender.post(`http://127.0.0.1:${port}/`, headers, '{}')
  await until(() => open2 <= 2)
  const posts = receivers.flatMap(({ port }) => [port, port, port])
  const answers = await Promise.all(
    posts.map((port) => sender.post(`http://127.0.0.1:${port}/`, headers, '{}')),
  )
  t.equal(answers.length, 12)
})

t.test('a closing sender waits for what is under way, and sends nothing more', async (t) => {
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

t.test(
  'a header that cannot be sent is the mistake of the code that gave it, and no failure of the receiver',
  async (t) => {
    const { port } = await receive(t, (_, response) => response.end())
    const sender = open(t)
    await fails(t, sender.post(`http://127.0.0.1:${port}/`, { id: 'a\r\nb: c' }, '{}'), {
      code: 'UND_ERR_INVALID_ARG',
    })
    t.match(await sender.post(`http://127.0.0.1:${port}/`, headers, '{}'), { status: 200 })
  },
)
