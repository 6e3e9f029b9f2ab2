/** What resellers say of places that they hold. */
import type { Customer } from './queries.ts'

/** What only resellers tell of a contact. */
export type ContactMore = {
  locales: string[]
  country: string | null
  postalCode: string | null
  notes: string | null
}

/** Whom a booking or a ticket is for, as far as it is known. In a change, null stays as it is, and an empty text takes away what stood. */
export type Contact = Customer & { more: ContactMore | null }

/** A ticket to be made, by the reseller's words. */
export type HeldTicket = {
  unitId: number
  /** By which the reseller knows it. */
  uuid: string | null
  resellerReference: string | null
  contact: Contact | null
}

export type NewHold = {
  /** How long at most; null for as long as the account says. */
  minutes: number | null
  /** The partner; 0 for a key without one. */
  resellerId: number
  uuid: string
  bodyHash: Buffer
  notes: string | null
  contact: ContactMore | null
  /** Whether the operator's workflows may write to the customer. */
  emailReceipt: boolean
  /** At least one. */
  tickets: HeldTicket[]
}
