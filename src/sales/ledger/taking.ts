/** Takes a payment of a completed sale, up to its balance. */
import type { Authorship } from '../../events/actor.ts'
import { moneyProblems } from '../../http/money-problems.ts'
import { problems } from '../../http/problems.ts'
import type { LockedBasket } from '../../inventory/service.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { toExactMinorUnits, toMoney } from '../../platform/text/money.ts'
import type { PaymentRequest } from './schemas.ts'
import { addPayment, openLedger } from './service.ts'

/**
 * Takes a payment of a locked sale.
 * @throws Problem nothing-to-pay, also for a basket that is not completed; validation for an amount that is
 *   0, above the balance or not valid in the currency, and as addPayment().
 */
export async function takePayment(
  tx: Transaction,
  by: Authorship,
  locked: LockedBasket,
  { Method: method, Amount, Reference }: PaymentRequest,
): Promise<void> {
  const { id: basketId, status } = locked.basket
  const ledger = status === 'completed' ? await openLedger(tx, by.accountId, locked) : null
  if (!ledger || ledger.balance <= 0n) throw moneyProblems.nothingToPay(status)
  const { balance, currency } = ledger
  const amountMinor = toExactMinorUnits(Amount, currency)
  const most = toMoney(balance, currency).Amount
  if (amountMinor === null) throw refused(`must be an amount of ${currency}`)
  if (amountMinor === 0n) throw refused('must be above 0')
  if (amountMinor > balance) throw refused(`must be at most the balance, ${most} ${currency}`)
  await addPayment(tx, by, { basketId, method, amountMinor, currency, reference: Reference ?? null })
}

function refused(message: string): Error {
  return problems.validation([{ field: 'Amount', message }])
}
