/** Decides and writes refunds and set-offs of a sale when the price of one of its bookings changes. */
import { type Booking, type Bought, totalOf } from '../../../inventory/service.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { type Price, toMoney } from '../../../platform/text/money.ts'
import {
  decideRefunds,
  planSetOff,
  type RefundsToStore,
  type SetOff,
  storeRefunds,
  storeSetOff,
} from '../../ledger/deciding-refunds.ts'
import type { RefundChoiceRequest } from '../../ledger/refund-schemas.ts'
import type { Subject } from './locking.ts'

export type Difference = RefundsToStore & {
  setOff: SetOff
  /** The details for the history. */
  details: { Refund?: Price; SetOff?: Price; FromTotal?: Price; ToTotal?: Price }
}

/**
 * Decides the refunds and set-offs when the price of a locked booking changes to that of `bought`.
 * storeDifference() writes them after the booking is changed.
 * @throws Problem validation for an impossible refund.
 */
export async function decideDifference(
  tx: Transaction,
  booking: Booking,
  bought: Bought,
  { cause, refund }: { cause: 'moved' | 'amended'; refund: RefundChoiceRequest | undefined },
): Promise<Difference> {
  const { accountId, id, basketId, currency } = booking
  const [from, newTotalMinor] = [totalOf(booking), totalOf(bought)]
  const droppedMinor = from > newTotalMinor ? from - newTotalMinor : 0n
  const order = { request: refund, isOperatorsOwn: false }
  const drop = { booking, droppedMinor, newTotalMinor, cause }
  const { refunds, undecided, refundingOf, ledgers } = await decideRefunds(tx, accountId, [drop], order)
  const ledger = ledgers.get(basketId)
  const setOff = ledger ? planSetOff(ledger, newTotalMinor - from) : []
  const setOffMinor = setOff.reduce((sum, { partMinor }) => sum + partMinor, 0n)
  const details = {
    ...(from !== newTotalMinor && {
      FromTotal: toMoney(from, currency),
      ToTotal: toMoney(newTotalMinor, bought.currency),
    }),
    ...refundingOf(id).details,
    ...(setOffMinor > 0n && { SetOff: toMoney(setOffMinor, currency) }),
  }
  return { refunds, undecided, setOff, details }
}

/** Writes the decided refunds and set-offs, after the booking was changed. */
export async function storeDifference(tx: Transaction, subject: Subject, difference: Difference) {
  await storeRefunds(tx, subject, difference)
  await storeSetOff(tx, subject, difference.setOff)
}
