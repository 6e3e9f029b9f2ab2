/** Pure rules of customers' personal data: what replaces it after an erasure. */
import { normalizePhone } from '../sales/booking/model.ts'

/**
 * Identifies a customer: by an e-mail address (case-insensitive), a phone number or a booking reference. A booking that matches
 * one of them is the customer's. There is no table of customers.
 */
export type CustomerIdentifier = { email: string | null; phone: string | null; reference: string | null }

export function toCustomerIdentifier({
  email,
  phone,
}: {
  email?: string | undefined
  phone?: string | undefined
}): CustomerIdentifier {
  return { email: email ?? null, phone: phone ? normalizePhone(phone) : null, reference: null }
}

/** The name of every erased customer, so that lists and manifests still show the party. */
export const erasedName = { firstName: 'Erased', lastName: 'Customer' }

/** Replaces the reason why an e-mail was not sent or failed. */
export const erasedReason = 'The customer was erased.'

const erasedFields: Record<string, unknown> = {
  Customer: { FirstName: erasedName.firstName, LastName: erasedName.lastName, Email: null, Phone: null },
  Contact: null,
  Answers: [],
  Reason: null,
  InternalNotes: null,
  To: null,
}

/**
 * Returns a copy of a stored response (of an idempotency key) without the customer's data. Every response
 * with a customer is about one booking, one basket or one waitlist entry, and so about one customer.
 */
export function eraseResponse(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(eraseResponse)
  if (typeof answer !== 'object' || answer === null) return answer
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      Object.hasOwn(erasedFields, name) ? erasedFields[name] : eraseResponse(value),
    ]),
  )
}
