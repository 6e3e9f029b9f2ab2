/** The sender: what it sends, and how it treats responses and their absence. */
import { once } from 'node:events'
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

t.test('a POST sends its headers and body unchanged, and returns the response', async (t) => {
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

t.test('a redirect is a response like any other, and is not followed', async (t) => {
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

t.test('Retry-After is read as seconds or a date, and ignored if it is not valid', async (t) => {
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

t.test('a body above 64 KiB is not read to its end, and its status is returned', async (t) => {
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
  [
    'endless chunk extensions',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;',
    'x'.repeat(65_536),
    200,
  ],
  [
    'endless trailers',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n',
    'a: b\r\n'.repeat(9_999),
    200,
  ],
  ['endless interim responses', '', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(2_000), null],
  ['endless headers', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n'.repeat(9_999), null],
  ['an endless header', 'HTTP/1.1 200 OK\r\na: ', 'x'.repeat(65_536), null],
  ['an endless status line', 'HTTP/1.1 200 ', 'x'.repeat(65_536), null],
]
for (const [name, start, more, status] of endless) {
  t.test(`a response with ${name} is not read to its end`, async (t) => {
    const url = await receiveBytes(t, (socket) => {
      const write = () => socket.writable && socket.write(more, write)
      socket.once('data', () => socket.write(start, write))
    })
    const answered = open(t).post(url, headers, '{}')
    if (status === null) await fails(t, answered, { reason: 'too-large' })
    else t.match(await answered, { status })
  })
}

t.test('a receiver that does not begin its response in time is abandoned', async (t) => {
  const url = await receiveBytes(t, () => undefined)
  await fails(t, open(t, { firstByteTimeoutMs: 50 }).post(url, headers, '{}'), {
    reason: 'timeout',
    message: 'The receiver did not begin to answer within 0.05 seconds.',
  })
})

t.test('a receiver that sends its response too slowly is abandoned', async (t) => {
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
  ['no bytes', '', 'The connection ended before the whole response had arrived.'],
  [
    'half of the headers',
    'HTTP/1.1 200 OK\r\nconte',
    'The connection ended before the whole response had arrived.',
  ],
  [
    'half of the body',
    'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf',
    'The connection ended before the whole response had arrived.',
  ],
  [
    'half of a chunk',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nhalf',
    'The connection ended before the whole response had arrived.',
  ],
  [
    'a switch to another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
    'The connection ended before the whole response had arrived.',
  ],
  ['bytes that are not HTTP', '220 mail.example ESMTP secret\r\n', 'The response is not HTTP/1.1.'],
]
for (const [name, bytes, message] of broken) {
  t.test(`when a connection ends after ${name}, the request fails, and is not sent again`, async (t) => {
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

t.test('a body without a length ends with its connection', async (t) => {
  const url = await receiveBytes(t, (socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 500 No\r\n\r\nno'))
  })
  t.match(await open(t).post(url, headers, '{}'), { status: 500, excerpt: 'no' })
})

t.test('a missing receiver is reported as refusing connections', async (t) => {
  const { port, server } = await receive(t, () => undefined)
  server.close()
  await once(server, 'close')
  await fails(t, open(t).post(`http://127.0.0.1:${port}/`, headers, '{}'), {
    reason: 'connect',
    message: 'The receiver refuses connections.',
  })
})

t.test('an invalid header is an error of the calling code, not a failure of the receiver', async (t) => {
  const { port } = await receive(t, (_, response) => response.end())
  const sender = open(t)
  await fails(t, sender.post(`http://127.0.0.1:${port}/`, { id: 'a\r\nb: c' }, '{}'), {
    code: 'UND_ERR_INVALID_ARG',
  })
  t.match(await sender.post(`http://127.0.0.1:${port}/`, headers, '{}'), { status: 200 })
})
