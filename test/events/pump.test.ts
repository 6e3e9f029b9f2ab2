/**
 * The pump numbers each event once, in order and without gaps, even if other pumps run at the same time or an
 * earlier pump failed.
 */
import t from 'tap'
import { appendEvents } from '../../src/events/append.ts'
import { createPump, type EventConsumer } from '../../src/events/pump/pump.ts'
import { insertCounters, limitLockWaits, lockCounters } from '../../src/events/pump/queries.ts'
import { openDatabase } from '../../src/platform/postgres/database.ts'
import { countWholeReads } from '../whole-reads.ts'
import { holdOpen, log, openLog } from './log.ts'

t.test('events are numbered for each account from 1, in the order in which they were appended', async (t) => {
  const { sql, other, event, pump, numbered } = await openLog(t)
  await sql.begin((tx) => appendEvents(tx, [event(1), event(2, other), event(3), event(4, other)]))
  t.equal(await pump(), 4)
  await sql.begin((tx) => appendEvents(tx, [event(5)]))
  t.equal(await pump(), 1)
  t.equal(await pump(), 0)
  t.same(await numbered(), [1, 3, 5])
  t.same(await numbered(other), [2, 4])
})

t.test('numbering finds events by an index, even with planner statistics of a small log', async (t) => {
  const { sql, url, accountId, append, pump } = await openLog(t)
  await sql.begin((tx) => append(tx, 1))
  t.equal(await pump(), 1)
  await sql`vacuum analyze events`
  await sql.begin((tx) => append(tx, 2))
  const own = openDatabase(url, { poolSize: 1, applicationName: 'abs-test' })
  t.teardown(() => own.end())
  const before = await countWholeReads(own, ['events'])
  t.equal(await createPump({ sql: own, log, consumers: [] })([accountId]), 1)
  t.same(await countWholeReads(own, ['events']), before)
})

t.test('a pump does not wait for the counter of an account that another pump writes', async (t) => {
  const { sql, url, accountId, other, append, pump } = await openLog(t)
  await sql.begin((tx) => append(tx, 1))
  await pump()
  const end = await holdOpen(t, url, async (tx) => {
    await tx`update event_counters set last_number = last_number where account_id = ${accountId}`
  })
  await sql.begin(async (tx) => {
    await limitLockWaits(tx, 1)
    await insertCounters(tx, [accountId, other])
    t.same(await lockCounters(tx, [accountId, other]), [{ accountId: other }])
  })
  await end('commit')
})

t.test('several pumps at once number every event once, while events are appended', async (t) => {
  const { sql, append, pump, numbered } = await openLog(t)
  let given = 0
  const seen: number[] = []
  const see: EventConsumer = async (_, events) => {
    seen.push(...events.map(({ basketId }) => basketId!))
  }
  const appending = Promise.all(
    [1, 2, 3].map(async () => {
      for (let round = 0; round < 20; round++)
        await sql.begin(async (tx) => append(tx, ...Array.from({ length: 40 }, () => ++given)))
    }),
  )
  let done = false
  appending.finally(() => {
    done = true
  })
  const pumping = [1, 2, 3].map(async () => {
    while (!done) await pump([see])
  })
  await Promise.all([appending, ...pumping])
  await pump([see])
  t.equal(new Set(await numbered()).size, 2400)
  t.equal(seen.length, 2400)
  t.equal(new Set(seen).size, 2400)
})

t.test('more events than one turn takes are numbered by one call', async (t) => {
  const { sql, append, pump, numbered } = await openLog(t)
  const ids = Array.from({ length: 1700 }, (_, index) => index + 1)
  await sql.begin((tx) => append(tx, ...ids))
  t.equal(await pump(), 1700)
  t.same(await numbered(), ids)
})

t.test('an event that commits late gets a later number, and none is missed', async (t) => {
  const { sql, url, append, pump, numbered, lowestId } = await openLog(t)
  const end = await holdOpen(t, url, (tx) => append(tx, 1))
  await sql.begin((tx) => append(tx, 2))
  t.equal(await pump(), 1)
  await pump()
  t.equal(await lowestId(), 1, 'the id of the event that is not committed yet')
  await end('commit')
  t.equal(await pump(), 1)
  t.same(await numbered(), [2, 1])
})

t.test(
  'the lowest id moves past events that were rolled back, once their transactions have ended',
  async (t) => {
    const { sql, url, accountId, append, pump, numbered, lowestId } = await openLog(t)
    const run = createPump({ sql, log, consumers: [] })
    const end = await holdOpen(t, url, (tx) => append(tx, 1))
    await sql.begin((tx) => append(tx, 2))
    await run([accountId])
    t.equal(await lowestId(), 1)
    await end('rollback')
    await sql.begin((tx) => append(tx, 3))
    await run([accountId])
    t.equal(await lowestId(), 4, 'higher than all ids that were drawn')
    t.same(await numbered(), [2, 3])
    t.equal(await pump(), 0)
  },
)

t.test('an event of a type that this version does not know is numbered too', async (t) => {
  const { sql, accountId, pump, numbered } = await openLog(t)
  await sql`
    insert into events (account_id, type, basket_id, actor, details)
    values (${accountId}, 'ticket.printed', 1, 'service', '{}')`
  t.equal(await pump(), 1)
  t.same(await numbered(), [1])
})

t.test('a pump that fails before its commit changes nothing, and the next one numbers all', async (t) => {
  const { sql, append, pump, numbered } = await openLog(t)
  await sql.begin((tx) => append(tx, 1, 2))
  const write: EventConsumer = async (tx) => {
    await tx`update accounts set name = name || '!'`
  }
  const die: EventConsumer = async () => {
    throw Object.assign(new Error('the process dies here'), { code: 'CONNECTION_CLOSED' })
  }
  await t.rejects(pump([write, die]), /dies here/)
  t.same(await numbered(), [])
  t.equal(await pump([write]), 2)
  t.same(await numbered(), [1, 2])
  t.notMatch(await sql`select name from accounts`, [{ name: /!!/ }])
})

t.test('an event that a consumer cannot store is skipped, and the others are consumed', async (t) => {
  const { sql, append, pump, numbered } = await openLog(t)
  await sql`create table consumed (basket_id bigint check (basket_id <> 3))`
  await sql.begin((tx) => append(tx, 1, 2, 3, 4))
  const consume: EventConsumer = async (tx, events) => {
    await tx`insert into consumed select unnest(${events.map(({ basketId }) => basketId)}::bigint[])`
  }
  t.equal(await pump([consume]), 4)
  t.same(await numbered(), [1, 2, 3, 4])
  const rows = await sql<{ id: number }[]>`select basket_id as id from consumed order by 1`
  t.same(
    rows.map(({ id }) => id),
    [1, 2, 4],
  )
})
