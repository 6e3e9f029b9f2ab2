/** The texts about the seller on customers' pages, e-mails and receipts. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Price } from '../../platform/text/money.ts'
import { phoneText } from '../../platform/text/phone.ts'
import { mailLink, phoneLink } from './contact-links.ts'
import type { Seller } from './queries.ts'

/**
 * The lines at the head of a receipt: the seller's name, legal name, address, tax number, phone and e-mail
 * address.
 */
export function sellerLines(t: Texts, seller: Seller): string[] {
  const { name, legalName, addressLines, taxNumber, phone, email } = seller
  return [
    name,
    ...(legalName && legalName !== name ? [legalName] : []),
    ...addressLines,
    ...(taxNumber ? [t.say('seller.tax-number', { number: taxNumber })] : []),
    ...[phone && shownPhone(phone), email].filter((line) => line !== null),
  ]
}

/**
 * The contact for questions about payment: the contact of the payment settings, or else the phone number or
 * e-mail address of the seller; null if none is set.
 */
export function contactOf(t: Texts, { contact, phone, email }: Seller): string | null {
  return contact ?? (t.any([phone && shownPhone(phone), email].filter((part) => part !== null)) || null)
}

/** The sentence that explains how to pay an amount if the operator has no payment page. */
export function payWords(t: Texts, seller: Seller, due: Price): string {
  const contact = contactOf(t, seller)
  const values = { amount: t.money(due), seller: seller.name }
  return contact ? t.say('pay.desk-or-ask', { ...values, contact }) : t.say('pay.desk', values)
}

/** The sentence that tells customers whom to ask if they still want places. */
export function askWords(t: Texts, seller: Seller): string {
  const contact = contactOf(t, seller)
  if (!contact) return t.say('offer.ask', { seller: seller.name })
  return t.say('offer.ask-by', { seller: seller.name, contact })
}

/**
 * A phone number in international form: `+351 282 555 010`. A number without + and country code stays as it was typed.
 */
function shownPhone(phone: string): string {
  return phoneText(phone, null)
}

/** Whether the contact of the payment settings contains more than the seller's phone number and e-mail address. */
function saysMore(contact: string, { phone, email }: Seller): boolean {
  const digits = phone?.replace(/\D/g, '').split('').join('\\D*')
  const number = digits ? new RegExp(`\\+?\\D?${digits}`, 'g') : null
  const rest = contact.replaceAll(email ?? '\0', '').replaceAll(number ?? '\0', '')
  return /[\p{L}\d]/u.test(rest.replace(/\b(?:or|and|phone|e-?mail|call)\b/gi, ''))
}

/** The footer of a customer's page: the seller's name, address and contact data. */
export function sellerFooter(seller: Seller): Markup {
  const { name, legalName, addressLines, phone, email, contact } = seller
  const first = legalName && legalName !== name ? `${name} (${legalName})` : name
  const isNew = contact !== null && saysMore(contact, seller)
  const lines = [
    html`<strong>${first}</strong>`,
    ...(addressLines.length > 0 ? [html`${addressLines.join(', ')}`] : []),
    ...(phone ? [phoneLink(phone)] : []),
    ...(email ? [mailLink(email)] : []),
    ...(isNew ? [html`${contact}`] : []),
  ]
  return html`<footer><p>${lines.map((line, index) => html`${index > 0 ? html`<br>\n` : ''}${line}`)}</p></footer>`
}
