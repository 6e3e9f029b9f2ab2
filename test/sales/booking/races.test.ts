/** Concurrent changes of bookings: places are freed once and sold once, and transactions do not deadlock. */
import t from 'tap'
import { theService } from '../../../src/events/actor.ts'
import { changeBookings } from '../../../src/inventory/service.ts'
import { amend } from '../../../src/sales/booking/changes/amending.ts'
import { lockBooking } from '../../../src/sales/booking/changes/locking.ts'
import { move } from '../../../src/sales/booking/changes/moving.ts'
import { updateAttendance } from '../../../src/sales/booking/changes/queries.ts'
import { bookingBody, bookingPath } from '../../helper.ts'
import { until } from '../../until.ts'
import { openDesk } from './fixtures.ts'

const afternoon = { Date: '2030-06-15', Time: '14:00' }
const tomorrow = { Date: '2030-06-16', Time: '10:00' }
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))

t.test('a booking cancelled several times at once frees its places once', async (t) => {
  const { book, act, taken, history, differences } = await openDesk(t)
  const reference = await book({ Participants: 3 })
  await book()
  const answers = await Promise.all(times(6, () => act(reference, 'cancel')))
  for (const answer of answers) {
    t.equal(answer.statusCode, 200)
    t.same(answer.json(), answers[0]!.json())
  }
  t.equal((await history(reference)).length, 2)
  t.match(await taken(), { '2030-06-15 10:00': '2+0' })
  t.same(await differences(), [])
})

t.test('the same cancellation with one key, sent several times at once, is done once', async (t) => {
  const { book, act, history } = await openDesk(t)
  const reference = await book()
  const answers = await Promise.all(times(5, () => act(reference, 'cancel', {}, { 'idempotency-key': 'k' })))
  t.same(
    answers.map(({ statusCode }) => statusCode),
    times(5, () => 200),
  )
  t.equal(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true').length, 4)
  t.equal((await history(reference)).length, 2)
})

t.test('when moves and bookings compete for the last places, each place is sold once', async (t) => {
  const { book, act, app, partner, product, taken, differences } = await openDesk(t)
  const movers = await Promise.all(times(6, () => book({ Participants: 1 })))
  const payload = bookingBody(product.activityId, { ...afternoon, Participants: 1 })
  const bookInAfternoon = () =>
    app.inject({ method: 'POST', url: bookingPath, headers: partner.headers, payload })
  const [moved, booked] = await Promise.all([
    Promise.all(movers.map((reference) => act(reference, 'move', afternoon))),
    Promise.all(times(6, bookInAfternoon)),
  ])
  const won = [...moved, ...booked].filter(({ statusCode }) => statusCode < 300)
  const lost = [...moved, ...booked].filter(({ statusCode }) => statusCode >= 300)
  t.equal(won.length, 4)
  t.ok(lost.every((answer) => answer.statusCode === 409 && answer.json().Available === 0))
  const stayed = 6 - moved.filter(({ statusCode }) => statusCode === 200).length
  t.match(await taken(), { '2030-06-15 10:00': `${stayed}+0`, '2030-06-15 14:00': '4+0' })
  t.same(await differences(), [])
})

t.test('moves in opposite directions between two timeslots do not deadlock', async (t) => {
  const { book, sql, accountId, differences } = await openDesk(t)
  const here = await Promise.all(times(2, () => book({ Participants: 1 })))
  const there = await Promise.all(times(2, () => book({ Participants: 1, ...afternoon })))
  const moveTo = (reference: string, { Date: date, Time: time }: typeof afternoon) =>
    sql.begin((tx) =>
      move(tx, { accountId, reference, actor: theService }, { activityId: null, date, time, party: null }),
    )
  const morning = { Date: '2030-06-15', Time: '10:00' }
  // The test does not use runOnce(), which would retry after a deadlock and hide it.
  for (let round = 0; round < 10; round++) {
    const [forth, back] = round % 2 === 0 ? [afternoon, morning] : [morning, afternoon]
    await Promise.all([
      ...here.map((reference) => moveTo(reference, forth)),
      ...there.map((reference) => moveTo(reference, back)),
    ])
  }
  t.same(await differences(), [])
})

t.test(
  'a booking that is moved, amended and cancelled at the same time ends cancelled, and frees all its places',
  async (t) => {
    const { book, act, history, taken, differences } = await openDesk(t)
    const reference = await book()
    const answers = await Promise.all([
      act(reference, 'move', afternoon),
      act(reference, 'move', tomorrow),
      act(reference, 'amend', { Participants: 3 }),
      act(reference, 'cancel'),
    ])
    for (const answer of answers) {
      const late = answer.statusCode === 409 && answer.json().Status === 'cancelled'
      t.ok(answer.statusCode === 200 || late, answer.body)
    }
    const done = answers.filter(({ statusCode }) => statusCode === 200).length
    t.equal((await history(reference)).length, 1 + done)
    t.ok(Object.values(await taken()).every((places) => places === '0+0'))
    t.same(await differences(), [])
  },
)

t.test('a cancellation that waits for a lock while its booking is moved frees the new places', async (t) => {
  const { book, act, sql, taken, slotId, differences } = await openDesk(t)
  const reference = await book()
  const morning = await slotId('2030-06-15', '10:00')
  const afternoonId = await slotId('2030-06-15', '14:00')
  let cancelling: Promise<{ statusCode: number }> | undefined
  await sql.begin(async (tx) => {
    await tx`select from timeslots where id = ${morning} for update`
    cancelling = act(reference, 'cancel')
    await until(async () => {
      const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
    await tx`update bookings set timeslot_id = ${afternoonId} where reference = ${reference}`
    await tx`update timeslots set booked = case id when ${afternoonId} then 2 else 0 end`
  })
  t.equal((await cancelling!).statusCode, 200)
  t.same(await differences(), [])
  t.match(await taken(), { '2030-06-15 10:00': '0+0', '2030-06-15 14:00': '0+0' })
})

t.test('a check-in during a cancellation takes effect before the cancellation or is refused', async (t) => {
  const { book, act, history, differences } = await openDesk(t)
  for (const reference of await Promise.all(times(6, () => book({ Participants: 1 })))) {
    const [checkedIn, cancelled] = await Promise.all([
      act(reference, 'attendance', { Attendance: 'checked-in' }),
      act(reference, 'cancel'),
    ])
    t.equal(cancelled.statusCode, 200)
    const actions = (await history(reference)).map(({ Action }) => Action)
    if (checkedIn.statusCode === 200) t.same(actions, ['confirmed', 'checked-in', 'cancelled'])
    else {
      t.match(checkedIn.json(), { status: 409, Status: 'cancelled' })
      t.same(actions, ['confirmed', 'cancelled'])
    }
  }
  t.same(await differences(), [])
})

t.test('a check-in and an amendment of the same booking at the same time do not deadlock', async (t) => {
  const { book, sql, accountId, history, differences } = await openDesk(t)
  const reference = await book({ Participants: 1 })
  const subject = { accountId, reference, actor: theService }
  const attend = (attendance: 'checked-in' | 'no-show') =>
    sql.begin(async (tx) => {
      const booking = await lockBooking(tx, subject)
      await updateAttendance(tx, accountId, booking.id, { attendance, peopleHere: 1, peopleAbsent: 0 })
      await changeBookings(tx, theService, [{ booking, to: {}, action: attendance }])
    })
  // The test does not use runOnce(), which would retry after a deadlock and hide it.
  for (let round = 0; round < 10; round++) {
    await Promise.all([
      sql.begin((tx) => amend(tx, subject, { party: { participants: (round % 2) + 2, units: null } })),
      attend('checked-in'),
      sql.begin((tx) => amend(tx, subject, { party: { participants: (round % 2) + 4, units: null } })),
      attend('no-show'),
    ])
  }
  t.equal((await history(reference)).length, 1 + 10 * 4)
  t.same(await differences(), [])
})

t.test('when an amendment and bookings compete for the last places, each place is sold once', async (t) => {
  const { book, act, app, partner, product, taken, differences } = await openDesk(t)
  const reference = await book({ Participants: 4 })
  const payload = bookingBody(product.activityId, { Participants: 1 })
  const [amended, ...booked] = await Promise.all([
    act(reference, 'amend', { Participants: 7 }),
    ...times(6, () => app.inject({ method: 'POST', url: bookingPath, headers: partner.headers, payload })),
  ])
  const made = booked.filter(({ statusCode }) => statusCode === 201).length
  const size = amended!.statusCode === 200 ? 7 : 4
  t.ok(amended!.statusCode === 200 || amended!.json().type.endsWith('insufficient-capacity'))
  t.equal(made, Math.min(6, 8 - size))
  t.match(await taken(), { '2030-06-15 10:00': `${size + made}+0` })
  t.same(await differences(), [])
})
