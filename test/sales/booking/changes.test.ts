/** Changes of bookings by an operator: which are allowed, when, and their effects on places, history and e-mails. */
import t from 'tap'
import { clockAt } from '../../clock.ts'
import { makeCaller, makeProduct } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'
import { makeBasket, openDesk } from './fixtures.ts'

const afternoon = { Date: '2030-06-15', Time: '14:00' }

t.test('cancel frees the places once, and the history records who cancelled and why', async (t) => {
  const { book, act, taken, history, sql } = await openDesk(t)
  const reference = await book()
  const answer = await act(reference, 'cancel', { Reason: ' A cold. ' })
  t.equal(answer.statusCode, 200)
  const cancelled = answer.json().data
  t.match(cancelled, { Status: 'cancelled', CancelledAt: /Z$/, CancelReason: 'operator', Participants: 2 })
  t.match(await taken(), { '2030-06-15 10:00': '0+0' })
  t.same((await act(reference, 'cancel', { Reason: 'Again.' })).json().data, cancelled)
  const [, ...changes] = await history(reference)
  const [key] = await sql`select id from api_keys where 'operator' = any(scopes)`
  t.match(changes, [
    { Action: 'cancelled', Actor: { Kind: 'key', ID: key!.id, Name: null }, Details: { Reason: 'A cold.' } },
  ])
  t.equal(changes.length, 1)
  t.match(await sql`select type from events order by id`, [
    { type: 'booking.confirmed' },
    { type: 'booking.cancelled' },
  ])
})

t.test('cancel offers freed places to the waitlist', async (t) => {
  const { book, act, read, sql, accountId, slotId, differences } = await openDesk(t)
  const reference = await book({ Participants: 8 })
  const timeslotId = await slotId('2030-06-15', '10:00')
  const [waiting] = await makeBasket(sql, accountId, [{ timeslotId, status: 'waitlisted', participants: 3 }])
  t.equal((await act(reference, 'cancel')).statusCode, 200)
  await pumpEvents(sql)
  t.match((await read(`/${waiting}`)).json().data, {
    Status: 'held',
    History: [{ Action: 'waitlisted' }, { Action: 'offered', Actor: { Kind: 'service' } }],
    Emails: [{ Kind: 'waitlist-offer', Status: 'queued', SentAt: null }],
  })
  t.same(await differences(), [])
})

t.test(
  '409 cutoff-passed answers a cancellation after the product’s cut-off, unless Override is set',
  async (t) => {
    const { book, act, history, sql, taken } = await openDesk(t, clockAt('2030-06-15T07:30:00Z'))
    const early = await book()
    const late = await book()
    await sql`update products set cancel_cutoff_minutes = 60`
    t.equal((await act(early, 'cancel')).statusCode, 200)
    await sql`update products set cancel_cutoff_minutes = 120`
    const answer = await act(late, 'cancel')
    t.equal(answer.statusCode, 409)
    t.match(answer.json(), { type: /cutoff-passed$/, CancelBy: '2030-06-15T07:00:00.000Z' })
    t.match(await taken(), { '2030-06-15 10:00': '2+0' })
    t.equal((await act(late, 'cancel', { Override: true })).json().data.Status, 'cancelled')
    t.match(await history(late), [{}, { Action: 'cancelled', Details: { Override: true } }])
    t.equal((await act(late, 'cancel')).statusCode, 200, 'cancelling again succeeds')
  },
)

t.test(
  'cancelling a held line leaves the other lines of its basket; cancelling the last line ends the basket',
  async (t) => {
    const { act, sql, accountId, slotId, taken, differences } = await openDesk(t)
    const timeslotId = await slotId('2030-06-15', '10:00')
    const line = { timeslotId, status: 'held' } as const
    const [first, second] = await makeBasket(sql, accountId, [line, line])
    const basket = async () => (await sql`select status from baskets`)[0]!.status
    t.equal((await act(first!, 'cancel')).json().data.Status, 'cancelled')
    t.equal(await basket(), 'open')
    t.match(await taken(), { '2030-06-15 10:00': '0+1' })
    t.equal((await act(second!, 'cancel')).statusCode, 200)
    t.equal(await basket(), 'cancelled')
    t.same(await differences(), [])
  },
)

t.test('cancelling a waitlisted booking takes it off the waitlist', async (t) => {
  const { book, act, sql, accountId, slotId, read } = await openDesk(t)
  const full = await book({ Participants: 8 })
  const timeslotId = await slotId('2030-06-15', '10:00')
  const [waiting] = await makeBasket(sql, accountId, [{ timeslotId, status: 'waitlisted' }])
  t.equal((await act(waiting!, 'cancel')).json().data.Status, 'cancelled')
  t.match(await sql`select status from waitlist_entries`, [{ status: 'left' }])
  await act(full, 'cancel')
  t.match((await read(`/${waiting}`)).json().data, { Status: 'cancelled', Emails: [] })
})

t.test('move takes the new places and gives back the old, at the same price', async (t) => {
  const { act, sql, accountId, slotId, taken, history, differences } = await openDesk(t)
  const timeslotId = await slotId('2030-06-15', '10:00')
  const [reference] = await makeBasket(sql, accountId, [{ timeslotId, status: 'confirmed', participants: 3 }])
  await sql`update products set price_minor = 9900`
  const answer = await act(reference!, 'move', afternoon)
  t.equal(answer.statusCode, 200)
  t.match(answer.json().data, {
    Status: 'confirmed',
    ...afternoon,
    UnitPrice: { Amount: '45.00' },
    Participants: 3,
  })
  t.match(await taken(), { '2030-06-15 10:00': '0+0', '2030-06-15 14:00': '3+0' })
  t.match((await history(reference!)).at(-1), {
    Action: 'moved',
    Details: {
      From: { TimeslotID: timeslotId, Date: '2030-06-15', Time: '10:00' },
      To: { TimeslotID: await slotId('2030-06-15', '14:00'), ...afternoon },
    },
  })
  t.same(await differences(), [])
})

t.test('move clears the attendance, and goes to another product only if ActivityID names it', async (t) => {
  const { book, act, sql, accountId, read } = await openDesk(t)
  const sail = await makeProduct(sql, accountId, {
    name: 'Sail',
    inShopfront: false,
    slots: { '2030-07-01 09:00': 5 },
  })
  const reference = await book()
  await act(reference, 'attendance', { Attendance: 'no-show' })
  const target = { Date: '2030-07-01', Time: '09:00' }
  t.equal((await act(reference, 'move', target)).statusCode, 409)
  t.equal((await act(reference, 'move', { ...target, ActivityID: sail.activityId })).statusCode, 200)
  t.match((await read(`/${reference}`)).json().data, { ...target, ProductID: sail.id, Attendance: null })
})

t.test('a move to the booking’s own timeslot changes nothing', async (t) => {
  const { book, act, history, read } = await openDesk(t)
  const reference = await book({ Participants: 8 })
  const before = (await read('')).json().data[0]
  const answer = await act(reference, 'move', { Date: '2030-06-15', Time: '10:00' })
  t.equal(answer.statusCode, 200)
  t.same(answer.json().data, before)
  t.equal((await history(reference)).length, 1)
})

t.test('409 insufficient-capacity answers a move to too few places, and nothing changes', async (t) => {
  const { book, act, taken, history } = await openDesk(t)
  await book({ Time: '14:00' })
  const reference = await book({ Participants: 3 })
  const answer = await act(reference, 'move', afternoon)
  t.equal(answer.statusCode, 409)
  t.match(answer.json(), {
    type: /insufficient-capacity$/,
    Available: 2,
    Alternatives: [{ Date: '2030-06-16', Time: '10:00', Available: 10 }],
  })
  t.match(await taken(), { '2030-06-15 10:00': '3+0', '2030-06-15 14:00': '2+0' })
  t.equal((await history(reference)).length, 1)
})

t.test(
  '409 timeslot-unavailable answers a move to a timeslot that is missing, closed or has begun',
  async (t) => {
    const { book, act, sql, taken } = await openDesk(t, clockAt('2030-06-15T08:00:00Z'))
    const reference = await book()
    await sql`update timeslots set status = 'closed' where time = '14:00'`
    await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select account_id, product_id, date, '08:00', '2030-06-15 07:00Z', 5 from timeslots limit 1`
    for (const target of [
      { Date: '2030-06-15', Time: '11:11' },
      afternoon,
      { Date: '2030-06-15', Time: '08:00' },
    ]) {
      const answer = await act(reference, 'move', target)
      t.equal(answer.statusCode, 409, target.Time)
      t.match(answer.json(), { type: /timeslot-unavailable$/ })
      t.match(answer.json().Alternatives.at(-1), { Date: '2030-06-16', Time: '10:00' })
    }
    t.match(await taken(), { '2030-06-15 10:00': '2+0' })
  },
)

t.test('a move succeeds if the party fits once expired holds are released', async (t) => {
  const { book, act, sql, accountId, slotId, differences } = await openDesk(t)
  const timeslotId = await slotId('2030-06-15', '14:00')
  await makeBasket(sql, accountId, [{ timeslotId, status: 'held', participants: 4 }])
  const reference = await book()
  t.equal((await act(reference, 'move', afternoon)).statusCode, 409)
  await sql`update baskets set expires_at = app_now() where status = 'open'`
  t.equal((await act(reference, 'move', afternoon)).statusCode, 200)
  t.same(await differences(), [])
})

t.test('amend takes more places, or frees places, which are offered to the waitlist', async (t) => {
  const { book, act, sql, accountId, slotId, taken, history, read, differences } = await openDesk(t)
  const reference = await book()
  t.equal((await act(reference, 'amend', { Participants: 8 })).json().data.Participants, 8)
  t.match((await history(reference)).at(-1), { Action: 'amended', Details: { From: 2, To: 8 } })
  const timeslotId = await slotId('2030-06-15', '10:00')
  const [waiting] = await makeBasket(sql, accountId, [{ timeslotId, status: 'waitlisted', participants: 3 }])
  t.equal((await act(reference, 'amend', { Participants: 4 })).statusCode, 200)
  t.equal((await read(`/${waiting}`)).json().data.Status, 'held')
  t.match(await taken(), { '2030-06-15 10:00': '4+3' })
  t.equal((await act(reference, 'amend', { Participants: 4 })).statusCode, 200)
  t.equal((await history(reference)).length, 3, 'the same number changes nothing')
  t.same(await differences(), [])
})

t.test(
  '409 refuses an amendment that needs more places than are free, or adds people after the start',
  async (t) => {
    const { book, act, sql, taken } = await openDesk(t)
    const reference = await book()
    await book({ Participants: 3 })
    const answer = await act(reference, 'amend', { Participants: 6 })
    t.equal(answer.statusCode, 409)
    t.match(answer.json(), {
      type: /insufficient-capacity$/,
      Available: 3,
      Alternatives: [{ Date: '2030-06-16', Time: '10:00' }],
    })
    await sql`update timeslots set starts_at = now() - interval '1 hour' where time = '10:00'`
    t.match((await act(reference, 'amend', { Participants: 3 })).json(), { type: /timeslot-unavailable$/ })
    t.equal((await act(reference, 'amend', { Participants: 1 })).statusCode, 200)
    t.match(await taken(), { '2030-06-15 10:00': '4+0' })
  },
)

t.test(
  'attendance is set to checked-in or no-show, and cleared, and the history has each change',
  async (t) => {
    const { book, act, history } = await openDesk(t)
    const reference = await book()
    for (const Attendance of ['checked-in', 'checked-in', 'no-show', null]) {
      const answer = await act(reference, 'attendance', { Attendance })
      t.equal(answer.statusCode, 200)
      t.equal(answer.json().data.Attendance, Attendance)
    }
    t.same(
      (await history(reference)).map(({ Action }) => Action),
      ['confirmed', 'checked-in', 'no-show', 'attendance-cleared'],
    )
  },
)

t.test(
  'the customer and the answers are changed; the history has only the names of the fields',
  async (t) => {
    const { book, patch, history, sql, accountId, product } = await openDesk(t)
    const [question] = await sql<{ id: number }[]>`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${product.id}, 1, 'Can you swim?', 'text', true, '{}', 'booking') returning id`
    const reference = await book()
    const Answers = [{ QuestionID: question!.id, Value: ['Yes', 'Well'] }]
    const Customer = { FirstName: 'Ada', Email: 'new@example.com', Phone: '+351 912-345 678' }
    const answer = await patch(reference, { Customer, Answers })
    t.equal(answer.statusCode, 200)
    t.match(answer.json().data, {
      Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'new@example.com', Phone: '+351912345678' },
      Answers,
    })
    const Fields = ['Customer.Email', 'Customer.Phone', 'Answers']
    t.match(await history(reference), [{}, { Action: 'customer-changed', Details: { Fields } }])
    t.notMatch(JSON.stringify(await sql`select details from events`), /example|Yes/)
    for (const nothing of [{}, { Customer: null }, { Customer, Answers }]) {
      t.equal((await patch(reference, nothing)).statusCode, 200)
    }
    t.equal((await history(reference)).length, 2, 'a change to the same values adds nothing to the history')
    const unknown = await patch(reference, { Answers: [{ QuestionID: 999_999, Value: '' }] })
    t.equal(unknown.statusCode, 422)
    t.match(unknown.json().errors, [{ field: 'Answers[0].QuestionID' }])
  },
)

t.test('resending a confirmation queues an e-mail, and adds a row to the history', async (t) => {
  const { book, act, read, sql } = await openDesk(t)
  const reference = await book()
  t.equal((await act(reference, 'resend')).statusCode, 200)
  await pumpEvents(sql)
  t.match((await read(`/${reference}`)).json().data, {
    Emails: [{ Kind: 'confirmation', Status: 'queued' }],
    History: [{}, { Action: 'confirmation-resent' }],
  })
})

t.test('409 no-email-address answers a resend for a booking without an e-mail address', async (t) => {
  const { book, act, sql } = await openDesk(t)
  const reference = await book()
  await sql`update bookings set email = null`
  const answer = await act(reference, 'resend')
  t.equal(answer.statusCode, 409)
  t.match(answer.json(), { type: /no-email-address$/ })
  await pumpEvents(sql)
  t.same(await sql`select from emails`, [])
})

const changes: [string, object][] = [
  ['cancel', {}],
  ['move', afternoon],
  ['amend', { Participants: 1 }],
  ['attendance', { Attendance: 'checked-in' }],
  ['resend', {}],
]

t.test('409 booking-not-changeable answers a change that the booking’s status does not allow', async (t) => {
  const { book, act, patch, sql, accountId, slotId } = await openDesk(t)
  const timeslotId = await slotId('2030-06-15', '10:00')
  const cancelled = await book()
  await act(cancelled, 'cancel')
  const [held] = await makeBasket(sql, accountId, [{ timeslotId, status: 'held' }])
  const [waiting] = await makeBasket(sql, accountId, [{ timeslotId, status: 'waitlisted' }])
  const [expired] = await makeBasket(sql, accountId, [{ timeslotId, status: 'waitlisted' }])
  await sql`update bookings set status = 'expired' where reference = ${expired!}`
  const refused = async (reference: string, action: string, payload: object, Status: string) => {
    const answer = await (action === 'patch' ? patch(reference, payload) : act(reference, action, payload))
    t.equal(answer.statusCode, 409, `${action} of ${Status}`)
    t.match(answer.json(), { type: /booking-not-changeable$/, Status })
  }
  for (const [action, payload] of [...changes, ['patch', {}] as [string, object]]) {
    if (action !== 'cancel') await refused(cancelled, action, payload, 'cancelled')
    await refused(expired!, action, payload, 'expired')
    if (action === 'cancel' || action === 'patch') continue
    await refused(held!, action, payload, 'held')
    await refused(waiting!, action, payload, 'waitlisted')
  }
  const Customer = { LastName: 'Brewster' }
  t.equal((await patch(held!, { Customer })).json().data.Customer.LastName, 'Brewster')
  t.equal((await patch(waiting!, { Customer })).statusCode, 200)
})

t.test('404 refuses a change of a booking that is unknown or another account’s', async (t) => {
  const { book, sql, app, taken } = await openDesk(t)
  const reference = await book()
  const { headers } = await makeCaller(sql, { slug: 'other', scopes: ['operator'] })
  for (const one of [reference, '2222222222']) {
    for (const [action, payload] of changes) {
      const url = `/api/v2/operator/bookings/${one}/${action}`
      t.equal((await app.inject({ method: 'POST', url, headers, payload })).statusCode, 404, action)
    }
    const url = `/api/v2/operator/bookings/${one}`
    t.equal((await app.inject({ method: 'PATCH', url, headers, payload: {} })).statusCode, 404)
  }
  t.match(await taken(), { '2030-06-15 10:00': '2+0' })
})

t.test('422 names every failing field of a change', async (t) => {
  const { book, act, patch } = await openDesk(t)
  const reference = await book()
  const unknown = 's_00000000-0000-4000-8000-000000000000'
  const cases: [string, object, string[]][] = [
    ['cancel', { Override: 'yes', Reason: ' ' }, ['Override', 'Reason']],
    ['move', {}, ['Date', 'Time']],
    ['move', { Date: '2030-02-30', Time: '24:00', ActivityID: 'x' }, ['Date', 'Time', 'ActivityID']],
    ['move', { ...afternoon, ActivityID: unknown }, ['ActivityID']],
    ['amend', {}, ['Participants']],
    ['amend', { Participants: 0 }, ['Participants']],
    ['amend', { Participants: '3' }, ['Participants']],
    ['attendance', {}, ['Attendance']],
    ['attendance', { Attendance: 'late' }, ['Attendance']],
    ['patch', { Customer: { Email: 'x', Phone: '1' } }, ['Customer.Email', 'Customer.Phone']],
    ['patch', { Answers: [{}] }, ['Answers[0].QuestionID', 'Answers[0].Value']],
  ]
  for (const [action, payload, fields] of cases) {
    const answer = await (action === 'patch' ? patch(reference, payload) : act(reference, action, payload))
    t.equal(answer.statusCode, 422, `${action} ${JSON.stringify(payload)}`)
    const named = answer.json().errors.map(({ field }: { field: string }) => field)
    t.same(named.toSorted(), fields.toSorted())
  }
})

t.test(
  'a change with an idempotency key is made once; the same operation refuses the key for other changes',
  async (t) => {
    const { book, act, taken, history } = await openDesk(t)
    const reference = await book()
    const other = await book()
    const key = { 'idempotency-key': 'k1' }
    const first = await act(reference, 'amend', { Participants: 3 }, key)
    await act(reference, 'amend', { Participants: 1 })
    const again = await act(reference, 'amend', { Participants: 3 }, key)
    t.equal(again.headers['idempotency-replayed'], 'true')
    t.same(again.json(), first.json())
    t.notOk(first.headers['idempotency-replayed'])
    t.match(await taken(), { '2030-06-15 10:00': '3+0' })
    t.equal((await history(reference)).length, 3)
    for (const answer of [
      await act(reference, 'amend', { Participants: 4 }, key),
      await act(other, 'amend', { Participants: 3 }, key),
    ]) {
      t.equal(answer.statusCode, 422)
      t.match(answer.json(), { type: /idempotency-key-reused$/ })
    }
    t.equal(
      (await act(reference, 'cancel', {}, key)).statusCode,
      200,
      'another operation may use the same key',
    )
  },
)

t.test('an idempotency key whose request was refused can be used again', async (t) => {
  const { book, act } = await openDesk(t)
  const full = await book({ Time: '14:00', Participants: 4 })
  const reference = await book()
  const key = { 'idempotency-key': 'k1' }
  t.equal((await act(reference, 'move', afternoon, key)).statusCode, 409)
  await act(full, 'cancel')
  const moved = await act(reference, 'move', afternoon, key)
  t.equal(moved.statusCode, 200)
  t.notOk(moved.headers['idempotency-replayed'])
})
