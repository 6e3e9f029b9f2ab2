/** The rules of a booking that need no database, tested with examples and with random values. */
import fc from 'fast-check'
import t from 'tap'
import { allocate } from '../../../src/inventory/model.ts'
import { makeReference, normalizePhone, referencePattern } from '../../../src/sales/booking/model.ts'

const slots = fc.dictionary(fc.constantFrom('1', '2', '3'), fc.nat(20))
const requests = fc.array(
  fc.record({ timeslotId: fc.integer({ min: 1, max: 4 }), places: fc.integer({ min: 1, max: 12 }) }),
)
const asMap = (free: Record<string, number>) =>
  new Map(Object.entries(free).map(([id, n]) => [Number(id), n]))

t.test('no timeslot ever gives more places than it has', async () => {
  fc.assert(
    fc.property(slots, requests, (free, asked) => {
      const taken = new Map<number, number>()
      for (const [index, { granted }] of allocate(asMap(free), asked).entries()) {
        const { timeslotId, places } = asked[index]!
        if (granted) taken.set(timeslotId, (taken.get(timeslotId) ?? 0) + places)
      }
      return [...taken].every(([id, sum]) => sum <= (asMap(free).get(id) ?? 0))
    }),
  )
})

t.test(
  'a request is refused only if it does not fit when its turn comes, and the refusal has the free places',
  async () => {
    fc.assert(
      fc.property(slots, requests, (free, asked) => {
        const left = asMap(free)
        return allocate(left, asked).every((allocation, index) => {
          const { timeslotId, places } = asked[index]!
          const available = left.get(timeslotId) ?? 0
          if (allocation.granted) left.set(timeslotId, available - places)
          return allocation.granted
            ? places <= available
            : allocation.available === available && places > available
        })
      }),
    )
  },
)

t.test('a large party that does not fit does not block a smaller one behind it', async (t) => {
  const outcome = allocate(new Map([[1, 3]]), [
    { timeslotId: 1, places: 4 },
    { timeslotId: 1, places: 3 },
  ])
  t.same(outcome, [{ granted: false, available: 3 }, { granted: true }])
})

t.test('a reference has ten letters and digits, without 0, 1, I and O', async (t) => {
  const made = Array.from({ length: 1000 }, makeReference)
  t.equal(new Set(made).size, 1000)
  t.ok(made.every((reference) => new RegExp(referencePattern).test(reference)))
})

t.test('a phone number keeps its plus and its digits', async (t) => {
  t.equal(normalizePhone('+351 (912) 345-678.'), '+351912345678')
})
