/** Pure rules of customers' personal data: what replaces it after an erasure. */
import { normalizePhone } from '../sales/booking/model.ts'

/**
 * Identifies a customer: by an e-mail address (case-insensitive), a phone number or a booking reference. A
 * booking that matches one of them is the customer's. There is no table of customers.
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
  Notes: null,
  InternalNotes: null,
  To: null,
}

// In an object that has a `Customer`, these fields are about that customer.
const aboutCustomer: ReadonlySet<string> = new Set(['Answers', 'Reason', 'Notes', 'InternalNotes'])

/**
 * Returns a copy of a stored response (of an idempotency key) without any customer's data. Nearly every
 * response with a customer is about one booking, one basket or one waitlist entry, and so about one customer.
 */
export function eraseResponse(answer: unknown): unknown {
  return eraseFields(answer, () => true)
}

/**
 * Returns a copy of a stored response without the data of this person, who may be in it as the customer of a
 * booking, as the contact of a ticket, or as the recipient of an e-mail. The data of others stays.
 */
export function eraseFromResponse(answer: unknown, who: CustomerIdentifier): unknown {
  return eraseFields(answer, (value) => isOf(value, who))
}

function eraseFields(answer: unknown, isErased: (value: unknown) => boolean): unknown {
  if (Array.isArray(answer)) return answer.map((item) => eraseFields(item, isErased))
  if (typeof answer !== 'object' || answer === null) return answer
  const isTheirs = isErased((answer as { Customer?: unknown }).Customer)
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      Object.hasOwn(erasedFields, name) && (isErased(value) || (isTheirs && aboutCustomer.has(name)))
        ? erasedFields[name]
        : eraseFields(value, isErased),
    ]),
  )
}

/** Whether a value is the customer's e-mail address, or an object with their address or phone number. */
function isOf(value: unknown, { email, phone }: CustomerIdentifier): boolean {
  const isAddress = (text: unknown) =>
    email !== null && typeof text === 'string' && text.toLowerCase() === email.toLowerCase()
  if (typeof value !== 'object' || value === null) return isAddress(value)
  const { Email, Phone } = value as { Email?: unknown; Phone?: unknown }
  return isAddress(Email) || (phone !== null && Phone === phone)
}
