/** The hash that stands for an e-mail address where the address itself is not kept. */
import { createHash } from 'node:crypto'

/** The SHA-256 of an address in lower case. */
export function hashAddress(address: string): Buffer {
  return createHash('sha256').update(address.trim().toLowerCase()).digest()
}
