/** Phone numbers and e-mail addresses on customers' pages, as links that call and write. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import { phoneText } from '../../platform/text/phone.ts'
import type { Seller } from './queries.ts'

/** A link that calls a phone number. A number with + and country code is shown in international form. */
export function phoneLink(phone: string): Markup {
  return html`<a class="number" href="${phoneAddress(phone)}">${phoneText(phone, null)}</a>`
}

/** The address of a link that calls this number. */
export function phoneAddress(phone: string): string {
  return `tel:${phone.replace(/[^\d+]/g, '')}`
}

/**
 * The address of a link that writes to this e-mail address. It is encoded, so that the text cannot add
 * headers.
 */
export function mailAddress(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`
}

export function mailLink(email: string): Markup {
  return html`<a href="${mailAddress(email)}">${email}</a>`
}

// The lengths are limited, so that no text takes more than linear time.
const contacts = /(\+\d[\d ]{5,20}\d|[^\s@,;:<>()]{1,64}@[^\s@,;:<>()]{1,250}[^\s@,;:<>().])/

/** A text in which each international phone number and each e-mail address is a link. */
export function linkContacts(text: string): Markup {
  // The pattern has one group, so every second part is a match.
  const parts = text.split(contacts)
  return html`${parts.map((part, index) => {
    if (index % 2 === 0) return html`${part}`
    return part.includes('@') ? mailLink(part) : phoneLink(part)
  })}`
}

/**
 * Links to the seller's phone number and e-mail address, or else the contact of the payment settings; null if none is
 * set.
 */
export function askLinks({ phone, email, contact }: Seller): Markup | null {
  const links = [...(phone ? [phoneLink(phone)] : []), ...(email ? [mailLink(email)] : [])]
  if (links.length === 0) return contact ? linkContacts(contact) : null
  return html`${links.map((link, index) => html`${index > 0 ? ', ' : ''}${link}`)}`
}
