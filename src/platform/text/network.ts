/** Network addresses as things are counted by them. */
import ipaddr from 'ipaddr.js'

/**
 * What counts as one network address: an IPv4 address, however it is written, or the /64 of an IPv6 address, since a
 * provider gives each customer at least that many. Text that is no address stands for itself.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  // Writes an IPv4 address that was mapped into IPv6 as IPv4 again.
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16))
  return `${prefix.join(':')}::/64`
}
