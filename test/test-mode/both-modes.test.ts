/**
 * Functions that work on several accounts, called once with timeslots of both modes, which have the same ids.
 */
import t, { type Test } from 'tap'
import { makeBasket } from '../../src/inventory/baskets.ts'
import { findShortages, makeBookings, offerPlaces, releaseExpired } from '../../src/inventory/service.ts'
import { makeReference } from '../../src/sales/booking/model.ts'
import { reserve } from '../../src/sales/booking/reservation.ts'
import { openTestMode } from '../../src/test-mode/service.ts'
import { actions, seaside } from '../inventory/fixtures.ts'
import { holdUntil, kinds, openSlot } from '../sales/booking/attempts.ts'

const theService = { kind: 'service' } as const

/** Timeslots with these capacities in both modes, and the actions on their places in each mode. */
async function bothModes(t: Test, ...capacities: number[]) {
  const { sql, accountId, ids, ...live } = await seaside(t, ...capacities)
  await openTestMode(sql, accountId)
  const modes = [
    { accountId, ...live },
    { accountId: -accountId, ...actions(sql, -accountId) },
  ] as const
  const keysOf = (id: number) => modes.map((mode) => ({ accountId: mode.accountId, id }))
  return { sql, ids, live: modes[0], test: modes[1], modes, keysOf }
}

t.test('places that are missing in one mode are not missing in the other', async (t) => {
  const { sql, ids, live, test, modes } = await bothModes(t, 2, 2)
  const [fullLive, fullTest] = ids as [number, number]
  await live.hold({ timeslotId: fullLive, participants: 2 })
  await test.hold({ timeslotId: fullTest, participants: 2 })
  const short = (timeslotId: number) => {
    const changes = modes.map(({ accountId }) => {
      return { from: null, to: { accountId, timeslotId, places: 1, status: 'held' as const } }
    })
    return sql.begin((tx) => findShortages(tx, changes))
  }
  const none = { onSale: true, available: 0 }
  t.same(await short(fullLive), [{ accountId: live.accountId, timeslotId: fullLive, ...none }])
  t.same(await short(fullTest), [{ accountId: test.accountId, timeslotId: fullTest, ...none }])
})

t.test('an expired hold in one mode frees no place in the other', async (t) => {
  const { sql, ids, live, test, modes } = await bothModes(t, 2)
  const [timeslotId] = ids as [number]
  await live.runOut(await live.hold({ timeslotId, participants: 2 }))
  await test.hold({ timeslotId, participants: 2 })
  const changes = modes.map(({ accountId }) => {
    return { from: null, to: { accountId, timeslotId, places: 1, status: 'held' as const } }
  })
  t.match(await sql.begin((tx) => findShortages(tx, changes)), [{ accountId: test.accountId }])
  t.same(
    [await live.counters(timeslotId), await test.counters(timeslotId)],
    [
      { booked: 0, held: 0 },
      { booked: 0, held: 2 },
    ],
  )
})

t.test('free places are offered to the waitlist of the same mode', async (t) => {
  const { sql, ids, modes, keysOf } = await bothModes(t, 3)
  const [timeslotId] = ids as [number]
  const waiting: number[] = []
  for (const [index, mode] of modes.entries()) {
    await mode.hold({ timeslotId, participants: 2 - index })
    waiting.push(await mode.wait({ timeslotId, participants: 1 + index }))
  }
  await sql.begin((tx) => offerPlaces(tx, keysOf(timeslotId)))
  for (const [index, mode] of modes.entries()) {
    t.same(await mode.statuses(waiting[index]!), { basket: 'open', bookings: ['held'] })
    t.same(await mode.counters(timeslotId), { booked: 0, held: 3 })
  }
})

t.test('a booking of the whole timeslot gets the places that were added in its mode', async (t) => {
  const { sql, ids, modes, keysOf } = await bothModes(t, 2)
  const [timeslotId] = ids as [number]
  for (const mode of modes) await mode.hold({ timeslotId, participants: 2 })
  await sql`update bookings set takes_timeslot = true`
  await sql.begin(async (tx) => {
    await tx`set local app.following = 'on'`
    await tx`update timeslots set capacity = case when account_id > 0 then 3 else 5 end`
  })
  await sql.begin((tx) => offerPlaces(tx, keysOf(timeslotId)))
  const [live, test] = await Promise.all(modes.map((mode) => mode.counters(timeslotId)))
  t.same(
    [live, test],
    [
      { booked: 0, held: 3 },
      { booked: 0, held: 5 },
    ],
  )
})

t.test('expired holds in both modes are released together, each for the waitlist of its mode', async (t) => {
  const { sql, ids, modes, keysOf } = await bothModes(t, 2)
  const [timeslotId] = ids as [number]
  const waiting: number[] = []
  for (const mode of modes) {
    await mode.runOut(await mode.hold({ timeslotId, participants: 2 }))
    waiting.push(await mode.wait({ timeslotId, participants: 2 }))
  }
  t.equal(await sql.begin((tx) => releaseExpired(tx, keysOf(timeslotId))), 2)
  for (const [index, mode] of modes.entries())
    t.same(await mode.statuses(waiting[index]!), { basket: 'open', bookings: ['held'] })
})

t.test(
  'bookings of both modes that are made together get the account of their mode, even with the same reference',
  async (t) => {
    const { sql, ids, modes } = await bothModes(t, 2)
    const [timeslotId] = ids as [number]
    const reference = makeReference()
    const made = await sql.begin(async (tx) => {
      const placed = []
      for (const { accountId, row } of modes) {
        const basket = { status: 'open', channel: 'online', payment: null } as const
        const basketId = await makeBasket(tx, { accountId, actor: theService }, basket)
        const { booking, ...rest } = row({ timeslotId, participants: 1 }, basketId, 'held')
        placed.push({ ...rest, booking: { ...booking, reference } })
      }
      return makeBookings(tx, placed)
    })
    const rows = await sql<{ accountId: number }[]>`
    select account_id as "accountId" from bookings join unnest(${made}::bigint[]) with ordinality as made (id, place) using (id)
    order by place`
    t.same(
      rows.map(({ accountId }) => accountId),
      modes.map(({ accountId }) => accountId),
    )
  },
)

t.test('only bookings whose own timeslot has an expired hold are set aside', async (t) => {
  const { sql, accountId, attempt } = await openSlot(t, { '2030-06-15 10:00': 8 })
  await openTestMode(sql, accountId)
  await holdUntil(sql, '2999-01-01', 8)
  const outcomes = async (ranOut: number) => {
    await sql`update baskets set expires_at = case when account_id = ${ranOut} then now() - interval '1 second'
      else timestamptz '2999-01-01' end`
    return kinds(await reserve(sql, [attempt(), attempt({ accountId: -accountId })]))
  }
  t.same(await outcomes(accountId), ['set aside', 'refused'])
  t.same(await outcomes(-accountId), ['refused', 'set aside'])
})
