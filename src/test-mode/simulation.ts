/** The responses that a partner can request in test mode, by the e-mail address of the customer. Pure. */

/** The simulated cases, by the part of the address before the `@`. docs/going-live.md describes them for partners. */
export const simulations = {
  'sold-out': 'The last places are sold between the check of availability and the booking.',
  'timeslot-closed': 'The operator closes the timeslot in the meantime.',
  'product-gone': 'The product leaves the shopfront in the meantime.',
  slow: 'The booking is made, but only after five seconds.',
  error: 'The service fails, and nothing is booked.',
  unavailable: 'The service is unavailable, with a Retry-After of two seconds, and nothing is booked.',
  'answer-lost': 'The booking is made, and the connection ends before its response.',
} as const
export type SimulatedCase = keyof typeof simulations

export const slowSeconds = 5
export const unavailableSeconds = 2

// No mailbox can have such an address: RFC 2606 reserves `.test`.
const domain = '@simulated.test'

export const simulatedAddresses = Object.keys(simulations).map((name) => `${name}${domain}`)

/**
 * The case that an address requests; null for an ordinary address, and `unknown` for any other address at
 * `simulated.test`.
 */
export function simulationOf(email: string): SimulatedCase | 'unknown' | null {
  const address = email.toLowerCase()
  if (!address.endsWith(domain)) return null
  const name = address.slice(0, -domain.length)
  return Object.hasOwn(simulations, name) ? (name as SimulatedCase) : 'unknown'
}
