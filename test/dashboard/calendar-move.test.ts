/** The page that moves a timeslot: its form, its errors, and its links when the timeslot has bookings. */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

async function prepare(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn } = dashboard
  const { id: productId, activityId } = await makeProduct(sql, accountId, {
    slots: { '2030-06-15 10:00': 8, '2030-06-16 10:00': 8 },
  })
  const slots = await sql<{ id: number }[]>`select id from timeslots order by date`
  const [first, second] = slots.map(({ id }) => `/dashboard/calendar/timeslots/${id}`)
  const user = await signIn('staff')
  const show = async (query = '') => textOf((await user.get(`${first}/move${query}`)).body)
  return { ...dashboard, productId, activityId, first: first!, second: second!, user, show }
}

t.test('a timeslot is moved once if the form is sent twice', async (t) => {
  const { sql, user, first } = await prepare(t)
  for (const _ of [1, 2]) {
    const answer = await user.post(
      `${first}/move`,
      { Date: '2030-06-17', Time: '11:30' },
      { once: 'the-form' },
    )
    t.equal(answer.statusCode, 303)
    t.match(answer.headers.location, /^\/dashboard\/calendar\/timeslots\/\d+\?done=timeslot-moved$/)
  }
  const places = await sql`select date, time from timeslots order by date`
  t.same(places, [
    { date: '2030-06-16', time: '10:00' },
    { date: '2030-06-17', time: '11:30' },
  ])
  const [event] = await sql`select actor, actor_id as "actorId" from events where type = 'timeslot.removed'`
  t.same(event, { actor: 'user', actorId: user.userId })
})

t.test('errors are shown beside the fields, which keep the typed values', async (t) => {
  const { user, first, second } = await prepare(t)
  const same = await user.post(`${first}/move`, { Date: '2030-06-15', Time: '10:00' })
  t.equal(same.statusCode, 422)
  t.match(same.body, /<input[^>]*name="Date" value="2030-06-15"[^>]*aria-invalid="true"/)
  const skipped = await user.post(`${first}/move`, { Date: '2030-03-31', Time: '01:30' })
  t.match(skipped.body, /<input[^>]*name="Time" value="01:30"[^>]*aria-invalid="true"/)
  t.equal((await user.post(`${first}/move`, { Date: 'soon' })).statusCode, 422)
  const taken = await user.post(`${first}/move`, { Date: '2030-06-16', Time: '10:00' })
  t.equal(taken.statusCode, 409)
  t.match(taken.body, `<a href="${second}">Another timeslot</a> has`)
})

t.test('the form is filled with the date and time to which a timeslot was dragged', async (t) => {
  const { user, first, second, show } = await prepare(t)
  const { body } = await user.get(`${first}/move?Date=2030-06-16&Time=12:15`)
  t.match(body, 'value="2030-06-16"')
  t.match(body, 'value="12:15"')
  t.match((await user.get(`${first}/move?Date=2030-06-16&Time=10:00`)).body, `href="${second}"`)
  t.match(await show(), 'Nobody has booked it, so no e-mail is sent.')
  t.equal((await user.get(`${first}/move?Date=soon`)).statusCode, 422)
})

t.test(
  'the move page of a booked timeslot links to the form of a new timeslot at the target, and to that of a closure',
  async (t) => {
    const { user, first, book, activityId, show } = await prepare(t)
    await book(activityId, { Participants: 3 })
    const { body } = await user.get(`${first}/move?Date=2030-06-18&Time=12:00`)
    t.match(textOf(body), 'It has customers: 3 booked, 0 held, 0 waiting.')
    const [made, closure] = [...body.slice(body.indexOf('<ol>')).matchAll(/<li>.*?<a href="([^"]+)"/g)].map(
      ([, url]) => url!.replaceAll('&#38;', '&'),
    )
    const form = await user.get(made!)
    for (const value of ['2030-06-18', '12:00', '8']) t.match(form.body, `value="${value}"`)
    t.match((await user.get(closure!)).body, /name="Action" value="move" checked/)
    const known = await user.get(`${first}/move?Date=2030-06-16&Time=10:00`)
    t.match(known.body, 'Target=2030-06-16+10%3A00')
    t.notMatch(await show(), 'Move the timeslot')
    t.equal((await user.post(`${first}/move`, { Date: '2030-06-18', Time: '12:00' })).statusCode, 409)
  },
)

t.test('the move page of a timeslot that is closed or has begun says why it cannot be moved', async (t) => {
  const { sql, user, first, show } = await prepare(t)
  await user.post(`${first}/close`)
  t.match(await show(), 'It is closed.')
  t.notMatch(textOf((await user.get(first)).body), 'Move…')
  await user.post(`${first}/reopen`)
  t.match(textOf((await user.get(first)).body), 'Move…')
  await sql`update timeslots set starts_at = now() - interval '1 minute' where date = '2030-06-15'`
  t.match(await show(), 'It has begun, and cannot be moved.')
})

t.test('the form of an all-day timeslot asks only for the day', async (t) => {
  const { user, call, productId } = await prepare(t)
  const { data } = await call('POST', `/products/${productId}/timeslots`, {
    ...{
      Date: '2030-06-20',
      Time: '09:00',
      Capacity: 40,
      OpeningHours: [{ Opens: '09:00', Closes: '17:00' }],
    },
  })
  const path = `/dashboard/calendar/timeslots/${data.ID}/move`
  t.notMatch((await user.get(path)).body, 'name="Time"')
  const moved = await user.post(path, { Date: '2030-06-21' })
  t.match(textOf((await user.get(moved.headers.location as string)).body), 'Fri, 21 Jun 2030, 9:00–17:00')
})
