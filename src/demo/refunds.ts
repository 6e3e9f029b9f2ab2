/**
 * Refunds of the demo, for its pages about reports, refunds and the till: refund terms of every product, and
 * three cancelled sales. The payment of the first is paid back, that of the second is kept, and half of the
 * third is still to be paid back. The party of a fourth sale is a no-show.
 */
import type { Caller } from '../accounts/service.ts'
import { listProducts } from '../catalogue/products/service.ts'
import { readRefundTerms, replaceRefundTerms } from '../catalogue/refund-terms/service.ts'
import { byKey, keyActor } from '../events/actor.ts'
import { withoutRequest } from '../http/idempotent-request.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { runAgain } from '../platform/postgres/run-once.ts'
import { toAmount, toExactMinorUnits } from '../platform/text/money.ts'
import { sellAtTill } from '../sales/basket/paying.ts'
import { cancelBooking, recordAttendance } from '../sales/booking/changes/service.ts'
import { browseRefunds, payBack } from '../sales/ledger/paying-back.ts'
import { nextCustomer, places } from './parties.ts'
import type { DemoTimeslot } from './queries.ts'

const terms = [
  { Percent: '100', HoursBefore: 48 },
  { Percent: '50', HoursBefore: 24 },
]

/** Sets refund terms for every product that has none. Some have terms from the catalogue file. */
export async function agreeRefundTerms(sql: Sql, operator: Caller): Promise<void> {
  const { accountId } = operator
  for (const { id: productId } of await listProducts(sql, accountId, {}))
    if ((await readRefundTerms(sql, accountId, productId)).length === 0)
      await runAgain(sql, (tx) => replaceRefundTerms(tx, byKey(operator), { productId, terms }))
}

/** @param slot a timeslot with a free place. Each sale but the last is cancelled before the next one. */
export async function refundSome(sql: Sql, operator: Caller, slot: DemoTimeslot): Promise<void> {
  const { accountId } = operator
  const request = withoutRequest('demo', operator)
  const sell = async (Reference: string) => {
    const { answer } = await sellAtTill(sql, request, byKey(operator), {
      ...places(slot, 1),
      Customer: nextCustomer(),
      Payment: { Method: 'card', Reference },
    })
    const { BookingReference: reference, Total } = answer
    return { subject: { accountId, reference, actor: keyActor(operator) }, total: Total! }
  }
  const cancel = (subject: Awaited<ReturnType<typeof sell>>['subject'], reason: string, refund: object) =>
    cancelBooking(sql, request, subject, { by: 'operator', override: true, reason, refund })

  const paidBack = await sell('T1-000483')
  await cancel(paidBack.subject, 'Booked the wrong day.', { Choice: 'full' })
  const { refunds } = await browseRefunds(sql, accountId, {})
  for (const { RefundID } of refunds)
    if (RefundID !== null)
      await payBack(sql, request, byKey(operator), { refundId: RefundID, paid: { Method: 'card' } })
  await cancel((await sell('T1-000484')).subject, 'Came too late.', { Choice: 'none' })
  const { subject, total } = await sell('T1-000486')
  const half = toAmount(toExactMinorUnits(total.Amount, total.Currency)! / 2n, total.Currency)
  await cancel(subject, 'Missed the ferry.', { Amount: half })
  // This customer neither came nor cancelled.
  const absent = await sell('T1-000485')
  await recordAttendance(sql, request, absent.subject, { attendance: 'no-show' })
}
