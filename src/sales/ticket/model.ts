/**
 * Pure rules of the ticket fields that people see and change. src/inventory/ has the rules that change
 * tickets when their booking changes.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Customer } from '../../inventory/service.ts'

/** The description of a ticket. If all fields of the contact are null, the ticket has no contact. */
export type TicketDescription = Customer & { resellerReference: string | null }

/** Whether text has the form of a ticket ID. A scanner may read any text. */
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

/**
 * The wire names of the fields that differ. The history stores these names, and not the values, which are personal
 * data.
 */
export function changedTicketFields(from: TicketDescription, to: TicketDescription): string[] {
  const keys = Object.keys(fieldNames) as (keyof TicketDescription)[]
  return keys.filter((key) => !isDeepStrictEqual(from[key], to[key])).map((key) => fieldNames[key])
}
