/** The pure rules of a booking: how a reference is made, and how a phone number is kept. */
import { randomFillSync } from 'node:crypto'

/** Where a list of bookings goes on: behind the booking of this id that is in order at this number. */
export type ListPosition = [order: number, id: number]

// No 0, 1, I or O: nothing that is misread, and 32 letters make every random byte fair.
const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** The shape of every booking reference: 10 letters of 32, 50 random bits. */
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
// Drawn for many references at once: each call into the generator costs more than a reference does.
const random = new Uint8Array(400 * referenceLength)
let unusedFrom = random.length

/** A phone number as E.164, without the separators that people write. */
export function normalizePhone(phone: string): string {
  return phone.replace(/[\s().-]/g, '')
}
