/** All SQL of moving a timeslot to another date and time. */
import type { Transaction } from '../../../platform/postgres/database.ts'
import type { MadeTimeslot, TimeslotChange, TimeslotPlace } from '../events.ts'
import { returningChange } from '../queries.ts'

/** Makes a timeslot like a locked one at another date and time, where its product has none. */
export async function copyTimeslot(
  tx: Transaction,
  accountId: number,
  { id, date, time, startsAt }: { id: number; date: string; time: string; startsAt: string },
): Promise<MadeTimeslot> {
  const [made] = await tx<MadeTimeslot[]>`
    insert into timeslots (account_id, product_id, schedule_id, date, time, starts_at, opening_hours, closes_at,
      capacity, unit_prices, edited)
    select slot.account_id, slot.product_id, slot.schedule_id, ${date}::date, ${time}::time,
      ${startsAt}::text::timestamptz, slot.opening_hours,
      last_closing(${date}::date, slot.opening_hours, products.time_zone), slot.capacity, slot.unit_prices, true
    from timeslots as slot
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where slot.account_id = ${accountId} and slot.id = ${id}
    returning id, product_id as "productId", date, time, capacity`
  return made!
}

/** Makes a locked timeslot of the same product like another one, at the date and time that it has. */
export function takeOver(
  tx: Transaction,
  accountId: number,
  { id, targetId }: { id: number; targetId: number },
): Promise<TimeslotChange[]> {
  return tx<TimeslotChange[]>`
    update timeslots set schedule_id = moved.schedule_id, status = 'open', capacity = moved.capacity,
      opening_hours = moved.opening_hours,
      closes_at = last_closing(was.date, moved.opening_hours, products.time_zone),
      unit_prices = moved.unit_prices, edited = true
    from timeslots as was
    join timeslots as moved on moved.account_id = was.account_id and moved.id = ${id}
    join products on products.account_id = was.account_id and products.id = was.product_id
    where was.account_id = ${accountId} and was.id = ${targetId}
      and timeslots.account_id = was.account_id and timeslots.id = was.id
    ${returningChange(tx)}`
}

/** Deletes a locked timeslot that no schedule would make again and no booking names, ended ones included. */
export function deleteUnused(tx: Transaction, accountId: number, id: number): Promise<TimeslotPlace[]> {
  return tx<TimeslotPlace[]>`
    delete from timeslots as slot
    where slot.account_id = ${accountId} and slot.id = ${id} and slot.schedule_id is null and not exists (
      select from bookings where bookings.account_id = slot.account_id and bookings.timeslot_id = slot.id
    )
    returning slot.id, slot.product_id as "productId", slot.date, slot.time`
}
