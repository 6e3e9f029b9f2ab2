/** From a platform event to an entry, exactly once: with a wake-up, without one, and by many workers. */
import t from 'tap'
import { createEntryIds } from '../../../src/metering/ingest/recording.ts'
import { recordPlatformEvents, sweepPlatformEvents } from '../../../src/metering/store/platform-events.ts'
import { bookingBody, bookingPath, createDatabase, makeCaller, makeProduct } from '../../helper.ts'
import { until } from '../../until.ts'
import { buildUsage, everyDay, onBothStores } from '../fixtures.ts'

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
  // At once, whether or not a worker has been there.
  t.same((await summarize(everyDay)).summary.Meters, [
    { Meter: 'order-completed', TotalUsage: 5.5, EventCount: 4 },
  ])
  // Within a fraction of a second, by the wake-up; the schedule would take up to a minute.
  await until(async () => (await sql`select from platform_events where recorded_at is null`).length === 0)
  t.same((await summarize(everyDay)).summary.Meters, [
    { Meter: 'order-completed', TotalUsage: 5.5, EventCount: 4 },
  ])
  const entries = (await listEntries(everyDay)).json().data as { Usage: number; ExtraInfo: string }[]
  const baskets = await sql<{ id: number }[]>`select id from baskets`
  t.same(
    new Set(entries.filter(({ Usage }) => Usage === 1).map(({ ExtraInfo }) => ExtraInfo)),
    new Set(baskets.map(({ id }) => JSON.stringify({ BasketID: id }))),
  )
})

t.test('events are recorded once by several workers at once, and counted once all the while', async (t) => {
  const { sql, accountId, summarize } = await buildUsage(t, 'postgres', { workers: 0 })
  await sql`
    insert into platform_events (account_id, meter, extra_info)
    select ${accountId}, 'waitlist-notified', jsonb_build_object('WaitlistID', n, 'MultiBookingID', n)
    from generate_series(1, 3000) as n`
  let done = false
  const recording = Promise.all([1, 2, 3].map(() => recordPlatformEvents(sql, createEntryIds(sql))))
  recording.then(() => {
    done = true
  })
  while (!done) t.same((await summarize(everyDay)).summary.Totals, { Usage: 3000, Events: 3000 })
  const counts = await recording
  t.equal(
    counts.reduce((sum, count) => sum + count),
    3000,
  )
  t.same((await summarize(everyDay)).summary.Totals, { Usage: 3000, Events: 3000 })
})

t.test('an event that cannot be an entry is parked, and the others are recorded', async (t) => {
  const { sql, accountId, summarize } = await buildUsage(t, 'postgres', { workers: 0 })
  await sql`
    insert into platform_events (account_id, meter, extra_info)
    values (${accountId}, 'order-completed', jsonb_build_object('Long', repeat('x', 9000))),
      (${accountId}, 'order-completed', '{"BasketID": 1}')`
  t.equal(await recordPlatformEvents(sql, createEntryIds(sql)), 2)
  t.equal((await summarize(everyDay)).summary.Totals.Events, 1)
  t.equal((await sql`select from usage_rejects`).length, 1)
  t.equal(await recordPlatformEvents(sql, createEntryIds(sql)), 0)
})

t.test('events recorded 35 days ago are swept, and one that is not recorded never', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  await sql`
    insert into platform_events (account_id, meter, extra_info, occurred_at, recorded_at)
    select ${accountId}, 'order-completed', jsonb_build_object('BasketID', n), now() - interval '1 year',
      now() - days * interval '1 day'
    from unnest(array[36, 36, 36, 34, 0, null]) with ordinality as event (days, n)`
  t.equal(await sweepPlatformEvents(sql), 3)
  t.equal(await sweepPlatformEvents(sql), 0)
  t.same(
    (await sql`select extra_info from platform_events order by id`).map((event) => event.extra_info.BasketID),
    [4, 5, 6],
  )
})

t.test('an event occurred when it was written, not when its transaction began', async (t) => {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const late = await sql.begin(async (tx) => {
    await tx`select now()`
    const [event] = await tx`
      insert into platform_events (account_id, meter, extra_info) values (${accountId}, 'order-completed', '{}')
      returning occurred_at > now() as late`
    return event!.late
  })
  t.equal(late, true)
})
