/** What is paid of a sale when it is completed: all of it, a part, or nothing yet. */
import type { Authorship } from '../../events/actor.ts'
import { problems } from '../../http/problems.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { toExactMinorUnits, toMoney } from '../../platform/text/money.ts'
import { addPayment } from '../ledger/service.ts'
import type { Total } from './model.ts'
import type { Payment } from './queries.ts'
import type { TillPayment } from './till-schemas.ts'

/** What is paid when a sale is completed. */
export type FirstPayment = Payment & {
  /** 0 where the customer pays later, or the sale costs nothing. */
  minor: bigint
  currency: string
  /** The provider's event that told of it. */
  eventId?: string
}

/**
 * What is paid at the till: all of it, unless an amount is given.
 * @param field of the amount.
 * @throws Problem validation for more than the total.
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

/** What a basket keeps of how it was paid; nothing where the customer pays later. */
export function keptOf({ method, reference, minor }: FirstPayment, total: bigint): Payment | null {
  return minor === 0n && total > 0n ? null : { method, reference }
}

/** Writes down what was paid of a locked sale that is completed. */
export async function addFirstPayment(tx: Transaction, by: Authorship, basketId: number, paid: FirstPayment) {
  const { minor: amountMinor, method, reference, currency, eventId } = paid
  if (amountMinor > 0n)
    await addPayment(tx, by, { basketId, method, amountMinor, currency, reference, eventId })
}
