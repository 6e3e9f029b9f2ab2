/** Freed places are offered to the waitlist exactly once, and holds end when they expire, not before. */
import { pino } from 'pino'
import t from 'tap'
import { sweepExpiredHolds } from '../../src/inventory/expiry.ts'
import { offerPlaces } from '../../src/inventory/service.ts'
import { closeServices, openServices } from '../../src/services.ts'
import { jobHandlers } from '../../workers/handlers.ts'
import { testConfig } from '../helper.ts'
import { pumpEvents } from '../pump.ts'
import { until } from '../until.ts'
import { seaside } from './fixtures.ts'

t.test('freed places are offered in the order of joining, to each party that fits', async (t) => {
  const { ids, hold, confirm, wait, free, counters, statuses, sql } = await seaside(t, 4)
  const [slot] = ids as [number]
  const sold = (await hold({ timeslotId: slot, participants: 4 }))!
  await confirm(sold)
  const baskets: number[] = []
  for (const participants of [5, 3, 2, 1]) baskets.push(await wait({ timeslotId: slot, participants }))
  const [five, three, two, one] = baskets as [number, number, number, number]
  await free(sold)
  t.same(await statuses(five), { basket: 'waiting', bookings: ['waitlisted'] })
  t.same(await statuses(three), { basket: 'open', bookings: ['held'] })
  t.same(await statuses(two), { basket: 'waiting', bookings: ['waitlisted'] })
  t.same(await statuses(one), { basket: 'open', bookings: ['held'] })
  t.same(await counters(slot), { booked: 0, held: 4 })
  await pumpEvents(sql)
  const mails = await sql`select kind from emails order by id`
  t.same(
    mails.map(({ kind }) => kind),
    ['waitlist-offer', 'waitlist-offer'],
  )
})

t.test('an offer ends at the latest when its timeslot begins', async (t) => {
  const { ids, hold, wait, free, sql } = await seaside(t, 2)
  const [slot] = ids as [number]
  await sql`update timeslots set starts_at = date_trunc('second', now()) + interval '10 minutes'`
  const held = (await hold({ timeslotId: slot, participants: 2 }))!
  const waiting = await wait({ timeslotId: slot, participants: 2 })
  await free(held)
  t.match(
    await sql`
      select baskets.status, expires_at = starts_at as ends, hold_limit_at = starts_at as limited
      from baskets, timeslots where baskets.id = ${waiting}`,
    [{ status: 'open', ends: true, limited: true }],
  )
})

t.test('concurrent transactions that free places never offer the same place twice', async (t) => {
  const { ids, hold, wait, free, counters, sql } = await seaside(t, 10)
  const [slot] = ids as [number]
  const held = await Promise.all(
    [...Array(10)].map(() => hold({ timeslotId: slot, participants: 1 }).then((id) => id!)),
  )
  for (let party = 0; party < 20; party++) await wait({ timeslotId: slot, participants: 1 })
  await Promise.all(held.map(free))
  t.same(await counters(slot), { booked: 0, held: 10 })
  const offered = await sql`select id from waitlist_entries where status = 'offered' order by id`
  const first = await sql`select id from waitlist_entries order by id limit 10`
  t.same(offered, first, 'the first ten who joined')
  await pumpEvents(sql)
  t.equal((await sql`select from emails`).length, 10)
})

t.test('one run of the worker’s job ends all expired baskets, even more than one sweep ends', async (t) => {
  const { ids, hold, runOut, counters, sql, url } = await seaside(t, 210)
  const baskets: (number | null)[] = []
  while (baskets.length < 205) baskets.push(await hold({ timeslotId: ids[0]!, participants: 1 }))
  await runOut(...baskets)
  const services = openServices(testConfig(), url, 'test', pino({ level: 'silent' }))
  t.teardown(() => closeServices(services))
  t.equal(await jobHandlers(services)['holds.sweep']({}), 205)
  t.same(await counters(ids[0]!), { booked: 0, held: 0 })
  t.equal((await sql`select from baskets where status = 'expired'`).length, 205)
})

t.test('an expired offer goes to the next party, until none waits', async (t) => {
  const { ids, hold, wait, runOut, counters, statuses, sql } = await seaside(t, 2)
  const [slot] = ids as [number]
  const line = { timeslotId: slot, participants: 2 }
  const holding = (await hold(line))!
  const [first, second] = [await wait(line), await wait(line)]
  for (const [basket, next] of [
    [holding, first],
    [first, second],
  ] as const) {
    await runOut(basket)
    t.equal(await sweepExpiredHolds(sql), 1)
    t.same(await statuses(basket), { basket: 'expired', bookings: ['expired'] })
    t.same(await statuses(next), { basket: 'open', bookings: ['held'] })
  }
  await runOut(second)
  t.equal(await sweepExpiredHolds(sql), 1)
  t.equal(await sweepExpiredHolds(sql), 0)
  t.same(await counters(slot), { booked: 0, held: 0 })
  t.same(
    (await sql`select status from waitlist_entries order by id`).map(({ status }) => status),
    ['expired', 'expired'],
  )
})

t.test('places of a closed timeslot are not offered', async (t) => {
  const { ids, hold, wait, free, statuses, sql, accountId } = await seaside(t, 2)
  const line = { timeslotId: ids[0]!, participants: 2 }
  const holding = (await hold(line))!
  const waiting = await wait(line)
  await sql`update timeslots set status = 'closed'`
  await free(holding)
  t.same(await statuses(waiting), { basket: 'waiting', bookings: ['waitlisted'] })
  await sql`update timeslots set status = 'open'`
  await sql.begin((tx) =>
    offerPlaces(
      tx,
      ids.map((id) => ({ accountId, id })),
    ),
  )
  t.same(await statuses(waiting), { basket: 'open', bookings: ['held'] })
})

t.test('a request that needs places ends expired holds on them, and no others', async (t) => {
  const { ids, hold, runOut, counters, statuses } = await seaside(t, 4, 4)
  const [morning, noon] = ids as [number, number]
  const expired = await hold({ timeslotId: morning, participants: 2 }, { timeslotId: noon, participants: 2 })
  const valid = await hold({ timeslotId: morning, participants: 2 })
  t.equal(await hold({ timeslotId: morning, participants: 1 }), null)
  await runOut(expired)
  t.ok(await hold({ timeslotId: morning, participants: 2 }))
  t.same(
    await statuses(expired!),
    { basket: 'open', bookings: ['expired', 'held'] },
    'the places at noon were not needed',
  )
  t.same(await statuses(valid!), { basket: 'open', bookings: ['held'] })
  t.same(await counters(morning), { booked: 0, held: 4 })
})

t.test('the waitlist comes before a request that needs the places of an expired hold', async (t) => {
  const { ids, hold, wait, runOut, counters, statuses } = await seaside(t, 4)
  const line = { timeslotId: ids[0]!, participants: 3 }
  const expired = await hold(line)
  const waiting = await wait(line)
  await runOut(expired)
  t.equal(await hold({ ...line, participants: 2 }), null)
  t.same(await statuses(waiting), { basket: 'open', bookings: ['held'] })
  t.same(await counters(ids[0]!), { booked: 0, held: 3 })
  t.ok(await hold({ ...line, participants: 1 }), 'one place was free before the hold expired')
})

t.test('an expired basket keeps its other places until the sweep, which frees all of them', async (t) => {
  const { ids, hold, runOut, counters, statuses, sql } = await seaside(t, 4, 4)
  const [morning, noon] = ids as [number, number]
  const expired = await hold({ timeslotId: morning, participants: 4 }, { timeslotId: noon, participants: 2 })
  await runOut(expired)
  await hold({ timeslotId: morning, participants: 1 })
  t.same(await counters(noon), { booked: 0, held: 2 })
  t.equal(await sweepExpiredHolds(sql), 1)
  t.same(await statuses(expired!), { basket: 'expired', bookings: ['expired', 'expired'] })
  t.same(await counters(noon), { booked: 0, held: 0 })
  t.same(await counters(morning), { booked: 0, held: 1 })
})

t.test('a hold that was paid while the sweep waited for it stays paid', async (t) => {
  const { ids, hold, runOut, counters, statuses, sql, name, admin } = await seaside(t, 4)
  const basket = (await hold({ timeslotId: ids[0]!, participants: 4 }))!
  await runOut(basket)
  let swept: Promise<number> | undefined
  await sql.begin(async (tx) => {
    await tx`select from timeslots for update`
    swept = sweepExpiredHolds(sql)
    await until(async () => {
      const waiting = await admin`
        select from pg_stat_activity where datname = ${name} and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
    await tx`update bookings set status = 'confirmed'`
    await tx`update timeslots set booked = held, held = 0`
    await tx`update baskets set status = 'completed', completed_at = now()`
  })
  t.equal(await swept, 0)
  t.same(await statuses(basket), { basket: 'completed', bookings: ['confirmed'] })
  t.same(await counters(ids[0]!), { booked: 4, held: 0 })
})

t.test(
  'a line that was added to an expired basket while the sweep waited for it is released too',
  async (t) => {
    const { ids, hold, runOut, counters, statuses, sql, name, admin } = await seaside(t, 4, 4)
    const [morning, noon] = ids as [number, number]
    const basket = (await hold({ timeslotId: noon, participants: 1 }))!
    await runOut(basket)
    let swept: Promise<number> | undefined
    await sql.begin(async (tx) => {
      await tx`select from timeslots where id = ${noon} for update`
      swept = sweepExpiredHolds(sql)
      await until(async () => {
        const waiting = await admin`
        select from pg_stat_activity where datname = ${name} and wait_event_type = 'Lock'`
        return waiting.length > 0
      })
      await tx`
      insert into bookings (unit_price_minor, currency, account_id, id, basket_id, timeslot_id, channel, status, reference, participants, answers)
      select 4500, 'EUR', account_id, nextval('booking_ids'), basket_id, ${morning}, channel, 'held', 'LATELATE22', 3, '[]'
      from bookings where basket_id = ${basket}`
      await tx`update timeslots set held = 3 where id = ${morning}`
    })
    t.equal(await swept, 1)
    t.same(await statuses(basket), { basket: 'expired', bookings: ['expired', 'expired'] })
    t.same(await counters(morning), { booked: 0, held: 0 })
  },
)

t.test('a basket that cannot be ended does not stop the sweep from ending the others', async (t) => {
  const { ids, hold, runOut, statuses, sql } = await seaside(t, 4, 4)
  const broken = (await hold({ timeslotId: ids[0]!, participants: 1 }))!
  const sound = (await hold({ timeslotId: ids[1]!, participants: 1 }))!
  await sql`update timeslots set held = 0 where id = ${ids[0]!}`
  await runOut(broken, sound)
  t.equal(await sweepExpiredHolds(sql), 1)
  t.same(await statuses(sound), { basket: 'expired', bookings: ['expired'] })
  await t.rejects(sweepExpiredHolds(sql), { cause: { code: '23514' } })
})
