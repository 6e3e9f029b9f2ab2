/**
 * From an event to an entry of a built-in meter, exactly once: with a wake-up, without one, and with several
 * pumps at once.
 */
import t from 'tap'
import { theService } from '../../../src/events/actor.ts'
import { appendEvents } from '../../../src/events/append.ts'
import type { NewEvent } from '../../../src/events/event.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { bookingBody, bookingPath, makeCaller, makeProduct } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'
import { until } from '../../until.ts'
import { buildUsage, everyDay, onBothStores } from '../fixtures.ts'

const isCounted = async (sql: Sql) => (await sql`select from events where number is null`).length === 0

await onBothStores('a booking is metered once as order-completed, with its BasketID', async (t, store) => {
  const { app, sql, accountId, summarize, listEntries, record } = await buildUsage(t, store)
  const { headers } = await makeCaller(sql, { scopes: ['ota'] })
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 50 } })
  await record({ Meter: 'order-completed', Usage: 2.5 })
  const book = (key: string) =>
    app.inject({
      method: 'POST',
      url: bookingPath,
      headers: { ...headers, 'idempotency-key': key },
      payload: bookingBody(activityId),
    })
  for (const key of ['a', 'b', 'c', 'a']) t.equal((await book(key)).statusCode, 201)
  // Summaries count the events at once, even if no worker has stored their entries yet.
  t.same((await summarize(everyDay)).summary.Meters, [
    { Meter: 'order-completed', TotalUsage: 5.5, EventCount: 4 },
  ])
  // The worker stores them within a fraction of a second after the wake-up; the schedule would take up to a minute.
  await until(() => isCounted(sql))
  t.same((await summarize(everyDay)).summary.Meters, [
    { Meter: 'order-completed', TotalUsage: 5.5, EventCount: 4 },
  ])
  const entries = (await listEntries(everyDay)).json().data as { Usage: number; ExtraInfo: string }[]
  const baskets = await sql<{ id: number }[]>`select basket_id as id from bookings`
  t.same(
    new Set(entries.filter(({ Usage }) => Usage === 1).map(({ ExtraInfo }) => ExtraInfo)),
    new Set(baskets.map(({ id }) => JSON.stringify({ BasketID: id }))),
  )
})

const offerSent = (accountId: number, id: number): NewEvent => ({
  ...{ accountId, actor: theService, waitlistEntryId: id, emailId: id },
  type: 'email.sent',
  details: { Kind: 'waitlist-offer', BookingID: id },
})

t.test(
  'events are counted once by several pumps at the same time, and by every summary in between',
  async (t) => {
    const { sql, accountId, summarize } = await buildUsage(t, 'postgres', { workers: 0 })
    const ids = Array.from({ length: 3000 }, (_, index) => index + 1)
    await sql.begin((tx) =>
      appendEvents(
        tx,
        ids.map((id) => offerSent(accountId, id)),
      ),
    )
    let done = false
    const counting = Promise.all([1, 2, 3].map(() => pumpEvents(sql)))
    counting.finally(() => {
      done = true
    })
    while (!done) t.same((await summarize(everyDay)).summary.Totals, { Usage: 3000, Events: 3000 })
    const counts = await counting
    t.equal(
      counts.reduce((sum, count) => sum + count),
      3000,
    )
    t.same((await summarize(everyDay)).summary.Totals, { Usage: 3000, Events: 3000 })
    t.match(await sql`select extra_info from meter_entries order by id limit 1`, [
      { extra_info: '{"WaitlistID":1,"MultiBookingID":1}' },
    ])
  },
)

t.test('a rejected entry of an event is set aside, and the other events are counted', async (t) => {
  const { sql, accountId, summarize } = await buildUsage(t, 'postgres', { workers: 0 })
  await sql.begin((tx) => appendEvents(tx, [offerSent(accountId, 1), offerSent(accountId, 2)]))
  // Longer than ExtraInfo may be.
  await sql`
    update events set details = details || jsonb_build_object('BookingID', repeat('x', 9000)) where email_id = 1`
  t.equal(await pumpEvents(sql), 2)
  t.equal((await summarize(everyDay)).summary.Totals.Events, 1)
  t.equal((await sql`select from usage_rejects`).length, 1)
  t.equal(await pumpEvents(sql), 0)
})

t.test('an event that no meter counts is not usage', async (t) => {
  const { sql, accountId, summarize } = await buildUsage(t, 'postgres', { workers: 0 })
  const by = { accountId, actor: theService }
  await sql.begin((tx) =>
    appendEvents(tx, [
      { ...by, type: 'basket.opened', basketId: 1, details: {} },
      // This booking is metered with its basket, when the basket is completed.
      { ...by, type: 'booking.confirmed', bookingId: 1, basketId: 1, details: {} },
      { ...by, type: 'email.sent', emailId: 1, details: { Kind: 'closure', BookingID: 1 } },
    ]),
  )
  t.equal((await summarize(everyDay)).summary.Totals.Events, 0)
  t.equal(await pumpEvents(sql), 3)
  t.equal((await summarize(everyDay)).summary.Totals.Events, 0)
})
