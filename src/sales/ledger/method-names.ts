/** How money was paid, in words. Pure. */
import type { PaymentMethod } from './queries.ts'

export const methodNames: Readonly<Record<PaymentMethod, string>> = {
  online: 'Online',
  cash: 'Cash',
  card: 'Card',
  transfer: 'Bank transfer',
}

/** The name within a sentence: `bank transfer`. */
export function methodText(method: PaymentMethod): string {
  return methodNames[method].toLowerCase()
}
