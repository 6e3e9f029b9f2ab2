/** Pure rules of tickets as people see and change them. What a booking's changes do to them is src/inventory's. */
import { isDeepStrictEqual } from 'node:util'
import type { Customer } from '../../inventory/service.ts'

/** What describes a ticket; a contact of whom nothing is known is none. */
export type TicketDescription = Customer & { resellerReference: string | null }

/** An id that can be one of a ticket: a scanner may read any text. */
export function isTicketId(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

const fieldNames = {
  firstName: 'Contact.FirstName',
  lastName: 'Contact.LastName',
  email: 'Contact.Email',
  phone: 'Contact.Phone',
  resellerReference: 'ResellerReference',
} as const

/** The names, as on the wire, of what differs: all that a history keeps of personal data. */
export function changedTicketFields(from: TicketDescription, to: TicketDescription): string[] {
  const keys = Object.keys(fieldNames) as (keyof TicketDescription)[]
  return keys.filter((key) => !isDeepStrictEqual(from[key], to[key])).map((key) => fieldNames[key])
}
