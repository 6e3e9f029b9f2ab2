/** The payment that is made when a sale is completed: the whole total, a part of it, or nothing. */
import type { Authorship } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { toExactMinorUnits, toMoney } from '../../platform/text/money.ts'
import { addPayment } from '../ledger/service.ts'
import type { Total } from './model.ts'
import type { Payment } from './queries.ts'
import type { TillPayment } from './till-schemas.ts'

/** The payment at the completion of a sale. */
export type FirstPayment = Payment & {
  /** 0 if the customer pays later, or if the sale costs nothing. */
  minor: bigint
  currency: string
  /** The provider's event of this payment. */
  eventId?: string
}

/**
 * The payment at the till: the total, unless an amount is given.
 * @param field the name of the field with the amount.
 * @throws Problem validation for more than the total, and for a text that is not an amount in the currency of
 *   the sale.
 */
export function readPayment(
  { Method, Reference, Amount }: TillPayment,
  total: Total,
  field: string,
): FirstPayment {
  const { currency } = total
  const minor = Amount === undefined ? total.minor : toExactMinorUnits(Amount, currency)
  const common = { method: Method, reference: Reference ?? null, currency }
  if (minor !== null && minor <= total.minor) return { ...common, minor }
  const most = toMoney(total.minor, currency)
  const message =
    minor === null
      ? `must be an amount of ${currency}`
      : `must be at most the total, ${most.Amount} ${currency}`
  throw problems.validation([{ field, message }])
}

/** The payment data that a basket stores; null if the customer pays later. @param total in minor units. */
export function toStoredPayment({ method, reference, minor }: FirstPayment, total: bigint): Payment | null {
  return minor === 0n && total > 0n ? null : { method, reference }
}

/** Writes the payment of a locked sale that is being completed, if the amount is not 0. */
export async function addFirstPayment(tx: Transaction, by: Authorship, basketId: number, paid: FirstPayment) {
  const { minor: amountMinor, method, reference, currency, eventId } = paid
  if (amountMinor > 0n)
    await addPayment(tx, by, { basketId, method, amountMinor, currency, reference, eventId })
}
