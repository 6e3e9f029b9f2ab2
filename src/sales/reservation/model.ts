/** What resellers say of a reservation, and its pure rules. */
import type { Customer } from '../../inventory/service.ts'

/** Whom a booking or a ticket is for, as far as it is known. */
export type Contact = Customer & { more: ContactMore | null }

/** What only resellers tell of a contact. */
export type ContactMore = {
  locales: string[]
  country: string | null
  postalCode: string | null
  notes: string | null
}

/** One unit that is asked for, of the default unit where the product has none. What is undefined stays as it is. */
export type Item = {
  unitId: number
  /** By which the reseller knows its ticket; null for one that it has no name for. */
  uuid: string | null
  resellerReference?: string | null
  contact?: Contact
}
