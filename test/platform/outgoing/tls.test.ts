/** Receivers with TLS, with a certificate that the sender trusts in tests. */
import { createServer } from 'node:https'
import t, { type Test } from 'tap'
import { openSender, type SenderOptions } from '../../../src/platform/outgoing/sender.ts'
import { receiverCertificate, receiverKey, testAuthority } from './certificates.ts'
import { fails, listen, localRules, receive } from './receivers.ts'

const tlsOnly = { ...localRules, allowHttp: false }
// No test in this file checks a timeout, and a machine that runs several tests may stop for seconds.
const longTimeouts = {
  waitTimeoutMs: 60_000,
  connectTimeoutMs: 60_000,
  firstByteTimeoutMs: 60_000,
  answerTimeoutMs: 60_000,
}

function open(t: Test, options: SenderOptions) {
  const sender = openSender(tlsOnly, { ...longTimeouts, ...options })
  t.teardown(() => sender.close())
  return sender
}

t.test('TLS requires a certificate for the host of the URL from a trusted authority', async (t) => {
  const server = createServer({ key: receiverKey, cert: receiverCertificate }, (request, response) => {
    const { servername } = request.socket as unknown as { servername: string | false }
    response.end(JSON.stringify({ servername, httpVersion: request.httpVersion }))
  })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const port = await listen(server)
  const lookup = async () => ['127.0.0.1']
  const sender = open(t, { ca: testAuthority, lookup })
  const excerpt = async (host: string) =>
    JSON.parse((await sender.post(`https://${host}:${port}/`, {}, '{}')).excerpt)
  t.same(await excerpt('receiver.test'), { servername: 'receiver.test', httpVersion: '1.1' })
  t.same(await excerpt('receiver.test.'), { servername: 'receiver.test', httpVersion: '1.1' })
  t.same(
    await excerpt('127.0.0.1'),
    { servername: false, httpVersion: '1.1' },
    'an address has no server name',
  )
  await fails(t, sender.post(`https://other.test:${port}/`, {}, '{}'), {
    reason: 'tls',
    message: 'The receiver’s certificate is for another host name.',
  })
  await fails(t, open(t, { lookup }).post(`https://receiver.test:${port}/`, {}, '{}'), {
    reason: 'tls',
  })
  const plain = await receive(t, (_, response) => response.end())
  await fails(t, sender.post(`https://receiver.test:${plain.port}/`, {}, '{}'), {
    reason: 'tls',
    message: 'No secure connection (TLS) could be opened.',
  })
})

t.test(
  'a response over TLS has the same limits, and a connection serves more than one request',
  async (t) => {
    let connections = 0
    const server = createServer({ key: receiverKey, cert: receiverCertificate }, (request, response) => {
      if (request.url === '/') return response.end('x')
      const raw = request.socket
      const write = (): unknown => raw.writable && raw.write('x'.repeat(65_536), write)
      return raw.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;', write)
    })
    server.on('secureConnection', () => connections++)
    t.teardown(() => {
      server.closeAllConnections()
      server.close()
    })
    const port = await listen(server)
    const sender = open(t, { ca: testAuthority })
    for (let post = 0; post < 3; post++) await sender.post(`https://127.0.0.1:${port}/`, {}, '{}')
    t.equal(connections, 1)
    t.match(await sender.post(`https://127.0.0.1:${port}/endless`, {}, '{}'), { status: 200, excerpt: '' })
  },
)
