/** Phone numbers in forms and on pages, in the format of the account's country. */
import type { FastifyRequest } from 'fastify'
import { html, type Markup } from '../../http/pages.ts'
import { countryOfZone, isCountry, phoneText, readPhone } from '../../platform/text/phone.ts'
import type { Session } from '../frame/session.ts'

/** The country of the account, or that of its time zone. */
function countryOf({ user }: Session) {
  return user.country !== null && isCountry(user.country) ? user.country : countryOfZone(user.timeZone)
}

/** Converts the customer's phone number of a form to E.164, before the body is checked. */
export async function takePhone({ body, session }: FastifyRequest): Promise<void> {
  const { Customer } = body as { Customer?: { Phone?: string } }
  if (Customer?.Phone) Customer.Phone = readPhone(Customer.Phone, countryOf(session))
}

export function shownPhone(session: Session, phone: string): string {
  return phoneText(phone, countryOf(session))
}

/** A phone number as a link that calls it. */
export function phoneLink(session: Session, phone: string): Markup {
  return html`<a href="tel:${phone}">${shownPhone(session, phone)}</a>`
}

const example = 'for example +351 912 345 678'

/** The hint of a phone number's field. */
export function phoneHint(session: Session): string {
  const name = countryName(session)
  if (name === null) return `With + and the country code, ${example}`
  return `As it is dialled in ${name}; any other with + and the country code, ${example}`
}

/** The fault of a refused phone number. */
export function phoneFault(session: Session): string {
  const name = countryName(session)
  if (name === null) return `needs + and the country code, ${example}`
  return `is not a number of ${name}. Check its digits, or add + and the country code, ${example}`
}

function countryName(session: Session): string | null {
  const country = countryOf(session)
  return country && (new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country)
}
