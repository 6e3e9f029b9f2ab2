/** Work after a closure through the operator API: customers to call, and reopening a day. */
import t, { type Test } from 'tap'
import { makeProduct } from '../../helper.ts'
import { fieldsOf, makeOperator } from '../../operator.ts'

const day = '2030-06-15'

/** Closes a day with two timeslots and a booking on each: the first without an e-mail address, the second with one. */
async function prepare(t: Test) {
  const operator = await makeOperator(t)
  const { sql, accountId, call, book } = operator
  const { activityId, id: productId } = await makeProduct(sql, accountId, {
    slots: { [`${day} 10:00`]: 8, [`${day} 14:00`]: 8, '2030-06-16 10:00': 5 },
  })
  const { reference } = await book(activityId)
  const told = await book(activityId, { Time: '14:00' })
  await sql`update bookings set email = null, phone = '+351912345678' where reference = ${reference}`
  await call('POST', '/closures', { Date: day, Action: 'cancel' })
  const [slot] = await sql<{ id: number }[]>`select id from timeslots order by date, time limit 1`
  const path = `/closures/calls/${slot!.id}/${reference}`
  const statuses = async () =>
    (await sql`select status from timeslots order by date, time`).map(({ status }) => status)
  return { ...operator, productId, reference, told: told.reference, slotId: slot!.id, path, statuses }
}

t.test(
  'customers to call after a closure are listed, and an operator’s API key marks a call as done',
  async (t) => {
    const { call, path, reference, told, slotId } = await prepare(t)
    t.match((await call('GET', '/closures/calls')).data, [
      {
        ...{ TimeslotID: slotId, BookingReference: reference, Phone: '+351912345678', LastName: 'Lovelace' },
        ...{ Became: 'cancelled', ByEmail: 'none', ToCall: true, DoneAt: null, DoneBy: null },
      },
      { BookingReference: told, ByEmail: 'on-its-way', ToCall: false },
    ])
    const toCall = async () => (await call('GET', '/closures/calls?ToCall=true')).data
    t.match(await toCall(), [{ BookingReference: reference }])
    const first = await call('PUT', path, { Done: true })
    t.match(first.data, { ToCall: false, DoneAt: String, DoneBy: null })
    t.same(
      (await call('PUT', path, { Done: true })).data,
      first.data,
      'marking the call again changes nothing',
    )
    t.same(await toCall(), [])
    t.match((await call('PUT', path, { Done: false })).data, { ToCall: true, DoneAt: null })
    t.equal((await call('PUT', `/closures/calls/${slotId}/7KQ4MXW2PD`, { Done: true })).status, 404)
    t.same(fieldsOf(await call('PUT', path, {})), ['Done'])
  },
)

t.test(
  'one request puts the closed timeslots of a day on sale again, and its retry changes nothing',
  async (t) => {
    const { call, statuses, sql, productId } = await prepare(t)
    t.same(await statuses(), ['closed', 'closed', 'open'])
    const key = { 'idempotency-key': 'one' }
    const first = await call('POST', '/closures/reopen', { Date: day, ProductID: productId }, key)
    t.equal(first.data.TimeslotIDs.length, 2)
    t.same(await statuses(), ['open', 'open', 'open'])
    const again = await call('POST', '/closures/reopen', { Date: day, ProductID: productId }, key)
    t.same(again.data, first.data, 'a retry gets the same response')
    t.match(await sql`select count(*)::integer as count from events where type = 'timeslot.reopened'`, [
      { count: 2 },
    ])
    t.same((await call('POST', '/closures/reopen', { Date: day })).data, { TimeslotIDs: [] })
    t.same(fieldsOf(await call('POST', '/closures/reopen', { Date: '2030-02-30' })), ['Date'])
  },
)
