/**
 * Pure rules of the operator's payment page: an address with placeholders for the basket, the amount, the
 * currency and the return address.
 */
import type { Price } from '../../platform/text/money.ts'

const placeholders = ['BasketID', 'Amount', 'Currency', 'ReturnURL'] as const

/** The values that replace the placeholders. */
export type PaymentPageValues = Price & { BasketID: number; ReturnURL: string }

/** The error in the address of a payment page; null for a valid address. */
export function checkPaymentPage(template: string): string | null {
  const names: readonly string[] = placeholders
  const given = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!)
  const unknown = given.find((name) => !names.includes(name))
  if (unknown !== undefined || /[{}]/.test(template.replace(/\{[^{}]*\}/g, '')))
    return `may only have the placeholders ${names.map((name) => `{${name}}`).join(', ')}`
  if (!given.includes('BasketID')) return 'must have the placeholder {BasketID}, which identifies the payment'
  const [one, other] = ['1', '2'].map((value) => hostOf(template.replace(/\{[^{}]*\}/g, value)))
  if (!one || /[^\x21-\x7e]/.test(template))
    return 'must be a complete https address, without a user name or spaces'
  return one === other ? null : 'must have its placeholders after the host name'
}

/**
 * The host of an address that begins with `https://` and contains no user name or password; null for any other text.
 */
function hostOf(text: string): string | null {
  const url = /^https:\/\/[^/\\]/.test(text) && URL.canParse(text) ? new URL(text) : null
  return url && !url.username && !url.password ? url.host : null
}

/** Replaces the placeholders in the address of the payment page. */
export function paymentPageUrl(template: string, values: PaymentPageValues): string {
  return template.replace(/\{(\w+)\}/g, (_, name: keyof PaymentPageValues) =>
    encodeURIComponent(String(values[name])),
  )
}
