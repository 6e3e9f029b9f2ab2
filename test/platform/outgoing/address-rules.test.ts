/** The URLs and addresses that the service may call when a user or a partner chose them. */
import fc from 'fast-check'
import t from 'tap'
import { isAllowedAddress, isNetwork, urlFault } from '../../../src/platform/outgoing/address-rules.ts'

const publicOnly = { privateNetworks: [], allowHttp: false }
const allowing = (...privateNetworks: string[]) => ({ privateNetworks, allowHttp: true })

const refused: [kind: string, ...addresses: string[]][] = [
  ['unspecified', '0.0.0.0', '0.255.255.255', '::'],
  ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
  ['private', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  ['link-local', '169.254.0.1', '169.254.255.255', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  ['unique-local', 'fc00::1', 'fdff:ffff::1'],
  ['site-local', 'fec0::1'],
  ['carrier-grade NAT', '100.64.0.1', '100.127.255.255'],
  ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  ['broadcast', '255.255.255.255'],
  ['reserved', '192.0.0.8', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255', '198.51.100.1'],
  ['reserved', '203.0.113.1', '240.0.0.1', '255.255.255.254', '2001:db8::1', '3fff::1', '2001:2::1'],
  ['not assigned', '::2', '100::1', '200::1', '1000::1', '4000::1', '5f00::1', '8000::1', 'f000::1'],
  ['metadata', '169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192'],
  ['metadata', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254'],
  ['loopback in IPv6', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:7f00:0001', '::FFFF:127.0.0.1'],
  ['private in IPv6', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe'],
  ['metadata in IPv6', '::ffff:168.63.129.16', '64:ff9b::168.63.129.16', '::168.63.129.16'],
  ['compatible', '::127.0.0.1', '::7f00:1', '::8.8.8.8', '::808:808'],
  ['translated', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8', '64:ff9b:1::1', '64:ff9b:1:ffff::8.8.8.8'],
  ['6to4', '2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1'],
  ['Teredo', '2001::1', '2001:0:4136:e378:8000:63bf:80ff:fffe'],
  ['ISATAP', '2606:4700::5efe:7f00:1', '2606:4700::200:5efe:10.0.0.1'],
  [
    'no address',
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    '8.8.8.8/32',
    ' 8.8.8.8',
  ],
]
for (const [kind, ...addresses] of refused)
  t.test(`${kind}: ${addresses.join(', ')} is not called`, async (t) => {
    for (const address of addresses) t.equal(isAllowedAddress(address, publicOnly), false, address)
  })

t.test('public addresses may be called, including IPv4 addresses written as IPv6', async (t) => {
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '223.255.255.1',
  ])
    for (const written of [address, `::ffff:${address}`, `64:ff9b::${address}`])
      t.ok(isAllowedAddress(written, publicOnly), written)
  for (const address of ['2606:4700:4700::1111', '2a00:1450::1', '2000::1'])
    t.ok(isAllowedAddress(address, publicOnly))
})

t.test('an IPv4 address in IPv6 is judged like the IPv4 address, or refused', async (t) => {
  const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
  const special = fc.constantFrom('127.0.0.1', '10.1.2.3', '169.254.169.254', '168.63.129.16', '192.168.7.7')
  const ipv4 = fc.oneof(
    octets.map((bytes) => bytes.join('.')),
    special,
  )
  const networks = fc.constantFrom([], ['10.0.0.0/8'], ['127.0.0.1', 'fd00::/8'], ['0.0.0.0/0'])
  fc.assert(
    fc.property(ipv4, networks, (address, privateNetworks) => {
      const rules = { privateNetworks, allowHttp: false }
      const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number]
      const [high, low] = [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)]
      const [flippedHigh, flippedLow] = [
        (((a << 8) | b) ^ 0xffff).toString(16),
        (((c << 8) | d) ^ 0xffff).toString(16),
      ]
      const isAllowed = isAllowedAddress(address, rules)
      for (const same of [
        `::ffff:${address}`,
        `::ffff:${high}:${low}`,
        `64:ff9b::${address}`,
        `64:ff9b::${high}:${low}`,
      ])
        t.equal(isAllowedAddress(same, rules), isAllowed, same)
      for (const obsolete of [
        `::${address}`,
        `::ffff:0:${address}`,
        `64:ff9b:1::${address}`,
        `2002:${high}:${low}::1`,
        `2001:0:${high}:${low}::${flippedHigh}:${flippedLow}`,
        `2a00:1450::5efe:${address}`,
      ])
        t.notOk(isAllowedAddress(obsolete, rules), obsolete)
    }),
  )
})

t.test('a configured network and public addresses may be called, and no other address', async (t) => {
  const rules = allowing('10.1.0.0/16', '127.0.0.1', 'fd12::/16')
  for (const address of ['10.1.255.255', '::ffff:10.1.0.1', '127.0.0.1', 'fd12::1', '8.8.8.8'])
    t.ok(isAllowedAddress(address, rules), address)
  for (const address of ['10.2.0.1', '127.0.0.2', 'fd13::1', '::1', '192.168.0.1'])
    t.notOk(isAllowedAddress(address, rules), address)
})

t.test(
  'the metadata address of a cloud may be called only if an entry is exactly this address',
  async (t) => {
    for (const [address, around] of [
      ['169.254.169.254', '169.254.0.0/16'],
      ['100.100.100.200', '100.64.0.0/10'],
      ['168.63.129.16', '0.0.0.0/0'],
      ['fd00:ec2::254', 'fd00::/8'],
      ['fd20:ce::254', '::/0'],
    ] as const) {
      t.notOk(isAllowedAddress(address, allowing(around)), `${address} in ${around}`)
      t.ok(isAllowedAddress(address, allowing(address)), address)
    }
  },
)

t.test('a URL that names this machine in another spelling is refused', async (t) => {
  for (const host of [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0X7F.0x0.0x0.0x1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '１２７.0.0.1',
    '127。0。0。1',
    '①②⑦.0.0.1',
    '0',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
  ])
    t.equal(urlFault(`https://${host}/hook`, publicOnly), 'must lead to a public address', host)
})

t.test('the parts that a URL must not have are named in plain words', async (t) => {
  for (const [url, fault] of [
    ['http://receiver.example/', 'must begin with https://'],
    ['ftp://receiver.example/', 'must begin with https:// and a host name'],
    ['file:///etc/passwd', 'must begin with https:// and a host name'],
    ['javascript:alert(1)', 'must begin with https:// and a host name'],
    ['receiver.example/hook', 'must begin with https:// and a host name'],
    ['https:receiver.example', 'must begin with https:// and a host name'],
    ['https://', 'must begin with https:// and a host name'],
    ['https://[fe80::1%25eth0]/', 'must begin with https:// and a host name'],
    ['https://1.2.3.4.5/', 'must begin with https:// and a host name'],
    ['', 'must begin with https:// and a host name'],
    ['https://user@receiver.example/', 'must not contain a user name or password'],
    ['https://:secret@receiver.example/', 'must not contain a user name or password'],
    ['https://receiver.example/#', 'must not contain a fragment (#)'],
    ['https://receiver.example/#part', 'must not contain a fragment (#)'],
    ['https://receiver.example/a b', 'must not contain spaces, line breaks or backslashes'],
    ['https://receiver.example/\nX: 1', 'must not contain spaces, line breaks or backslashes'],
    ['https://receiver.example\\@127.0.0.1/', 'must not contain spaces, line breaks or backslashes'],
    ['https://receiver.example/\0', 'must not contain spaces, line breaks or backslashes'],
    ['https://receiver.example/\ud800', 'must not contain spaces, line breaks or backslashes'],
    ['https://receiver.example:25/', 'must not have the port 25, which belongs to another protocol'],
    ['https://receiver.example:0/', 'must not have the port 0, which belongs to another protocol'],
    [`https://receiver.example/${'x'.repeat(1_976)}`, 'must have at most 2000 characters'],
  ] as const)
    t.equal(urlFault(url, publicOnly), fault, url.slice(0, 60))
  t.equal(urlFault('receiver', allowing()), 'must begin with http:// or https:// and a host name')
})

t.test('a URL may have a name, a port and a query, and http where it is allowed', async (t) => {
  for (const url of [
    'https://receiver.example',
    'HTTPS://Receiver.Example.:8443/hook?token=1%20',
    `https://receiver.example/${'x'.repeat(1_975)}`,
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]:444/',
    'https://bücher.example/ü',
    'https://localhost/',
  ])
    t.equal(urlFault(url, publicOnly), null, url.slice(0, 60))
  t.equal(urlFault('http://10.0.0.1:3000/', allowing('10.0.0.0/8')), null)
})

t.test('a network is an address with or without a prefix length', async (t) => {
  for (const text of ['10.0.0.0/8', '127.0.0.1', '0.0.0.0/0', '::1', 'fd00::/8', '::ffff:1.2.3.4', '::/128'])
    t.ok(isNetwork(text), text)
  for (const text of [
    '',
    '10.0.0.0/33',
    '10.0.0/8',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '/8',
    'localhost',
    'fe80::%1/64',
  ])
    t.notOk(isNetwork(text), text)
})
