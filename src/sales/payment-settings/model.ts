/** Pure rules of the operator's own payment page: its address has placeholders for what is to be paid. */
import type { Price } from '../../platform/text/money.ts'

const placeholders = ['BasketID', 'Amount', 'Currency', 'ReturnURL'] as const

/** What stands for the placeholders. */
export type PaymentPageValues = Price & { BasketID: number; ReturnURL: string }

/** What is wrong with the address of a payment page; null when nothing is. */
export function checkPaymentPage(template: string): string | null {
  const names: readonly string[] = placeholders
  const given = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!)
  const unknown = given.find((name) => !names.includes(name))
  if (unknown !== undefined || /[{}]/.test(template.replace(/\{[^{}]*\}/g, '')))
    return `may only have the placeholders ${names.map((name) => `{${name}}`).join(', ')}`
  if (!given.includes('BasketID')) return 'must have the placeholder {BasketID}, which tells payments apart'
  const [one, other] = ['1', '2'].map((value) => hostOf(template.replace(/\{[^{}]*\}/g, value)))
  if (!one || /[^\x21-\x7e]/.test(template))
    return 'must be a whole https address, without a user name or spaces'
  return one === other ? null : 'must have its placeholders behind the name of the server'
}

/** The host of an https address that is written as such and has no user in it; null for any other text. */
function hostOf(text: string): string | null {
  const url = /^https:\/\/[^/\\]/.test(text) && URL.canParse(text) ? new URL(text) : null
  return url && !url.username && !url.password ? url.host : null
}

/** The address to which a customer is sent. */
export function paymentPageUrl(template: string, values: PaymentPageValues): string {
  return template.replace(/\{(\w+)\}/g, (_, name: keyof PaymentPageValues) =>
    encodeURIComponent(String(values[name])),
  )
}
