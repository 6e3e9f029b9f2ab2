/** Converts the customer in a request to the customer that a booking stores. */
import type { Customer } from '../../inventory/service.ts'
import { normalizePhone } from './model.ts'

export type CustomerFields = {
  FirstName?: string | undefined
  LastName?: string | undefined
  Email?: string | undefined
  Phone?: string | undefined
}

const unknownCustomer: Customer = { firstName: null, lastName: null, email: null, phone: null }

/** The known customer, changed by the fields in the request. The separators in a phone number are removed. */
export function toCustomer(request: CustomerFields | undefined, known: Customer = unknownCustomer): Customer {
  const { FirstName, LastName, Email, Phone } = request ?? {}
  return {
    firstName: FirstName ?? known.firstName,
    lastName: LastName ?? known.lastName,
    email: Email ?? known.email,
    phone: Phone === undefined ? known.phone : normalizePhone(Phone),
  }
}
