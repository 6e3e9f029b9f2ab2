/** Which addresses count as one network. */
import t from 'tap'
import { networkOf } from '../../../src/platform/text/network.ts'

t.test('an IPv4 address counts as one network, even when it is mapped into IPv6', async (t) => {
  for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201', '::FFFF:192.0.2.1'])
    t.equal(networkOf(address), '192.0.2.1', address)
})

t.test('IPv6 addresses with the same first 64 bits count as one network, in one spelling', async (t) => {
  for (const address of [
    '2001:db8::1',
    '2001:DB8:0:0:1::',
    '2001:0db8:0000:0000:ffff::1',
    '2001:db8::1%eth0',
  ])
    t.equal(networkOf(address), '2001:db8:0:0::/64', address)
  t.equal(networkOf('2001:db8:0:1::1'), '2001:db8:0:1::/64')
  t.equal(networkOf('::1'), '0:0:0:0::/64')
})

t.test('text that is not an address counts as a network of its own', async (t) => {
  for (const text of ['', 'unknown', '192.0.2.1:4711', '/run/web.sock']) t.equal(networkOf(text), text)
})
