/** The tickets of a booking on its page: they are made and redeemed, and redemptions are undone. */
import t, { type Test } from 'tap'
import { adult, child } from '../catalogue/units/fixtures.ts'
import { makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

/** A booking of an adult and a child, and a user with the role staff. */
async function makeBooking(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const { id, activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const units = (await call('PUT', `/products/${id}/units`, { Units: [adult, child] })).data
  const Units = units.map(({ UnitID }: { UnitID: number }) => ({ UnitID, Quantity: 1 }))
  const sell = async () => {
    const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Units }
    const { data } = await call('POST', '/bookings', { ...line, Payment: { Method: 'cash' } })
    return data.BookingReference as string
  }
  const reference = await sell()
  const path = `/dashboard/bookings/${reference}`
  const { get, post } = await signIn('staff')
  const show = async () => textOf((await get(path)).body)
  const tickets = async () => (await call('GET', `/bookings/${reference}/tickets`)).data
  /** Makes the tickets; returns their ids. */
  const make = async (): Promise<string[]> => {
    await post(`${path}/tickets`)
    return (await tickets()).map(({ TicketID }: { TicketID: string }) => TicketID)
  }
  return { ...dashboard, reference, path, get, post, show, tickets, make, sell }
}

t.test('the tickets of a booking', async (t) => {
  t.test('are made once by a button, one ticket for each unit', async (t) => {
    const { path, post, show, tickets, make } = await makeBooking(t)
    t.match(await show(), 'Make the tickets')
    t.notMatch(await show(), 'Print the tickets', 'there are none yet')
    const made = await post(`${path}/tickets`)
    t.equal(made.headers.location, `${path}?done=tickets-made`)
    const before = await tickets()
    t.equal((await make()).length, 2)
    t.same(await tickets(), before)
    const text = await show()
    t.match(text, /Tickets .* 1 Adult – valid .* Redeem 2 Child – valid/)
    t.notMatch(text, 'Make the tickets')
    t.match(text, 'Print the tickets')
  })

  t.test('are listed with the names of the people who have them', async (t) => {
    const { show, make, call, reference } = await makeBooking(t)
    const [first] = await make()
    const Contact = { FirstName: 'Grace', LastName: 'Hopper', Email: 'grace@example.com' }
    await call('PATCH', `/bookings/${reference}/tickets/${first}`, { Contact })
    t.match(await show(), '1 Adult Grace Hopper, grace@example.com valid')
    t.match(
      await show(),
      'changed the first name, the last name and the e-mail address of ticket 1.',
      'the history says which parts were changed',
    )
  })

  t.test(
    'are redeemed one by one: the first redemption checks the party in, and undoing all undoes the check-in',
    async (t) => {
      const { path, post, show, make, call, reference } = await makeBooking(t)
      const [first, second] = await make()
      const redeemed = await post(`${path}/tickets/${first}/redeem`)
      t.equal(redeemed.headers.location, `${path}?done=ticket-redeemed`)
      t.match(await show(), /1 Adult – redeemed \d+ \w+ \d+/)
      t.equal((await call('GET', `/bookings/${reference}`)).data.Attendance, 'checked-in')
      await post(`${path}/tickets/${second}/redeem`)
      await post(`${path}/tickets/${second}/undo-redeem`)
      t.equal((await call('GET', `/bookings/${reference}`)).data.Attendance, 'checked-in')
      const undone = await post(`${path}/tickets/${first}/undo-redeem`)
      t.equal(undone.headers.location, `${path}?done=redemption-undone`)
      t.equal((await call('GET', `/bookings/${reference}`)).data.Attendance, null)
    },
  )

  t.test('are not redeemed twice, and the page says when a ticket was redeemed before', async (t) => {
    const { path, post, make } = await makeBooking(t)
    const [first] = await make()
    const once = crypto.randomUUID()
    await post(`${path}/tickets/${first}/redeem`, {}, { once })
    t.equal(
      (await post(`${path}/tickets/${first}/redeem`, {}, { once })).statusCode,
      303,
      'the same form again',
    )
    const again = await post(`${path}/tickets/${first}/redeem`)
    t.equal(again.statusCode, 409)
    t.match(textOf(again.body), /The ticket was already redeemed: \d+ \w+ \d{4}, \d+:\d+\./)
  })

  t.test('are not redeemed on the page of another booking', async (t) => {
    const { path, post, make, sell, call } = await makeBooking(t)
    await make()
    const other = await sell()
    const { data } = await call('POST', `/bookings/${other}/tickets`)
    t.equal((await post(`${path}/tickets/${data[0].TicketID}/redeem`)).statusCode, 404)
    t.equal((await call('GET', `/bookings/${other}`)).data.Attendance, null)
  })

  t.test('become void when the booking is cancelled, and cannot be redeemed then', async (t) => {
    const { path, post, get, show, make, tickets, call, reference } = await makeBooking(t)
    const [first] = await make()
    t.match((await get(path)).body, `${path}/tickets/${first}/redeem`)
    await call('POST', `/bookings/${reference}/cancel`, { Override: true })
    const text = await show()
    t.match(text, /1 Adult – void/)
    t.notMatch((await get(path)).body, '/redeem')
    t.equal((await post(`${path}/tickets/${first}/redeem`)).statusCode, 409)
    t.match(await tickets(), [{ Status: 'void' }, { Status: 'void' }])
    t.notMatch(text, 'Make the tickets')
  })
})

t.test('the page that moves a booking says that the party stays, with a link to change it', async (t) => {
  const { get, path } = await makeBooking(t)
  const { body } = await get(`${path}/move`)
  t.match(
    textOf(body),
    'The party stays the same. The next page shows today’s price of the new timeslot, and asks which price the booking gets. To change the number of people, change the party',
  )
  t.match(body, `href="${path}#change-party"`)
})
