/** The waitlist and the end of the sale: who may join, how long an offer is valid, and when entries expire. */
import t, { type Test } from 'tap'
import { sweepExpiredHolds } from '../../../src/inventory/expiry.ts'
import { museum } from '../../catalogue/museum.ts'
import { customer } from '../basket/fixtures.ts'

/**
 * Booking cut-offs in minutes. The last closing is in 360 minutes, so places are on sale with the first cut-off, and
 * not with the second.
 */
const [inTime, tooLate] = [345, 361]

/** A museum that has opened and has no places left: it has two bookings for four people each. */
async function fullMuseum(t: Test) {
  const operator = await museum(t)
  const { call, visit, open, bookAsPartner, cutOff, sql } = operator
  await open()
  await cutOff(inTime)
  const references: string[] = []
  for (const _ of [1, 2]) references.push((await bookAsPartner({ Participants: 4 })).data.BookingReference)
  return {
    ...operator,
    join: () => call('POST', '/waitlist', { ...visit, Customer: customer }),
    entry: async ({ WaitlistID }: { WaitlistID: number }) =>
      (await call('GET', `/waitlist/${WaitlistID}`)).data,
    cancel: (index: number) => call('POST', `/bookings/${references[index]}/cancel`, { Override: true }),
    sweep: () => sweepExpiredHolds(sql),
  }
}

t.test(
  'a party can join after the opening, and gets 409 timeslot-unavailable after the end of the sale',
  async (t) => {
    const { join, cutOff } = await fullMuseum(t)
    t.equal((await join()).status, 201)
    await cutOff(tooLate)
    const { status, problem } = await join()
    t.equal(status, 409)
    t.match(problem, { type: /timeslot-unavailable$/ })
  },
)

t.test('entries wait until the end of the sale, not until the opening', async (t) => {
  const { join, entry, cutOff, sweep, sql } = await fullMuseum(t)
  const { data } = await join()
  t.equal(await sweep(), 0)
  t.match(await entry(data), { Status: 'waiting' })
  await cutOff(tooLate)
  t.equal(await sweep(), 1)
  t.match(await entry(data), { Status: 'expired', BookingStatus: 'expired' })
  t.match(await sql`select status from baskets where id = ${data.BasketID}`, [{ status: 'expired' }])
  t.equal(await sweep(), 0)
})

t.test('an offer expires at the end of the sale at the latest', async (t) => {
  const { join, entry, cancel, cutOff, sql } = await fullMuseum(t)
  await sql`update accounts set offer_minutes = 600`
  await cutOff(60)
  const { data } = await join()
  await cancel(0)
  t.match(await entry(data), { Status: 'offered', OfferUntil: '2030-06-15T15:00:00.000Z' })
})

t.test('places that are freed after the end of the sale are not offered', async (t) => {
  const { join, entry, cancel, cutOff, slotAt } = await fullMuseum(t)
  const { data } = await join()
  await cutOff(tooLate)
  await cancel(0)
  t.match(await entry(data), { Status: 'waiting' })
  t.match(await slotAt(), { booked: 4, held: 0 })
})

t.test('an offer stays valid after a longer cut-off has ended the sale', async (t) => {
  const { join, entry, cancel, cutOff, call, sweep } = await fullMuseum(t)
  await cutOff(0)
  const { data } = await join()
  await cancel(0)
  await cutOff(tooLate)
  t.equal(await sweep(), 0)
  t.match(await entry(data), { Status: 'offered' })
  t.equal((await call('POST', `/waitlist/${data.WaitlistID}/take`)).status, 200)
})
