/** Looking up names: in the DNS, without blocking a thread, and on request in this machine's hosts file. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { openNames } from '../../../src/platform/outgoing/names.ts'

const types = { 1: 'A', 28: 'AAAA' } as Record<number, string>
type Answers = Record<string, Buffer[] | 'silent' | undefined>

/**
 * A name server with responses by `name type`. It knows no other names, and sends no response where it is
 * 'silent'.
 */
async function serveNames(t: Test, answers: Answers): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12)
    const labels: string[] = []
    for (let at = 12; at < end; at += 1 + query[at]!)
      labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
    const found = answers[`${labels.join('.').toLowerCase()} ${types[query.readUInt16BE(end + 1)]}`]
    if (found === 'silent') return
    const question = query.subarray(12, end + 5)
    const header = Buffer.from([
      query[0]!,
      query[1]!,
      0x81,
      found ? 0x80 : 0x83,
      0,
      1,
      0,
      found?.length ?? 0,
      0,
      0,
      0,
      0,
    ])
    const records = (found ?? []).flatMap((data) => [
      Buffer.from([0xc0, 12, 0, query[end + 2]!, 0, 1, 0, 0, 0, 0, 0, data.length]),
      data,
    ])
    socket.send(Buffer.concat([header, question, ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => socket.close())
  return `127.0.0.1:${socket.address().port}`
}

const ipv4 = (...bytes: number[]) => Buffer.from(bytes)
const ipv6 = (last: number) => Buffer.from([0x20, 1, 0xd, 0xb8, ...Array<number>(11).fill(0), last])

t.test('all addresses of a name are found, of both kinds', async (t) => {
  const server = await serveNames(t, {
    'receiver.test A': [ipv4(192, 0, 2, 1), ipv4(10, 0, 0, 1)],
    'receiver.test AAAA': [ipv6(1)],
  })
  const resolve = openNames({ usesHosts: false, servers: [server] })
  t.same((await resolve('receiver.test')).toSorted(), ['10.0.0.1', '192.0.2.1', '2001:db8::1'])
  t.same((await resolve('receiver.test.')).length, 3, 'with a dot at the end too')
})

t.test('one kind of address is enough, even if the name server does not respond for the other', async (t) => {
  const server = await serveNames(t, {
    'four.test A': [ipv4(192, 0, 2, 1)],
    'six.test A': 'silent',
    'six.test AAAA': [ipv6(2)],
  })
  const resolve = openNames({ usesHosts: false, servers: [server] })
  t.same(await resolve('four.test'), ['192.0.2.1'])
  t.same(await resolve('six.test'), ['2001:db8::2'])
})

t.test('names without a response delay no other name', async (t) => {
  const silent = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [
      [`n${index}.test A`, 'silent'],
      [`n${index}.test AAAA`, 'silent'],
    ]).flat(),
  )
  const server = await serveNames(t, { ...silent, 'receiver.test A': [ipv4(192, 0, 2, 1)] })
  const resolve = openNames({ usesHosts: false, servers: [server] })
  let ended = 0
  const slow = Array.from({ length: 50 }, (_, index) => resolve(`n${index}.test`).finally(() => ended++))
  const results = Promise.allSettled(slow)
  t.same(await resolve('receiver.test'), ['192.0.2.1'])
  t.equal(ended, 0, 'the others still wait')
  t.ok((await results).every(({ status }) => status === 'rejected'))
})

t.test('names of this machine’s hosts file are found only if this is requested', async (t) => {
  const server = await serveNames(t, {})
  const withHosts = openNames({ usesHosts: true, servers: [server] })
  const [first, second] = await Promise.all([withHosts('localhost'), withHosts('localhost')])
  t.ok(first.includes('127.0.0.1') || first.includes('::1'))
  t.same(second, first)
  await t.rejects(openNames({ usesHosts: false, servers: [server] })('localhost'))
  await t.rejects(openNames({ usesHosts: false, servers: [server] })('receiver.test'))
})
