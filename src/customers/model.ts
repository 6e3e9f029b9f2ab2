/** Pure rules of customers' personal data: what stands in its place once it is erased. */
import { normalizePhone } from '../sales/booking/model.ts'

/**
 * How a customer is known: a booking is theirs that has this address, in any case, or this number, or is this one.
 * There is no other record of a customer.
 */
export type Who = { email: string | null; phone: string | null; reference: string | null }

export function toWho({ email, phone }: { email?: string | undefined; phone?: string | undefined }): Who {
  return { email: email ?? null, phone: phone ? normalizePhone(phone) : null, reference: null }
}

/** The name that every erased customer has: lists and manifests go on showing a party. */
export const erasedName = { firstName: 'Erased', lastName: 'Customer' }

/** Why an e-mail was not sent, or nobody knows any more why it failed. */
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
 * An answer as it is kept for an idempotency key, without what it tells of its customer. Every answer that has a
 * customer is about one booking, one basket or one waitlist entry, so about one customer.
 */
export function eraseAnswer(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(eraseAnswer)
  if (typeof answer !== 'object' || answer === null) return answer
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      Object.hasOwn(erasedFields, name) ? erasedFields[name] : eraseAnswer(value),
    ]),
  )
}
