/**
 * Pure rules of changing a booking: which changes a status allows, and which fields a change of the customer
 * affects.
 */
import { isDeepStrictEqual } from 'node:util'
import type { BookingStatus } from '../../../inventory/model.ts'

/**
 * The statuses that allow each change. A held booking cannot be moved or amended here. changeLine() changes its
 * line in the basket instead.
 */
export const changeable = {
  cancel: ['held', 'waitlisted', 'confirmed'],
  move: ['confirmed'],
  amend: ['confirmed'],
  attend: ['confirmed'],
  ticket: ['confirmed'],
  remind: ['confirmed'],
  describe: ['held', 'waitlisted', 'confirmed'],
} as const satisfies Record<string, readonly BookingStatus[]>

export type BookingOperation = keyof typeof changeable

export function allows(status: BookingStatus, change: BookingOperation): boolean {
  const statuses: readonly BookingStatus[] = changeable[change]
  return statuses.includes(status)
}

/** The description of a booking: its customer and its answers. */
export type BookingDescription = {
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  answers: { QuestionID: number; Value: string | string[] }[]
}

const fieldNames = {
  firstName: 'Customer.FirstName',
  lastName: 'Customer.LastName',
  email: 'Customer.Email',
  phone: 'Customer.Phone',
  answers: 'Answers',
} as const

/**
 * The wire names of the fields that differ. The history stores these names, and not the personal data in the fields.
 */
export function changedFields(from: BookingDescription, to: BookingDescription): string[] {
  const keys = Object.keys(fieldNames) as (keyof BookingDescription)[]
  return keys.filter((key) => !isDeepStrictEqual(from[key], to[key])).map((key) => fieldNames[key])
}
