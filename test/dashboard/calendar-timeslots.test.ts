/** The page of one timeslot and the form of a new one: what they show, and what they change. */
import t, { type Test } from 'tap'
import { makeCaller, makeProduct } from '../helper.ts'
import { pumpEvents } from '../pump.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com', Phone: '+351912345678' }
const party = { Participants: '3', 'Customer.FirstName': 'Grace', 'Customer.LastName': 'Hopper' }

/** Makes a timeslot of 8 places, and signs in staff. */
async function prepare(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, call } = dashboard
  const { id: productId, activityId } = await makeProduct(sql, accountId, {
    slots: { '2030-06-15 10:00': 8 },
  })
  const [slot] = await sql<{ id: number }[]>`select id from timeslots`
  const user = await signIn('staff')
  const path = `/dashboard/calendar/timeslots/${slot!.id}`
  const show = async (query = '') => textOf((await user.get(path + query)).body)
  const storedPlaces = async () => {
    const [row] = await sql`select capacity, booked, held, status from timeslots where id = ${slot!.id}`
    return row
  }
  const joinWaitlist = (Participants: number, FirstName = 'Ada') => {
    const wanted = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants }
    return call('POST', '/waitlist', { ...wanted, Customer: { ...customer, FirstName } })
  }
  return {
    ...dashboard,
    productId,
    activityId,
    slotId: slot!.id,
    user,
    path,
    show,
    storedPlaces,
    joinWaitlist,
  }
}

t.test('the page of a timeslot lists its bookings, and links to each', async (t) => {
  const { sql, show, user, path, book, call, activityId } = await prepare(t)
  const first = await book(activityId, { Customer: customer })
  const gone = await book(activityId, { Customer: { ...customer, FirstName: 'Ill' } })
  await call('POST', `/bookings/${gone.reference}/cancel`, {})
  await sql`update bookings set attendance = 'checked-in' where reference = ${first.reference}`
  const text = await show()
  t.match(text, 'Kayak Sat, 15 Jun 2030, 10:00')
  t.match(text, '2 booked 0 held 6 free of 8')
  t.match(text, `${first.reference} Ada Lovelace 2 people €90.00 912 345 678 Viator Confirmed Checked in`)
  t.notMatch(text, gone.reference)
  t.match(await show('?All=true'), `${gone.reference} Ill Lovelace`)
  t.match((await user.get(path)).body, `href="/dashboard/bookings/${first.reference}"`)
})

t.test(
  'the form of a message says how many parties get no message, and warns that single braces are sent as typed',
  async (t) => {
    const { user, path, book, call, joinWaitlist, activityId } = await prepare(t)
    await book(activityId, { Participants: 6, Customer: customer })
    const message = async () => textOf((await user.get(`${path}/message`)).body)
    t.notMatch(await message(), 'no message')
    const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
    await call('POST', '/baskets', { Channel: 'pos', Lines: [line], Customer: customer })
    t.match(await message(), '1 party with held places or on the waitlist gets no message.')
    await joinWaitlist(1)
    t.match(await message(), '2 parties with held places or on the waitlist get no message.')
    const preview = async (Body: string) =>
      textOf((await user.post(`${path}/message/preview`, { Subject: 'Rain', Body })).body)
    t.match(
      await preview('Dear {name}, {name}: bring a jacket.'),
      'read this exactly as you typed it: {name}. A placeholder has two braces on each side, for example {{ customer.first_name }}.',
    )
    const right = await preview('Dear {{ customer.first_name }}, {1} {-} }{.')
    t.match(right, 'Dear Ada, {1} {-} }{.')
    t.notMatch(right, 'as you typed it')
  },
)

t.test(
  'the page lists messages and closure e-mails that were sent to all bookings of the timeslot',
  async (t) => {
    const { sql, accountId, show, user, path, slotId, book, activityId } = await prepare(t)
    await book(activityId, { Customer: customer })
    await book(activityId, { Customer: customer })
    t.notMatch(await show(), 'E-mails to everybody')
    await user.post(`${path}/message`, { Subject: 'Bring a jacket', Body: 'It is cold.' })
    t.match(await show(), 'Message to everybody on a timeslot: Bring a jacket 0 of 2')
    await sql`update emails set status = 'sent', sent_at = now()`
    t.match(await show(), 'Message to everybody on a timeslot: Bring a jacket 2 of 2')
    const closure = { Step: 'close', TimeslotID: String(slotId), Action: 'cancel', Message: 'Too much wind.' }
    await user.post('/dashboard/calendar/closures', closure)
    await pumpEvents(sql)
    t.match(await show(), 'About a closure: Too much wind. 0 of 2')
    const other = await makeProduct(sql, accountId, { name: 'Other', slots: { '2030-06-15 10:00': 8 } })
    const [elsewhere] = await sql<{ id: number }[]>`select id from timeslots where product_id = ${other.id}`
    const { body } = await user.get(`/dashboard/calendar/timeslots/${elsewhere!.id}`)
    t.notMatch(textOf(body), 'E-mails to everybody')
  },
)

t.test('the capacity of a timeslot', async (t) => {
  t.test('is raised, and the new places are offered to the waitlist first', async (t) => {
    const { user, path, storedPlaces, show, book, joinWaitlist, activityId } = await prepare(t)
    await book(activityId, { Participants: 8 })
    await joinWaitlist(2)
    const answer = await user.post(`${path}/capacity`, { Capacity: '10' })
    t.equal(answer.statusCode, 303)
    t.equal(answer.headers.location, `${path}?done=capacity-offered&count=2`)
    t.match(await show('?done=capacity-offered&count=1'), '1 place is offered to the waitlist.')
    t.match(await show('?done=capacity-offered&count=2'), '2 places are offered to the waitlist.')
    t.match(await show('?done=capacity-offered&count=x'), 'places are offered to the waitlist.')
    t.match(await storedPlaces(), { capacity: 10, booked: 8, held: 2 })
    t.match(await show(), /Ada Lovelace \w+ 2 people, €90.00 offered until /)
  })

  t.test('is never lowered below the booked and held places, whose number the error states', async (t) => {
    const { user, path, storedPlaces, book, activityId } = await prepare(t)
    await book(activityId, { Participants: 5 })
    const answer = await user.post(`${path}/capacity`, { Capacity: '4' })
    t.equal(answer.statusCode, 409)
    t.match(textOf(answer.body), '5 places are booked and 0 are held.')
    t.match(answer.body, /name="Capacity" value="4"/, 'what was typed is still there')
    t.match(await storedPlaces(), { capacity: 8 })
    t.equal((await user.post(`${path}/capacity`, { Capacity: '5' })).statusCode, 303)
    t.match(await storedPlaces(), { capacity: 5 })
  })

  t.test('that is not a whole number of at least 0 is refused at its field', async (t) => {
    const { user, path, storedPlaces } = await prepare(t)
    for (const Capacity of ['', 'many', '-1', '1.5']) {
      const answer = await user.post(`${path}/capacity`, { Capacity })
      t.equal(answer.statusCode, 422)
      t.match(answer.body, /<input[^>]*name="Capacity"[^>]*aria-invalid="true"/, Capacity)
    }
    t.match(await storedPlaces(), { capacity: 8 })
  })

  t.test('is changed once by a form that is sent twice', async (t) => {
    const { user, path, storedPlaces, call, slotId } = await prepare(t)
    const once = { once: 'the-form' }
    await user.post(`${path}/capacity`, { Capacity: '12' }, once)
    await call('PATCH', `/timeslots/${slotId}`, { Capacity: 20 })
    t.equal((await user.post(`${path}/capacity`, { Capacity: '12' }, once)).statusCode, 303)
    t.match(await storedPlaces(), { capacity: 20 })
  })

  t.test('has a form whose address redirects to the page of the timeslot when reloaded', async (t) => {
    const { user, path } = await prepare(t)
    const again = await user.get(`${path}/capacity`)
    t.equal(again.statusCode, 303)
    t.equal(again.headers.location, path)
  })
})

t.test('a timeslot is taken off sale and put on sale again, and keeps its bookings', async (t) => {
  const { user, path, storedPlaces, show, book, activityId } = await prepare(t)
  await book(activityId)
  const closed = await user.post(`${path}/close`)
  t.equal(closed.headers.location, `${path}?done=closed`)
  t.match(await storedPlaces(), { status: 'closed', booked: 2 })
  t.match(await show(), 'Closed 2 booked of 8')
  t.equal((await book(activityId)).status, 409)
  t.match(await show(), 'Put it on sale again')
  const reopened = await user.post(`${path}/reopen`)
  t.equal(reopened.headers.location, `${path}?done=reopened`)
  t.match(await storedPlaces(), { status: 'open', booked: 2 })
  t.equal((await book(activityId)).status, 201)
})

t.test(
  'a message is offered while there are bookings; a closure while there are bookings or the timeslot is on sale',
  async (t) => {
    const { user, path, show, book, call, activityId } = await prepare(t)
    const [message, closure] = ['Message everybody on it', 'Close with its bookings']
    t.notMatch(await show(), message)
    t.match(await show(), closure)
    const { reference } = await book(activityId)
    await user.post(`${path}/close`)
    t.match(await show(), message)
    t.match(await show(), closure, 'it is off sale, and its booking is still active')
    await call('POST', `/bookings/${reference}/cancel`, {})
    t.notMatch(await show(), message)
    t.notMatch(await show(), closure)
  },
)

t.test('the waitlist of a timeslot', async (t) => {
  const email = { 'Customer.Email': 'grace@example.com' }

  t.test('accepts a party once, even if the form is sent twice, and records who sent it', async (t) => {
    const { sql, user, path, show, book, activityId } = await prepare(t)
    await book(activityId, { Participants: 8 })
    for (const _ of [1, 2]) {
      const answer = await user.post(`${path}/waitlist`, { ...party, ...email }, { once: 'the-form' })
      t.equal(answer.statusCode, 303)
      t.equal(answer.headers.location, `${path}?done=joined`)
    }
    t.same(await sql`select count(*)::integer from waitlist_entries`, [{ count: 1 }])
    t.match(await show(), /Grace Hopper \w+ 3 people, €135.00 waiting first in line/)
    const changes = await sql`
      select actor, actor_id as "actorId" from events where type = 'booking.waitlisted' and actor = 'user'`
    t.same(changes, [{ actor: 'user', actorId: user.userId }])
  })

  t.test('accepts nobody while places are free, and keeps what was typed', async (t) => {
    const { sql, user, path } = await prepare(t)
    const answer = await user.post(`${path}/waitlist`, { ...party, ...email })
    t.equal(answer.statusCode, 409)
    t.match(textOf(answer.body), 'The timeslot has places for this party')
    t.match(answer.body, 'value="Grace"')
    t.same(await sql`select from waitlist_entries`, [])
  })

  t.test('names the invalid fields of a party', async (t) => {
    const { sql, user, path, book, activityId } = await prepare(t)
    await book(activityId, { Participants: 8 })
    const answer = await user.post(`${path}/waitlist`, { ...party, 'Customer.Email': 'grace' })
    t.equal(answer.statusCode, 422)
    t.match(answer.body, /<input[^>]*name="Customer.Email" value="grace"[^>]*aria-invalid="true"/)
    t.equal((await user.post(`${path}/waitlist`, {})).statusCode, 422)
    t.same(await sql`select from waitlist_entries`, [])
  })

  t.test('removes a party, and offers its places to the next', async (t) => {
    const { user, path, show, book, call, joinWaitlist, activityId } = await prepare(t)
    const { reference } = await book(activityId, { Participants: 8 })
    const first = await joinWaitlist(8, 'First')
    await joinWaitlist(8, 'Second')
    await call('POST', `/bookings/${reference}/cancel`, {})
    t.match(
      await show(),
      /First Lovelace \w+ 8 people, €360.00 offered until .* Second Lovelace \w+ 8 people, €360.00 waiting/,
    )
    const answer = await user.post(`/dashboard/calendar/waitlist/${first.data.WaitlistID}/leave`)
    t.equal(answer.headers.location, `${path}?done=left`)
    const text = await show()
    t.match(text, /Second Lovelace \w+ 8 people, €360.00 offered until /)
    t.notMatch(text, 'First Lovelace')
    t.match(await show('?All=true'), /First Lovelace \w+ 8 people, €360.00 left/)
  })
})

t.test('a new timeslot', async (t) => {
  const fields = { Date: '2030-07-01', Time: '09:30', Capacity: '6' }

  t.test('is made once, even if the form is sent twice', async (t) => {
    const { sql, user, productId } = await prepare(t)
    for (const _ of [1, 2]) {
      const answer = await user.post(
        '/dashboard/calendar/timeslots/new',
        { ...fields, ProductID: String(productId) },
        { once: 'the-form' },
      )
      t.equal(answer.statusCode, 303)
      t.match(answer.headers.location, /^\/dashboard\/calendar\/timeslots\/\d+\?done=made$/)
    }
    const made =
      await sql`select product_id as "productId", time, capacity from timeslots where date = '2030-07-01'`
    t.same(made, [{ productId, time: '09:30', capacity: 6 }])
  })

  t.test('at the time of an existing timeslot is refused, with a link to that timeslot', async (t) => {
    const { user, productId, path } = await prepare(t)
    const sameTime = { ProductID: String(productId), Date: '2030-06-15', Time: '10:00', Capacity: '6' }
    const answer = await user.post('/dashboard/calendar/timeslots/new', sameTime)
    t.equal(answer.statusCode, 409)
    t.match(answer.body, `<a href="${path}">`)
    t.match(answer.body, 'value="10:00"')
  })

  t.test('with an invalid field is refused, with the error at that field', async (t) => {
    const { sql, user, productId } = await prepare(t)
    const refused: [Record<string, string>, RegExp][] = [
      [{}, /name="Time"[^>]*aria-invalid="true"/],
      [{ ...fields, ProductID: 'x' }, /name="ProductID"[^>]*aria-invalid="true"/],
      // The clocks in Lisbon skip this time.
      [
        { ...fields, ProductID: String(productId), Date: '2030-03-31', Time: '01:30' },
        /name="Time"[^>]*aria-invalid="true"/,
      ],
    ]
    for (const [sent, fault] of refused) {
      const answer = await user.post('/dashboard/calendar/timeslots/new', sent)
      t.equal(answer.statusCode, 422)
      t.match(answer.body, fault)
    }
    t.same(await sql`select count(*)::integer from timeslots`, [{ count: 1 }])
  })

  t.test('that is refused shows again what was typed for the time and for the opening hours', async (t) => {
    const { user } = await prepare(t)
    const hours = { 'OpeningHours[0].Opens': '10:15', 'OpeningHours[0].Closes': '18:45' }
    for (const AllDay of ['true', 'false']) {
      const sent = { ...fields, ...hours, AllDay, ProductID: 'x' }
      const { statusCode, body } = await user.post('/dashboard/calendar/timeslots/new', sent)
      t.equal(statusCode, 422)
      t.match(body, /name="Time"[^>]*value="09:30"/, `the time, all day: ${AllDay}`)
      t.match(body, /name="OpeningHours\[0\]\.Opens"[^>]*value="10:15"/, `the opening, all day: ${AllDay}`)
      t.match(body, /name="OpeningHours\[0\]\.Closes"[^>]*value="18:45"/, `the closing, all day: ${AllDay}`)
    }
  })

  t.test('has a form that is filled with the day and the product of the previous page', async (t) => {
    const { user, productId } = await prepare(t)
    const { body } = await user.get(
      `/dashboard/calendar/timeslots/new?Date=2030-07-02&ProductID=${productId}`,
    )
    t.match(body, 'value="2030-07-02"')
    t.match(body, `<option value="${productId}" selected>`)
  })
})

t.test('requests for timeslots of another account get 404 and change nothing', async (t) => {
  const { app, sql, user } = await prepare(t)
  const other = await makeCaller(sql, { slug: 'other', scopes: ['operator'] })
  const theirs = await makeProduct(sql, other.accountId, { name: 'Theirs', slots: { '2030-06-15 10:00': 8 } })
  const [slot] = await sql<{ id: number }[]>`select id from timeslots where product_id = ${theirs.id}`
  const path = `/dashboard/calendar/timeslots/${slot!.id}`
  t.equal((await user.get(path)).statusCode, 404)
  t.equal((await user.post(`${path}/capacity`, { Capacity: '9' })).statusCode, 404)
  t.equal((await user.post(`${path}/close`)).statusCode, 404)
  t.equal((await user.post(`${path}/reopen`)).statusCode, 404)
  const grace = { ...party, 'Customer.Email': 'grace@example.com' }
  t.equal((await user.post(`${path}/waitlist`, grace)).statusCode, 404)
  await sql`update timeslots set booked = 8 where id = ${slot!.id}`
  const wanted = { ActivityID: theirs.activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
  const joined = await app.inject({
    ...{ method: 'POST', url: '/api/v2/operator/waitlist', headers: other.headers },
    payload: { ...wanted, Customer: customer },
  })
  t.equal(joined.statusCode, 201)
  const [entry] = await sql<{ id: number }[]>`select id from waitlist_entries`
  t.equal((await user.post(`/dashboard/calendar/waitlist/${entry!.id}/leave`)).statusCode, 404)
  const made = { ProductID: String(theirs.id), Date: '2030-07-01', Time: '09:30', Capacity: '6' }
  t.equal((await user.post('/dashboard/calendar/timeslots/new', made)).statusCode, 404)
  t.same(await sql`select capacity, status from timeslots where account_id = ${other.accountId}`, [
    { capacity: 8, status: 'open' },
  ])
  t.same(await sql`select id, status from waitlist_entries`, [{ id: entry!.id, status: 'waiting' }])
})

t.test('a form with a wrong CSRF token changes nothing', async (t) => {
  const { user, path, storedPlaces } = await prepare(t)
  for (const action of ['capacity', 'close', 'reopen', 'waitlist'])
    t.equal((await user.post(`${path}/${action}`, { Capacity: '3' }, { csrf: 'guessed' })).statusCode, 403)
  t.match(await storedPlaces(), { capacity: 8, status: 'open' })
})

t.test(
  'the page of a timeslot that has begun does not offer to close it or to put it on sale again',
  async (t) => {
    const { sql, user, path, book, activityId, slotId } = await prepare(t)
    await book(activityId, { Customer: customer })
    const offers = async () => {
      const { body } = await user.get(path)
      return ['/reopen"', '/close"', `closures?TimeslotID=${slotId}"`].filter((end) => body.includes(end))
    }
    t.same(await offers(), ['/close"', `closures?TimeslotID=${slotId}"`])
    await sql`update timeslots set status = 'closed'`
    t.same(await offers(), ['/reopen"', `closures?TimeslotID=${slotId}"`])
    await sql`update timeslots set starts_at = now() - interval '1 minute'`
    t.same(await offers(), [])
    await sql`update timeslots set status = 'open'`
    t.same(await offers(), [])
  },
)
