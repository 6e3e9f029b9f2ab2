/**
 * What the demo's owner did at the desk: a till that was closed with a little too little in it, one that is open, a sale
 * that is held while its customer decides, and a note on a booking.
 */
import { listUsers } from '../accounts/users/service.ts'
import { toActivityId } from '../catalogue/model.ts'
import { byUser } from '../events/actor.ts'
import { withoutRequest } from '../http/idempotent-request.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { runAgain } from '../platform/postgres/run-once.ts'
import { sellAtTill } from '../sales/basket/paying.ts'
import { createBasket } from '../sales/basket/service.ts'
import { writeNote } from '../sales/note/service.ts'
import { closeTill, openTill } from '../sales/till/service.ts'
import type { DemoTimeslot } from './queries.ts'
import { customers } from './scenery.ts'

/** @param slots on which there is room for four who walk in. */
export async function workAtDesk(sql: Sql, accountId: number, slots: readonly DemoTimeslot[]): Promise<void> {
  const [owner] = await listUsers(sql, accountId)
  const [slot] = slots
  if (!owner || !slot) return
  const user = { accountId, userId: owner.id, role: owner.role }
  const places = { ActivityID: toActivityId(slot.activity), Date: slot.date, Time: slot.time }
  const request = withoutRequest('demo', user)
  const sell = (participants: number, [FirstName, LastName]: readonly [string, string]) =>
    sellAtTill(sql, request, byUser(user), {
      ...places,
      Participants: participants,
      Customer: { FirstName, LastName },
      Payment: { Method: 'cash' },
    })
  const open = (Float: string) => runAgain(sql, (tx) => openTill(tx, user, { Currency: 'EUR', Float }))
  const { TillID } = await open('100.00')
  const { Total } = (await sell(1, customers[0])).answer
  const Counted = (100 + Number(Total?.Amount ?? 0) - 2).toFixed(2)
  const count = { Counted, Note: 'Gave 2 too much change to the first party.' }
  await runAgain(sql, (tx) => closeTill(tx, user, TillID, count))
  await open('80.00')
  const { BookingReference: reference } = (await sell(2, customers[1])).answer
  const note = 'Comes back each summer: the window seat, please.'
  await runAgain(sql, (tx) => writeNote(tx, { ...byUser(user), reference }, { note }))
  const [FirstName, LastName] = customers[2]
  await createBasket(sql, request, byUser(user), {
    Channel: 'pos',
    Lines: [{ ...places, Participants: 1 }],
    Customer: { FirstName, LastName, Phone: '+351912000333' },
  })
}
