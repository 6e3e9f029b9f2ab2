/**
 * Which URLs and addresses the service may call when a user chose them, such as the URL of a webhook
 * endpoint: public addresses, and the private networks in the configuration. Pure: it resolves no names.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type OutgoingRules = {
  /** Networks (CIDR) or addresses that may be called although they are not public. */
  privateNetworks: readonly string[]
  /** Whether http: is allowed besides https:. */
  allowHttp: boolean
}

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

const maxUrlCharacters = 2_000
const networkPattern = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i

/**
 * Addresses where a cloud gives machines their credentials. Only an entry for the address itself allows one:
 * 168.63.129.16 (Azure) looks public, and the others are in private networks that an operator may allow.
 */
const metadataAddresses = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
])

/**
 * IPv6 addresses that a translator (RFC 6052) turns into IPv4 addresses. The IPv4 address is the one that is
 * called.
 */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
/** All addresses of the public internet. All others are special or not assigned. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Ports of other protocols, which browsers refuse too: the "bad ports" of the Fetch standard. */
const badPorts = new Set(
  (
    '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 ' +
    '123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 ' +
    '990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  ).split(' '),
)

/**
 * Checks the URL of an endpoint. Returns the message for the field, or null if the URL is accepted. The host name
 * may still resolve to a forbidden address: the sender checks that for each connection.
 */
export function urlFault(url: string, rules: OutgoingRules): string | null {
  if (url.length > maxUrlCharacters) return `must have at most ${maxUrlCharacters} characters`
  if (/[\s\\\p{Cc}]/u.test(url) || !url.isWellFormed())
    return 'must not contain spaces, line breaks or backslashes'
  const parsed = /^https?:\/\//i.test(url) ? parse(url) : null
  if (!parsed)
    return `must begin with ${rules.allowHttp ? 'http:// or https://' : 'https://'} and a host name`
  if (parsed.protocol === 'http:' && !rules.allowHttp) return 'must begin with https://'
  if (parsed.username || parsed.password) return 'must not contain a user name or password'
  if (url.includes('#')) return 'must not contain a fragment (#)'
  if (badPorts.has(parsed.port))
    return `must not have the port ${parsed.port}, which belongs to another protocol`
  const literal = literalAddress(parsed.hostname)
  if (literal && !isAllowedAddress(literal, rules)) return 'must lead to a public address'
  return null
}

function parse(url: string): URL | null {
  try {
    return new URL(url)
  } catch {
    return null
  }
}

/**
 * The address in the host of a parsed URL, or null for a name. The URL parser has already written 0x7f.1 as
 * 127.0.0.1.
 */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) ? bare : null
}

/**
 * Whether an address may be called. For IPv4 in IPv6, the IPv4 address decides; obsolete forms are refused.
 */
export function isAllowedAddress(address: string, rules: OutgoingRules): boolean {
  if (!isIP(address)) return false
  const called = calledAddress(parseAddress(address))
  const isMetadata = metadataAddresses.has(called.toString())
  return (isPublic(called) && !isMetadata) || isNamed(called, rules, isMetadata)
}

/**
 * Whether a connection between these addresses may be used. If both addresses are the same, `privateNetworks`
 * must contain the address, even if it is public: the connection has not left this machine, so no firewall
 * has checked it.
 */
export function isAllowedConnection(local: string, remote: string, rules: OutgoingRules): boolean {
  if (!isAllowedAddress(remote, rules)) return false
  return local !== remote || isNamed(calledAddress(parseAddress(remote)), rules, false)
}

function isNamed(address: IpAddress, rules: OutgoingRules, isExactly: boolean): boolean {
  return rules.privateNetworks.some((network) => {
    const [first, bits] = parseNetwork(network)
    return matches(address, first, bits) && (!isExactly || bits === maxBits(first))
  })
}

function isPublic(address: IpAddress): boolean {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || (address.match(publicIpv6) && !isIsatap(address))
}

/** Whether the last 64 bits are those of an IPv4 tunnel (RFC 5214), which any network may contain. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4]! & 0xfdff) === 0 && parts[5] === 0x5efe
}

/**
 * Parses with URL first, which writes all of IPv6 in hexadecimal: ipaddr.js confuses ::1.2.3.4 with
 * ::ffff:1.2.3.4.
 */
function parseAddress(address: string): IpAddress {
  if (isIP(address) === 4) return ipaddr.parse(address)
  return ipaddr.parse(new URL(`http://[${address.replace(/%.*/, '')}]/`).hostname.slice(1, -1))
}

/** The IPv4 address that is really called, for the two kinds of IPv6 addresses in use that contain one. */
function calledAddress(address: IpAddress): IpAddress {
  if (address instanceof ipaddr.IPv4) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return address.match(nat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}

function matches(address: IpAddress, first: IpAddress, bits: number): boolean {
  if (address instanceof ipaddr.IPv4) return first instanceof ipaddr.IPv4 && address.match(first, bits)
  return first instanceof ipaddr.IPv6 && address.match(first, bits)
}

function maxBits(address: IpAddress): number {
  return address.kind() === 'ipv4' ? 32 : 128
}

/** Whether text is an address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [, address, bits] = networkPattern.exec(text) ?? []
  return isIP(address ?? '') > 0 && Number(bits ?? 0) <= (isIP(address!) === 4 ? 32 : 128)
}

/** The first address of a network, and the length of its prefix. A single address is a network of its own. */
function parseNetwork(text: string): [IpAddress, number] {
  const [, address, bits] = networkPattern.exec(text)!
  const first = parseAddress(address!)
  return [first, bits === undefined ? maxBits(first) : Number(bits)]
}
