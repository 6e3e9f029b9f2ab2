/** What customers and receipts are told of who sells. Pure. */
import { html, type Markup } from '../../http/pages.ts'
import type { Seller } from './queries.ts'

/** Who sells, as the head of a receipt names it: name, legal name, address, tax number, phone and e-mail address. */
export function sellerLines(seller: Seller): string[] {
  const { name, legalName, addressLines, taxNumber, phone, email } = seller
  return [
    name,
    ...(legalName && legalName !== name ? [legalName] : []),
    ...addressLines,
    ...(taxNumber ? [`Tax number: ${taxNumber}`] : []),
    ...[phone, email].filter((line) => line !== null),
  ]
}

/** Where a customer asks: how to pay, if the operator said so, or else its phone and e-mail address; null for neither. */
export function contactOf({ contact, phone, email }: Seller): string | null {
  return contact ?? ([phone, email].filter((part) => part !== null).join(' or ') || null)
}

/** The end of a customer's page: whose it is, and where to ask. */
export function sellerFooter(seller: Seller): Markup {
  const { name, legalName, addressLines, phone, email, contact } = seller
  const first = legalName && legalName !== name ? `${name} (${legalName})` : name
  const dialled = phone?.replace(/[^\d+]/g, '')
  const lines = [
    html`<strong>${first}</strong>`,
    ...(addressLines.length > 0 ? [html`${addressLines.join(', ')}`] : []),
    ...(phone ? [html`<a href="tel:${dialled!}">${phone}</a>`] : []),
    ...(email ? [html`<a href="mailto:${email}">${email}</a>`] : []),
    // What the operator wrote may be these two.
    ...(contact && contact !== phone && contact !== email ? [html`${contact}`] : []),
  ]
  return html`<footer><p>${lines.map((line, index) => html`${index > 0 ? html`<br>\n` : ''}${line}`)}</p></footer>`
}
