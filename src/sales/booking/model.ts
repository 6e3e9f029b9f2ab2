/** Pure rules of a booking: its reference, and the form of a phone number. */
import { randomFillSync } from 'node:crypto'

/** The position after which a list of bookings continues: a booking's id, with its number in the order of the list. */
export type ListPosition = [order: number, id: number]

// Without 0, 1, I and O, which are misread. With 32 letters, each random byte chooses all of them equally often.
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
// Random bytes are drawn for many references at once, because a call of the generator costs more than a reference.
const random = new Uint8Array(400 * referenceLength)
let unusedFrom = random.length

/** A phone number as E.164, without the separators that people write. */
export function normalizePhone(phone: string): string {
  return phone.replace(/[\s().-]/g, '')
}
