/** Fixtures for tests of the event log: a database with two accounts, and transactions that stay open. */
import type { Test } from 'tap'
import { theService } from '../../src/events/actor.ts'
import { appendEvents } from '../../src/events/append.ts'
import type { NewEvent } from '../../src/events/event.ts'
import { createPump, type EventConsumer } from '../../src/events/pump/pump.ts'
import { openDatabase, type Transaction } from '../../src/platform/postgres/database.ts'
import { createLogger } from '../../src/platform/process/logging.ts'
import { createDatabase, makeCaller } from '../helper.ts'

export const log = createLogger('silent', 'test')

/** A database with two accounts, and functions for their logs. */
export async function openLog(t: Test) {
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
    /** The basket ids of an account's numbered events, in order. Asserts that the numbers have no gaps. */
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

/** Begins a transaction on a connection of its own, and does `work` in it. Returns a function that ends it. */
export async function holdOpen(t: Test, url: string, work: (tx: Transaction) => Promise<unknown>) {
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
