/** Closures of all-day timeslots: one that has opened and not closed yet can still be closed. */
import t from 'tap'
import { museum } from '../../catalogue/museum.ts'

const closed = { Date: '2030-06-15', Action: 'cancel' }

t.test(
  'an all-day timeslot that has opened is closed and its bookings cancelled, even when it is no longer on sale',
  async (t) => {
    const { open, bookAsPartner, call, cutOff, sql, slotAt } = await museum(t)
    await open()
    await bookAsPartner()
    await cutOff(500)
    t.match((await call('POST', '/closures/preview', closed)).data, { Totals: { Closed: 1, Cancelled: 1 } })
    const { status, data } = await call('POST', '/closures', closed)
    t.equal(status, 200)
    t.match(data, { Totals: { Closed: 1, Cancelled: 1 }, Timeslots: [{ Result: 'closed', Time: '09:00' }] })
    t.match(await sql`select status, cancel_reason as reason from bookings`, [
      { status: 'cancelled', reason: 'closure' },
    ])
    t.match(await slotAt(), { booked: 0 })
  },
)

t.test(
  'an all-day timeslot after its last closing counts as begun, and a closure leaves it open',
  async (t) => {
    const { open, call, slotAt } = await museum(t, { now: '2030-06-15T16:30Z' })
    await open()
    const { id } = (await slotAt())!
    t.match((await call('POST', '/closures', { TimeslotID: id, Action: 'cancel' })).data, {
      Timeslots: [{ Result: 'left', Reason: 'begun' }],
    })
    t.match((await call('POST', '/closures', closed)).data, { Totals: { Closed: 0, Left: 0 } })
  },
)

t.test('a closure moves bookings only to a timeslot that is on sale', async (t) => {
  const { open, bookAsPartner, call, cutOff } = await museum(t)
  await open()
  await open({ Date: '2030-06-16' })
  await bookAsPartner()
  const move = { ...closed, Action: 'move', MoveTo: { Date: '2030-06-16' } }
  await cutOff(31 * 60)
  t.match((await call('POST', '/closures/preview', move)).data, {
    Timeslots: [{ Result: 'left', Reason: 'target-unavailable' }],
  })
  await cutOff(29 * 60)
  t.match((await call('POST', '/closures', move)).data, {
    Timeslots: [{ Result: 'closed', Moved: 1, MovedTo: { Date: '2030-06-16', Time: '09:00' } }],
  })
})
