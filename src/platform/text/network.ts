/** Groups network addresses for limits and counts. */
import ipaddr from 'ipaddr.js'

/**
 * The name under which limits count an address: an IPv4 address itself, in one notation, or the /64 of an
 * IPv6 address, because a provider gives each customer at least a /64. Text that is not an address is
 * returned unchanged.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  // Turns an IPv4-mapped IPv6 address back into IPv4.
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16))
  return `${prefix.join(':')}::/64`
}
