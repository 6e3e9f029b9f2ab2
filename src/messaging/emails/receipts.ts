/**
 * The use case of sending a receipt: it queues an e-mail to the customer of a sale. The receipt is composed when
 * the worker sends the e-mail.
 */
import type { Authorship } from '../../events/actor.ts'
import { moneyProblems } from '../../http/money-problems.ts'
import { problems } from '../../http/problems.ts'
import { changeBookings } from '../../inventory/service.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { lockForMoney } from '../../sales/basket/locking.ts'
import { contactLineOf } from '../../sales/basket/model.ts'
import { readReceipt } from '../../sales/receipt/service.ts'
import { insertEmails } from './queries.ts'
import { noteQueued } from './queued.ts'

/**
 * Queues the receipt of a sale for its customer, and records that in the history of the booking that
 * contactLineOf() names.
 * @throws Problem not-found, no-receipt while nothing is paid, or no-email-address.
 */
export async function sendReceipt(
  tx: Transaction,
  { accountId, actor }: Authorship,
  basketId: number,
): Promise<void> {
  const { lines } = await lockForMoney(tx, accountId, basketId)
  if (!(await readReceipt(tx, accountId, basketId))) throw moneyProblems.noReceipt()
  const booking = contactLineOf(lines)!
  const email = {
    accountId,
    kind: 'receipt',
    bookingIds: [booking.id],
    details: { BasketID: basketId },
  } as const
  if ((await insertEmails(tx, email)) === 0) throw problems.noEmailAddress()
  await changeBookings(tx, actor, [{ booking, to: {}, action: 'receipt-sent' }])
  noteQueued(tx)
}
