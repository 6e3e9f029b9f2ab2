/** Groups network addresses for limits and counts. */
import ipaddr from 'ipaddr.js'

/**
 * The network that an address counts as: an IPv4 address in any notation, or the /64 of an IPv6 address,
 * because a provider gives each customer at least a /64. Text that is not an address counts as itself.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  // Turns an IPv4-mapped IPv6 address back into IPv4.
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16))
  return `${prefix.join(':')}::/64`
}
