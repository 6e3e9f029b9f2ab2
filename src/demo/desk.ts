/**
 * What the demo's owner does at the desk: closes two tills, one yesterday and one today, each 2.00 short;
 * opens a third till; sells with a deposit; holds a sale; and writes a note on a booking.
 */
import { listUsers } from '../accounts/users/service.ts'
import { byUser } from '../events/actor.ts'
import { withoutRequest } from '../http/idempotent-request.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { runAgain } from '../platform/postgres/run-once.ts'
import { sellAtTill } from '../sales/basket/paying.ts'
import { createBasket } from '../sales/basket/service.ts'
import type { TillPayment } from '../sales/basket/till-schemas.ts'
import { writeNote } from '../sales/note/service.ts'
import type { CloseTillRequest } from '../sales/till/schemas.ts'
import { closeTill, openTill } from '../sales/till/service.ts'
import { places } from './parties.ts'
import { type DemoTimeslot, moveToYesterday } from './queries.ts'
import { customers } from './scenery.ts'

/** @param slots only the first one is used. It needs at least five free places. */
export async function makeDemoDeskSales(
  sql: Sql,
  accountId: number,
  slots: readonly DemoTimeslot[],
): Promise<void> {
  const [owner] = await listUsers(sql, accountId)
  const [slot] = slots
  if (!owner || !slot) return
  const user = { accountId, userId: owner.id, role: owner.role }
  const request = withoutRequest('demo', user)
  const sell = (
    participants: number,
    [FirstName, LastName]: readonly [string, string],
    Payment: TillPayment = { Method: 'cash' },
    more: { Answers?: [] } = {},
  ) =>
    sellAtTill(sql, request, byUser(user), {
      ...places(slot, participants),
      Customer: { FirstName, LastName },
      Payment,
      ...more,
    })
  const open = (Float: string) => runAgain(sql, (tx) => openTill(tx, user, { Currency: 'EUR', Float }))
  const close = (id: number, count: CloseTillRequest) => runAgain(sql, (tx) => closeTill(tx, user, id, count))
  const { TillID: before } = await open('100.00')
  await close(before, { Counted: '98.00', Note: 'The parking meter: 2.00, the slip is in the till.' })
  await moveToYesterday(sql, accountId, before)
  const { TillID } = await open('100.00')
  const { Total } = (await sell(1, customers[0])).answer
  const Counted = (100 + Number(Total?.Amount ?? 0) - 2).toFixed(2)
  await close(TillID, { Counted, Note: 'Gave 2 too much change to the first party.' })
  await open('80.00')
  const { BookingReference: reference } = (await sell(2, customers[1])).answer
  const note = 'Comes back each summer: the window seat, please.'
  await runAgain(sql, (tx) => writeNote(tx, { ...byUser(user), reference }, { note }))
  // A booking without answers, so that there are open questions to show.
  await sell(1, customers[3], { Method: 'card', Amount: '10.00', Reference: 'T1-000482' }, { Answers: [] })
  const [FirstName, LastName] = customers[2]
  await createBasket(sql, request, byUser(user), {
    Channel: 'pos',
    Lines: [places(slot, 1)],
    Customer: { FirstName, LastName, Phone: '+351912000333' },
  })
}
