/** The data that resellers send about places that they hold. */
import type { Customer } from './queries.ts'

/** Contact data that only resellers send. */
export type ContactMore = {
  locales: string[]
  country: string | null
  postalCode: string | null
  notes: string | null
}

/**
 * The person of a booking or a ticket. An unknown field is null. In a change, a null field keeps its value if
 * the person stays the same, and an empty text removes the value (see same-person.ts).
 */
export type Contact = Customer & { more: ContactMore | null }

/** A ticket to make, with the reseller's data. */
export type HeldTicket = {
  unitId: number
  /** The reseller's id of the ticket. */
  uuid: string | null
  resellerReference: string | null
  contact: Contact | null
}

export type NewHold = {
  /**
   * The requested duration of the hold; null for the account's hold time. The hold never exceeds the
   * account's limit.
   */
  minutes: number | null
  /** The partner; 0 for a key without one. */
  resellerId: number
  uuid: string
  bodyHash: Buffer
  notes: string | null
  contact: ContactMore | null
  /** Whether the reseller wants this service to send e-mails to the customer. */
  emailReceipt: boolean
  /** At least one. */
  tickets: HeldTicket[]
}
