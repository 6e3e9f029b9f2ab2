import t from 'tap'
import { dateIn } from '../../src/platform/text/calendar.ts'
import { makeProduct } from '../helper.ts'
import { makeDashboard } from './fixtures.ts'

t.test('the day', async (t) => {
  const { sql, accountId, call, book, signIn } = await makeDashboard(t)
  const { id: productId, activityId } = await makeProduct(sql, accountId, {
    slots: { '2030-06-15 10:00': 8, '2030-06-15 12:00': 4, '2030-06-16 10:00': 8 },
  })
  const questions = await sql<{ id: number }[]>`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    select ${accountId}, ${productId}, 1, label, 'text', label = 'Can they swim?', '{}', 'booking'
    from unnest(array['Can they swim?', 'How did you hear of us?']) as label returning id`
  const Answers = questions.map(({ id }) => ({ QuestionID: id, Value: `answer ${id}` }))
  const Customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'a@example.com', Phone: '+351912345678' }
  const { reference } = await book(activityId, { Answers, Customer })
  const { reference: gone } = await book(activityId, { Participants: 3 })
  await call('POST', `/bookings/${gone}/cancel`, {})
  const { reference: other } = await book(activityId, { Date: '2030-06-16' })
  const { get, post } = await signIn('staff')
  const page = '/dashboard/today?Date=2030-06-15'

  t.test('is where the dashboard begins', async (t) => {
    t.equal((await get('/dashboard')).headers.location, '/dashboard/today')
    const before = dateIn('Europe/Lisbon', new Date())
    const { body, statusCode } = await get('/dashboard/today')
    const after = dateIn('Europe/Lisbon', new Date())
    t.equal(statusCode, 200)
    t.match(body, 'Nothing takes place on this day')
    t.match(body, new RegExp(`value="(${before}|${after})"`))
  })

  t.test('shows its timeslots with who comes, and what whoever leads them must know', async (t) => {
    const { body } = await get(page)
    for (const text of [
      'Kayak',
      '2 of 8 booked',
      '0 of 4 booked',
      'No bookings',
      reference,
      '+351912345678',
      'Can they swim?',
    ])
      t.match(body, text)
    t.notMatch(body, 'How did you hear of us?')
    t.notMatch(body, `party-${gone}`)
    t.notMatch(body, `party-${other}`)
    t.match(body, /<dt>People<\/dt><dd>2<\/dd>/)
    t.match((await get('/dashboard/today?Date=2030-06-16')).body, `party-${other}`)
    t.equal((await get('/dashboard/today?Date=tomorrow')).statusCode, 422)
  })

  t.test('checks a party in and comes back to it', async (t) => {
    const action = `/dashboard/today/${reference}/attendance`
    const answer = await post(action, { Attendance: 'checked-in', Date: '2030-06-15' })
    t.equal(answer.statusCode, 303)
    t.equal(answer.headers.location, `${page}&done=checked-in#party-${reference}`)
    const { body } = await get(page)
    t.match(body, 'Checked in</span>')
    t.match(body, /<dt>Checked in<\/dt><dd>2<\/dd>/)
    t.equal((await post(action, { Attendance: '', Date: '2030-06-15' })).statusCode, 303)
    t.equal((await call('GET', `/bookings/${reference}`)).data.Attendance, null)
    t.equal(
      (await post(action, { Attendance: 'no-show', Date: '2030-06-15' }, { csrf: 'x' })).statusCode,
      403,
    )
    t.equal(
      (await post('/dashboard/today/NOBODY/attendance', { Attendance: '', Date: '2030-06-15' })).statusCode,
      404,
    )
  })
})
