/** Booking references, the position in a list of bookings, and the form of a phone number. Without I/O. */
import { randomFillSync } from 'node:crypto'

/**
 * The position after which a list of bookings continues: the creation time of a booking in microseconds, and
 * its id.
 */
export type ListPosition = [createdMicros: number, id: number]

// 0, 1, I and O are left out, because people misread them. 256 is a multiple of 32, so a random byte selects
// each character with the same probability.
const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** The pattern of every booking reference: 10 characters out of 32, which is 50 random bits. */
export const referencePattern = `^[${letters}]{10}$`

export function isReference(text: string): boolean {
  return new RegExp(referencePattern).test(text)
}

export function makeReference(): string {
  if (unusedFrom === random.length) {
    randomFillSync(random)
    unusedFrom = 0
  }
  let reference = ''
  for (const end = unusedFrom + referenceLength; unusedFrom < end; unusedFrom++)
    reference += letters[random[unusedFrom]! & 31]
  return reference
}

const referenceLength = 10
// Random bytes are drawn for many references at once, because a call of the generator takes longer than
// making a reference.
const random = new Uint8Array(400 * referenceLength)
let unusedFrom = random.length

/** A phone number without the separators that people write: white space, parentheses, dots and hyphens. */
export function normalizePhone(phone: string): string {
  return phone.replace(/[\s().-]/g, '')
}
