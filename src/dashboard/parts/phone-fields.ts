/** Phone numbers in forms and on pages, in the format of the account's country. */
import type { FastifyRequest } from 'fastify'
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import { countryOfZone, isCountry, phoneText, readPhone } from '../../platform/text/phone.ts'
import type { Session } from '../frame/session.ts'

/** The country of the account, or else the country of its time zone; null if neither is known. */
function countryOf({ user }: Session) {
  return user.country !== null && isCountry(user.country) ? user.country : countryOfZone(user.timeZone)
}

/**
 * Converts the customer's phone number of a form as readPhone() does, before the body is checked. A number
 * that cannot be converted stays as typed, and validation refuses it.
 */
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

/** The hint of a phone number's field. */
export function phoneHint(session: Session, t: Texts): string {
  const country = countryName(session, t)
  return country === null ? t.say('phone.with-code') : t.say('phone.as-in', { country })
}

/** The fault of a refused phone number. */
export function phoneFault(session: Session, t: Texts): string {
  const country = countryName(session, t)
  return country === null ? t.say('phone.needs-code') : t.say('phone.not-of', { country })
}

function countryName(session: Session, { language }: Texts): string | null {
  const country = countryOf(session)
  return country && (new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country)
}
