/** The hash that is stored instead of an e-mail address where the address itself must not be stored. */
import { createHash } from 'node:crypto'

/** The SHA-256 of an address, after it is trimmed and put into lower case. */
export function hashAddress(address: string): Buffer {
  return createHash('sha256').update(address.trim().toLowerCase()).digest()
}
