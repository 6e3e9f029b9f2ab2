/** The pure rules of places, tested with random values. */
import fc from 'fast-check'
import t from 'tap'
import {
  chooseOffers,
  type PlacesChange,
  type PlacesTaken,
  sumDeltas,
  sumTaken,
} from '../../src/inventory/model.ts'

const bookingState = fc.record({
  status: fc.constantFrom('held', 'waitlisted', 'confirmed', 'cancelled', 'expired') as fc.Arbitrary<
    PlacesTaken['status']
  >,
  accountId: fc.constant(1),
  timeslotId: fc.integer({ min: 1, max: 4 }),
  places: fc.integer({ min: 1, max: 999 }),
})
const change: fc.Arbitrary<PlacesChange> = fc.record({
  from: fc.option(fc.record({ id: fc.nat(), from: bookingState }).map(({ id, from }) => ({ ...from, id }))),
  to: bookingState,
})
const changes = fc.array(change)

/** The places that bookings take on a timeslot, counted one by one. */
function count(
  bookingStates: (PlacesTaken | null)[],
  timeslotId: number,
  status: PlacesTaken['status'],
): number {
  return bookingStates
    .filter((one) => one?.timeslotId === timeslotId && one.status === status)
    .reduce((sum, one) => sum + one!.places, 0)
}

t.test('counters change by the places taken after the changes minus the places taken before', async () => {
  fc.assert(
    fc.property(changes, (all) => {
      const deltas = new Map(sumDeltas(all).map((delta) => [delta.timeslotId, delta]))
      const before = all.map(({ from }) => from)
      const after = all.map(({ to }) => to)
      return [1, 2, 3, 4].every((id) => {
        const { booked, held } = deltas.get(id) ?? { booked: 0, held: 0 }
        return (
          booked === count(after, id, 'confirmed') - count(before, id, 'confirmed') &&
          held === count(after, id, 'held') - count(before, id, 'held')
        )
      })
    }),
  )
})

t.test('a change and its reversal leave counters as they are, and timeslots are sorted by id', async () => {
  fc.assert(
    fc.property(changes, (all) => {
      const undone = all.flatMap(({ from, to }) => (from ? [{ from: { ...to, id: from.id }, to: from }] : []))
      const done = all.filter(({ from }) => from)
      return sumDeltas([...done, ...undone]).length === 0
    }),
  )
  fc.assert(
    fc.property(changes, (all) => {
      const ids = sumDeltas(all).map(({ timeslotId }) => timeslotId)
      return ids.every((id, index) => index === 0 || id > ids[index - 1]!)
    }),
  )
})

t.test('places are needed only where changes take more than they free', async () => {
  fc.assert(
    fc.property(changes, (all) => {
      const taken = new Map(sumTaken(all).map(({ timeslotId, places }) => [timeslotId, places]))
      return sumDeltas(all).every(({ timeslotId, booked, held }) => {
        return (taken.get(timeslotId) ?? 0) === Math.max(0, booked + held)
      })
    }),
  )
})

t.test('a hold that is paid needs no free place', async () => {
  fc.assert(
    fc.property(bookingState, (one) => {
      const held = { ...one, id: 1, status: 'held' as const }
      return sumTaken([{ from: held, to: { ...held, status: 'confirmed' } }]).length === 0
    }),
  )
})

const waiting = fc.array(fc.record({ places: fc.integer({ min: 1, max: 30 }) }))

t.test('offers never exceed the free places, keep the order, and include every party that fits', async () => {
  fc.assert(
    fc.property(fc.nat(60), waiting, (free, all) => {
      const offered = chooseOffers(free, all)
      let left = free
      let next = 0
      for (const one of all) {
        const isOffered = offered[next] === one
        if (isOffered !== one.places <= left) return false
        if (!isOffered) continue
        left -= one.places
        next++
      }
      return left >= 0 && next === offered.length
    }),
  )
})
