/** A delay of one account's log delays no other account, and an unrelated transaction delays no log. */
import t from 'tap'
import { theService } from '../../src/events/actor.ts'
import { appendEvents } from '../../src/events/append.ts'
import type { NewEvent } from '../../src/events/event.ts'
import { createPump, type EventConsumer } from '../../src/events/pump/pump.ts'
import { eventConsumers } from '../../workers/consumers.ts'
import { holdOpen, log, openLog } from './log.ts'

t.test('an account with a long backlog gives way to others after 2,000 events', async (t) => {
  const { sql, accountId, append, numbered } = await openLog(t)
  const postponed: number[][] = []
  const run = createPump({ sql, log, consumers: [], postponed: (ids) => postponed.push(ids) })
  await sql.begin((tx) => append(tx, ...Array.from({ length: 2100 }, (_, index) => index + 1)))
  t.equal(await run([accountId]), 2000)
  t.same(postponed, [[accountId]])
  t.equal(await run([accountId]), 100)
  t.equal(postponed.length, 1)
  t.equal((await numbered()).length, 2100)
})

t.test('an open transaction that writes no events, or is in another database, delays nothing', async (t) => {
  const { sql, url, append, pump, numbered, lowestId } = await openLog(t)
  const elsewhere = new URL(url)
  elsewhere.pathname = '/postgres'
  const ends = [
    await holdOpen(t, url, (tx) => tx`update accounts set name = name`),
    await holdOpen(t, elsewhere.href, (tx) => tx`select pg_current_xact_id()`),
  ]
  for (const id of [1, 2, 3]) {
    await sql.begin((tx) => append(tx, id))
    t.equal(await pump(), 1)
    t.equal(await lowestId(), id + 1)
  }
  t.same(await numbered(), [1, 2, 3])
  for (const end of ends) await end('rollback')
})

t.test(
  'an account whose counter is locked by another transaction delays no other account, and is tried again',
  async (t) => {
    const { sql, url, accountId, other, event, numbered } = await openLog(t)
    const postponed: number[][] = []
    const run = createPump({ sql, log, consumers: [], postponed: (ids) => postponed.push(ids) })
    await sql.begin((tx) => appendEvents(tx, [event(1), event(2, other)]))
    await run()
    await sql.begin((tx) => appendEvents(tx, [event(3), event(4, other)]))
    const end = await holdOpen(
      t,
      url,
      (tx) => tx`select from event_counters where account_id = ${accountId} for update`,
    )
    t.equal(await run(), 1)
    t.same(postponed, [[accountId]])
    t.same(await numbered(other), [2, 4])
    await end('rollback')
    t.equal(await run([accountId]), 1)
    t.same(await numbered(), [1, 3])
  },
)

t.test('a total that another transaction locks delays only the account of that total', async (t) => {
  const { sql, url, accountId, other, numbered } = await openLog(t)
  const sold = (account: number): NewEvent => ({
    ...{ accountId: account, actor: theService, basketId: account },
    type: 'basket.completed',
    details: {},
  })
  const postponed: number[][] = []
  const consumers = eventConsumers(sql)
  const run = createPump({ sql, log, consumers, postponed: (ids) => postponed.push(ids) })
  await sql.begin((tx) => appendEvents(tx, [sold(accountId), sold(other)]))
  await run()
  await sql.begin((tx) => appendEvents(tx, [sold(accountId), sold(other)]))
  const end = await holdOpen(
    t,
    url,
    (tx) => tx`select from meter_daily where account_id = ${accountId} for update`,
  )
  t.equal(await run(), 1)
  t.same(postponed, [[accountId]])
  t.equal((await numbered(other)).length, 2)
  await end('rollback')
  t.equal(await run(), 1)
  t.same(await sql`select total::int from meter_daily order by account_id`, [{ total: 2 }, { total: 2 }])
})

t.test('an account whose events make a consumer fail delays no other account', async (t) => {
  const { sql, accountId, other, event, numbered } = await openLog(t)
  const postponed: number[][] = []
  const fail: EventConsumer = async (_, events) => {
    if (events.some((event) => event.accountId === accountId)) throw new TypeError('not as expected')
  }
  const run = createPump({ sql, log, consumers: [fail], postponed: (ids) => postponed.push(ids) })
  await sql.begin((tx) => appendEvents(tx, [event(1), event(2, other)]))
  t.equal(await run(), 1)
  t.same(await numbered(), [])
  t.same(await numbered(other), [2])
  t.same(postponed, [], 'the account is not postponed, because the schedule tries it again')
})
