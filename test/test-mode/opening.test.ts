/** How many timeslots a test account has when it is opened. */
import t, { type Test } from 'tap'
import { followLive } from '../../src/test-mode/following.ts'
import { openTestMode } from '../../src/test-mode/service.ts'
import { createDatabase, makeCaller, makeProduct } from '../helper.ts'
import { listCatalogueFaults } from './fixtures.ts'

const slotsPerDay = 24

async function openAccount(t: Test, timeslots: number) {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const { id } = await makeProduct(sql, accountId)
  await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select ${accountId}, ${id}, start::date, start::time, start, 4
    from (
      select timestamp '2030-01-01' + n * interval '1 hour' as start from generate_series(0, ${timeslots - 1}::integer) as n
      -- The last days have the lowest ids.
      order by n desc
    ) as starts`
  await openTestMode(sql, accountId)
  const [copied] = await sql<{ count: number; last: string }[]>`
    select count(*), max(date) as last from timeslots where account_id = ${-accountId}`
  return { sql, accountId, copied: copied! }
}

t.test('a test account is opened with all timeslots if there are 1,000', async (t) => {
  const { sql, accountId, copied } = await openAccount(t, 1000)
  t.equal(copied.count, 1000)
  t.same(await listCatalogueFaults(sql, accountId), {})
})

t.test(
  'a test account is opened with the first 20,000 timeslots, and the worker copies the others',
  async (t) => {
    const days = 850
    const { sql, accountId, copied } = await openAccount(t, days * slotsPerDay)
    t.match(copied, { count: 20_000, last: '2032-04-13' })
    await followLive(sql)
    t.same(await listCatalogueFaults(sql, accountId), {})
  },
)
