/** The pump: numbers without gaps, in order, each once, whoever runs it and whatever stands in its way. */
import t, { type Test } from 'tap'
import { theService } from '../../src/events/actor.ts'
import { appendEvents, eventsAmong } from '../../src/events/append.ts'
import type { NewEvent } from '../../src/events/event.ts'
import { createPump, type EventConsumer } from '../../src/events/pump/pump.ts'
import { sweepEvents } from '../../src/events/retention.ts'
import { listenForCommits } from '../../src/platform/postgres/commit-notes.ts'
import { openDatabase, type Transaction } from '../../src/platform/postgres/database.ts'
import { createLogger } from '../../src/platform/process/logging.ts'
import { createDatabase, makeCaller } from '../helper.ts'

const log = createLogger('silent', 'test')

/** A database with two accounts, and what tests do with their logs. */
async function openLog(t: Test) {
  const { sql, url } = await createDatabase(t)
  const { accountId } = await makeCaller(sql, { slug: 'one' })
  const { accountId: other } = await makeCaller(sql, { slug: 'two' })
  const event = (basketId: number, account = accountId): NewEvent => ({
    ...{ accountId: account, actor: theService, basketId },
    type: 'basket.opened',
    details: {},
  })
  const append = (tx: Transaction, ...basketIds: number[]) =>
    appendEvents(
      tx,
      basketIds.map((id) => event(id)),
    )
  return {
    ...{ sql, url, accountId, other, event, append },
    pump: (consumers: EventConsumer[] = []) => createPump({ sql, log, consumers })(),
    /** The baskets of an account's events, by number. */
    numbered: async (account = accountId) => {
      const rows = await sql<{ number: number; basketId: number }[]>`
        select number, basket_id as "basketId" from events
        where account_id = ${account} and number is not null order by number`
      t.same(
        rows.map(({ number }) => number),
        rows.map((_, index) => index + 1),
        'numbers have no gaps',
      )
      return rows.map(({ basketId }) => basketId)
    },
    lowestId: async () => {
      const [row] = await sql<{ id: number }[]>`
        select lowest_id as id from event_counters where account_id = ${accountId}`
      return row!.id
    },
  }
}

/** A transaction of its own connection that stays open until it is ended. */
async function holdOpen(t: Test, url: string, work: (tx: Transaction) => Promise<unknown>) {
  const sql = openDatabase(url, { poolSize: 1, applicationName: 'abs-test' })
  t.teardown(() => sql.end())
  let end: (how: 'commit' | 'rollback') => void = () => {}
  let begin: () => void = () => {}
  const ending = new Promise<'commit' | 'rollback'>((resolve) => {
    end = resolve
  })
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const ended = sql
    .begin(async (tx) => {
      await work(tx)
      begin()
      if ((await ending) === 'rollback') throw new Error('rolled back')
    })
    .catch(() => {})
  await begun
  return async (how: 'commit' | 'rollback') => {
    end(how)
    await ended
  }
}

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

t.test('an event that commits late gets a later number, and none is missed', async (t) => {
  const { sql, url, append, pump, numbered, lowestId } = await openLog(t)
  const end = await holdOpen(t, url, (tx) => append(tx, 1))
  await sql.begin((tx) => append(tx, 2))
  t.equal(await pump(), 1)
  await pump()
  t.equal(await lowestId(), 1, 'the id of the event under way')
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
    t.equal(await lowestId(), 4, 'behind all ids that were drawn')
    t.same(await numbered(), [2, 3])
    t.equal(await pump(), 0)
  },
)

t.test('a transaction elsewhere that stays open delays nothing', async (t) => {
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

t.test('an event of a type that this version does not know is numbered too', async (t) => {
  const { sql, accountId, pump, numbered } = await openLog(t)
  await sql`
    insert into events (account_id, type, basket_id, actor, details)
    values (${accountId}, 'ticket.printed', 1, 'service', '{}')`
  t.equal(await pump(), 1)
  t.same(await numbered(), [1])
})

t.test('a pump that dies before its commit has done nothing, and the next does all', async (t) => {
  const { sql, append, pump, numbered } = await openLog(t)
  await sql.begin((tx) => append(tx, 1, 2))
  const write: EventConsumer = async (tx) => {
    await tx`update accounts set name = name || '!'`
  }
  const die: EventConsumer = async () => {
    throw new Error('the process dies here')
  }
  await t.rejects(pump([write, die]), /dies here/)
  t.same(await numbered(), [])
  t.equal(await pump([write]), 2)
  t.same(await numbered(), [1, 2])
  t.notMatch(await sql`select name from accounts`, [{ name: /!!/ }])
})

t.test(
  'an event that a consumer cannot store is passed over, and what follows the others is done',
  async (t) => {
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
  },
)

t.test('an account whose counter is locked elsewhere delays no other, and is tried again', async (t) => {
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
})

t.test('events about no booking are deleted after their time, but never without a number', async (t) => {
  const { sql, accountId } = await openLog(t)
  await sql`
    insert into events (account_id, number, occurred_at, type, booking_id, basket_id, actor, details)
    values (${accountId}, 1, now() - interval '31 days', 'basket.opened', null, 1, 'service', '{}'),
      (${accountId}, 2, now() - interval '31 days', 'booking.held', 7, 2, 'service', '{}'),
      (${accountId}, null, now() - interval '31 days', 'basket.opened', null, 3, 'service', '{}'),
      (${accountId}, 4, now() - interval '29 days', 'basket.opened', null, 4, 'service', '{}')`
  t.equal(await sweepEvents(sql, { EVENT_RETENTION_DAYS: 0 }), 0)
  t.equal(await sweepEvents(sql, { EVENT_RETENTION_DAYS: 30 }), 1)
  const rows = await sql<{ id: number }[]>`select basket_id as id from events order by 1`
  t.same(
    rows.map(({ id }) => id),
    [2, 3, 4],
  )
})

t.test('a process is told of the events that its transactions commit, and of no others', async (t) => {
  const { sql, append } = await openLog(t)
  const told: string[][] = []
  listenForCommits(sql, (notes) => told.push(eventsAmong(notes).map(({ type }) => type)))
  await sql.begin((tx) => append(tx, 1, 2))
  await sql
    .begin(async (tx) => {
      await append(tx, 3)
      throw new Error('rolled back')
    })
    .catch(() => {})
  await sql.begin(async (tx) => {
    await append(tx, 4)
    await tx
      .savepoint(async (point) => {
        await append(point as unknown as Transaction, 5)
        throw new Error('undone')
      })
      .catch(() => {})
  })
  await sql.begin((tx) => tx`select 1`)
  t.same(told, [['basket.opened', 'basket.opened'], ['basket.opened']])
})
