/**
 * Attempts to reach private addresses through the sender: it opens no connection to them, and sends no byte
 * where a test forces a connection.
 */
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { type OutgoingRules, openSender, type SenderOptions } from '../../../src/platform/outgoing/sender.ts'
import { fails, receive, receiveBytes } from './receivers.ts'

const publicOnly: OutgoingRules = { privateNetworks: [], allowHttp: true }
const publicAddress = '8.8.8.8'

/** Starts a private receiver that counts connections and bytes. */
async function startPrivateReceiver(t: Test) {
  const seen = { connections: 0, bytes: 0 }
  const url = await receiveBytes(t, (socket) => {
    seen.connections++
    socket.on('data', (data) => {
      seen.bytes += data.length
    })
  })
  return { seen, port: new URL(url).port }
}

function open(t: Test, options: SenderOptions, rules = publicOnly) {
  const sender = openSender(rules, options)
  t.teardown(() => sender.close())
  return sender
}

t.test('the sender does not connect to this machine, however its address is spelled', async (t) => {
  const { seen, port } = await startPrivateReceiver(t)
  const sender = open(t, {})
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '0', '[::1]', '[::ffff:127.0.0.1]'])
    await fails(t, sender.post(`http://${host}:${port}/`, {}, '{}'), { reason: 'address' }, host)
  t.equal(seen.connections, 0)
})

t.test('a name with a private address gets no connection, even if it has public ones too', async (t) => {
  const { seen, port } = await startPrivateReceiver(t)
  for (const addresses of [
    ['127.0.0.1'],
    [publicAddress, '127.0.0.1'],
    ['127.0.0.1', publicAddress],
    ['::ffff:127.0.0.1'],
    ['::ffff:7f00:1', publicAddress],
    ['169.254.169.254'],
    ['168.63.129.16'],
    ['not an address'],
    [],
  ]) {
    const sender = open(t, { lookup: async () => addresses })
    for (const name of ['receiver.test', 'localhost', 'metadata.google.internal.'])
      await fails(t, sender.post(`http://${name}:${port}/`, {}, '{}'), { reason: 'name' }, addresses.join())
  }
  t.equal(seen.connections, 0)
})

t.test('an unknown name and one with a private address fail with the same message', async (t) => {
  const failure = (lookup: () => Promise<string[]>) =>
    open(t, { lookup })
      .post('http://receiver.test/', {}, '{}')
      .catch(({ reason, message }) => ({ reason, message }))
  const unknown = await failure(() => Promise.reject(new Error('ENOTFOUND 10.9.9.9')))
  t.same(await failure(async () => ['10.1.2.3']), unknown)
  t.match(unknown, { reason: 'name', message: /unknown, or leads to a network that is not public/ })
  t.notMatch(unknown, { message: /\d/ }, 'the message has no address')
})

t.test('a changing DNS response has no effect: a socket connects to the checked address', async (t) => {
  const { seen, port } = await startPrivateReceiver(t)
  const answers = [['192.0.2.7'], ['127.0.0.1']]
  const asked: string[] = []
  const dialled: string[] = []
  const sender = open(
    t,
    {
      lookup: async (name) => {
        asked.push(name)
        return answers.shift() ?? ['127.0.0.1']
      },
      dial: (options) => {
        const socket = connect(options)
        socket.on('connectionAttempt', (address) => dialled.push(address))
        return socket
      },
      connectTimeoutMs: 300,
    },
    // This network stands for a public one, because the test calls no other machine.
    { privateNetworks: ['192.0.2.0/24'], allowHttp: true },
  )
  await fails(t, sender.post(`http://receiver.test:${port}/`, {}, '{}'), { reason: /timeout|connect/ })
  t.same(asked, ['receiver.test'], 'the name is looked up once for a connection')
  t.ok(dialled.every((address) => address === '192.0.2.7'))
  await fails(t, sender.post(`http://receiver.test:${port}/`, {}, '{}'), { reason: 'name' })
  t.equal(seen.connections, 0)
})

t.test('a socket that is connected to another address gets no byte, not even the name in TLS', async (t) => {
  const { seen, port } = await startPrivateReceiver(t)
  const sender = open(t, {
    lookup: async () => [publicAddress],
    dial: () => connect({ host: '127.0.0.1', port: Number(port) }),
  })
  for (const scheme of ['http', 'https'])
    await fails(t, sender.post(`${scheme}://receiver.test:${port}/`, {}, '{}'), { reason: 'address' })
  t.equal(seen.bytes, 0)
})

t.test('a public address of this machine gets no byte, unless it is configured', async (t) => {
  const { seen, port } = await startPrivateReceiver(t)
  const dial = () => {
    const socket = connect({ host: '127.0.0.1', port: Number(port) })
    // Simulates a machine with a public address of its own.
    for (const end of ['localAddress', 'remoteAddress'])
      Object.defineProperty(socket, end, { value: publicAddress })
    return socket
  }
  const url = `http://${publicAddress}:${port}/`
  await fails(t, open(t, { dial }).post(url, {}, '{}'), { reason: 'address' })
  t.equal(seen.bytes, 0)
  const rules = { privateNetworks: [publicAddress], allowHttp: true }
  await fails(t, open(t, { dial, firstByteTimeoutMs: 50 }, rules).post(url, {}, '{}'), { reason: 'timeout' })
  t.ok(seen.bytes > 0)
})

t.test('a new connection is checked again after the last one was closed', async (t) => {
  const { port } = await receive(t, (_, response) => response.writeHead(200, { connection: 'close' }).end())
  const answers = [['127.0.0.1'], ['127.0.0.2']]
  const sender = open(
    t,
    { lookup: async () => answers.shift()! },
    { privateNetworks: ['127.0.0.1'], allowHttp: true },
  )
  t.match(await sender.post(`http://receiver.test:${port}/`, {}, '{}'), { status: 200 })
  await fails(t, sender.post(`http://receiver.test:${port}/`, {}, '{}'), { reason: 'name' })
})

t.test('a redirect to a private address is not followed, with any status', async (t) => {
  const { seen, port } = await startPrivateReceiver(t)
  const receiver = await receive(t, (request, response) =>
    response.writeHead(Number(request.url!.slice(1)), { location: `http://127.0.0.1:${port}/` }).end(),
  )
  const sender = open(t, {}, { privateNetworks: ['127.0.0.1'], allowHttp: true })
  for (const status of [300, 301, 302, 303, 305, 307, 308])
    t.match(await sender.post(`http://127.0.0.1:${receiver.port}/${status}`, {}, '{}'), { status })
  t.equal(seen.connections, 0)
})

t.test('a proxy of the environment is not used', async (t) => {
  const { seen, port } = await startPrivateReceiver(t)
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) process.env[name] = `http://127.0.0.1:${port}`
  t.teardown(() => {
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) delete process.env[name]
  })
  await fails(t, open(t, { lookup: async () => [] }).post('http://receiver.test/', {}, '{}'), {
    reason: 'name',
  })
  t.equal(seen.connections, 0)
})

t.test('plain http is not used unless it is configured', async (t) => {
  let requests = 0
  const { port } = await receive(t, (_, response) => {
    requests++
    response.writeHead(200).end()
  })
  const post = (allowHttp: boolean) =>
    open(t, {}, { privateNetworks: ['127.0.0.1'], allowHttp }).post(`http://127.0.0.1:${port}/`, {}, '{}')
  await fails(t, post(false), {
    reason: 'address',
    message: 'The URL must begin with https://.',
  })
  t.equal(requests, 0)
  t.match(await post(true), { status: 200 })
})

t.test('a silent name server and a silent TLS handshake time out', async (t) => {
  const rules = { privateNetworks: ['127.0.0.1', '192.0.2.1'], allowHttp: true }
  const timeout = {
    reason: 'timeout',
    message: 'The receiver did not accept a connection within 0.1 seconds.',
  }
  const nameless = open(t, { lookup: () => new Promise(() => undefined), connectTimeoutMs: 100 }, rules)
  await fails(t, nameless.post('http://receiver.test/', {}, '{}'), timeout)
  const { port } = await startPrivateReceiver(t)
  await fails(
    t,
    open(t, { connectTimeoutMs: 100 }, rules).post(`https://127.0.0.1:${port}/`, {}, '{}'),
    timeout,
  )
})
