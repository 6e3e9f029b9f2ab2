/** The tills of the demo's owner: one that was closed with a little too little in it, and one that is open. */
import { listUsers } from '../accounts/users/service.ts'
import { toActivityId } from '../catalogue/model.ts'
import { byUser } from '../events/actor.ts'
import { withoutRequest } from '../http/idempotent-request.ts'
import type { Sql } from '../platform/postgres/database.ts'
import { runAgain } from '../platform/postgres/run-once.ts'
import { sellAtTill } from '../sales/basket/paying.ts'
import { closeTill, openTill } from '../sales/till/service.ts'
import type { DemoTimeslot } from './queries.ts'
import { customers } from './scenery.ts'

/** @param slots on which there is room for somebody who walks in. */
export async function keepTills(sql: Sql, accountId: number, slots: readonly DemoTimeslot[]): Promise<void> {
  const [owner] = await listUsers(sql, accountId)
  const [slot] = slots
  if (!owner || !slot) return
  const user = { accountId, userId: owner.id, role: owner.role }
  const sell = (participants: number, [FirstName, LastName]: readonly [string, string]) =>
    sellAtTill(sql, withoutRequest('demo', user), byUser(user), {
      ...{ ActivityID: toActivityId(slot.activity), Date: slot.date, Time: slot.time },
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
  await sell(2, customers[1])
}
