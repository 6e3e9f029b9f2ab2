/** Concurrent operations hold, pay and free the same few places and wait for them; the counters must add up. */
import t from 'tap'
import { sweepExpiredHolds } from '../../src/inventory/expiry.ts'
import { listCounterDifferences } from '../../src/reports/sales-audit/queries.ts'
import { bookingBody, bookingPath, buildOn, makeCaller } from '../helper.ts'
import { type Line, seaside } from './fixtures.ts'

// Draws the same numbers in every run. The order of concurrent operations may differ.
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

t.test('counters equal the bookings and never exceed the capacity, under concurrent requests', async (t) => {
  const capacities = [3, 5, 8]
  const { ids, hold, confirm, free, wait, runOut, sql, url, accountId } = await seaside(t, ...capacities)
  const { app } = await buildOn(t, url)
  const { headers } = await makeCaller(sql, { scopes: ['ota'] })
  const [{ activity }] = (await sql`select activity_id as activity from products`) as never as [
    { activity: string },
  ]
  const random = createRandom(7)
  const baskets: number[] = []
  const anyBasket = () => baskets[random(baskets.length)]
  const anyLine = (): Line => ({ timeslotId: ids[random(ids.length)]!, participants: 1 + random(3) })
  const acts: (() => Promise<unknown>)[] = [
    async () => {
      // Not in the order of ids, on purpose.
      const lines = [...new Map([...Array(1 + random(3))].map(() => [random(99), anyLine()])).values()]
      const basket = await hold(...lines)
      if (basket) baskets.push(basket)
    },
    async () => {
      const basket = anyBasket()
      if (basket) await confirm(basket)
    },
    async () => {
      const basket = anyBasket()
      if (basket) await free(basket)
    },
    async () => {
      const basket = anyBasket()
      if (basket) await runOut(basket)
    },
    async () => baskets.push(await wait(anyLine())),
    () => sweepExpiredHolds(sql),
    async () => {
      const Time = `${String(8 + random(ids.length)).padStart(2, '0')}:00`
      const payload = bookingBody(`s_${activity}`, { Time, Participants: 1 + random(2) })
      const { statusCode } = await app.inject({ method: 'POST', url: bookingPath, headers, payload })
      t.ok([201, 409].includes(statusCode), `the partner is answered ${statusCode}`)
    },
  ]
  for (let round = 0; round < 12; round++) {
    await Promise.all([...Array(60)].map(() => acts[random(acts.length)]!()))
    t.same(await listCounterDifferences(sql, accountId), [])
  }
  const slots = await sql<{ capacity: number; taken: number }[]>`
    select capacity, booked + held as taken from timeslots order by time`
  t.ok(slots.every(({ capacity, taken }) => taken <= capacity))
  const [row] = await sql<{ confirmed: number; offered: number; orphans: number }[]>`
    select count(*) filter (where status = 'confirmed')::int as confirmed,
      (select count(*)::int from waitlist_entries where status <> 'waiting') as offered,
      (select count(*)::int from bookings join baskets on baskets.id = basket_id
        where bookings.status = 'held' and baskets.status <> 'open') as orphans
    from bookings`
  t.ok(row!.confirmed > 0 && row!.offered > 0, 'some bookings were confirmed, and some offers were made')
  t.equal(row!.orphans, 0, 'no place is held for a basket that is closed')

  await runOut(...baskets)
  while ((await sweepExpiredHolds(sql)) > 0)
    await sql`update baskets set expires_at = now() where status = 'open'`
  t.same(await sql`select from timeslots where held > 0`, [])
  t.same(await listCounterDifferences(sql, accountId), [])
})
