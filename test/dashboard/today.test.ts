import t from 'tap'
import { dateIn } from '../../src/platform/text/calendar.ts'
import { makeProduct } from '../helper.ts'
import { makeDashboard, textOf } from './fixtures.ts'

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

  t.test('is the first page of the dashboard', async (t) => {
    t.equal((await get('/dashboard')).headers.location, '/dashboard/today')
    const before = dateIn('Europe/Lisbon', new Date())
    const { body, statusCode } = await get('/dashboard/today')
    const after = dateIn('Europe/Lisbon', new Date())
    t.equal(statusCode, 200)
    t.match(body, 'There are no timeslots on this day')
    t.match(body, new RegExp(`value="(${before}|${after})"`))
  })

  t.test('shows its timeslots, who comes, and what the guide must know', async (t) => {
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
    t.match(
      body,
      `How did you hear of us?</span> <strong>answer ${questions[1]!.id}`,
      'an answer to an optional question',
    )
    t.notMatch(body, `party-${gone}`)
    t.notMatch(body, `party-${other}`)
    t.match(body, /<dt>People<\/dt><dd>2<\/dd>/)
    t.match((await get('/dashboard/today?Date=2030-06-16')).body, `party-${other}`)
    t.equal((await get('/dashboard/today?Date=tomorrow')).statusCode, 422)
  })

  t.test('checks a party in and shows the day again', async (t) => {
    const action = `/dashboard/today/${reference}/attendance`
    const answer = await post(action, { Attendance: 'checked-in', Date: '2030-06-15' })
    t.equal(answer.statusCode, 303)
    t.equal(answer.headers.location, `${page}&done=checked-in#party-${reference}`)
    const { body } = await get(page)
    t.match(body, 'Checked in</span>')
    t.match(body, /<dt>Here<\/dt><dd>2<\/dd>/)
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

t.test('people of a party who arrive one by one are counted on the day', async (t) => {
  const { sql, accountId, call, book, signIn } = await makeDashboard(t)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const { reference } = await book(activityId, { Participants: 5 })
  const { get, post } = await signIn('staff')
  const day = '2030-06-15'
  const count = (fields: Record<string, string>) =>
    post(`/dashboard/today/${reference}/attendance`, { Attendance: 'checked-in', Date: day, ...fields })
  const show = async () => textOf((await get(`/dashboard/today?Date=${day}`)).body)
  t.match(await show(), '0 of 5 here')
  for (const _ of [1, 2, 3]) t.equal((await count({ More: '1' })).statusCode, 303)
  t.match(await show(), /Kayak 3 of 5 here · 5 of 8 booked/)
  t.match(await show(), /Here 3 No-shows 0/)
  t.equal(
    (await count({ More: '-1' })).headers.location,
    `/dashboard/today?Date=${day}&done=people-counted#party-${reference}`,
  )
  t.match(await show(), '2 of 5 here')
  await count({})
  t.match(await show(), /5 of 5 here .* Checked in/)
  const late = await count({ More: '1' })
  t.equal((await call('GET', `/bookings/${reference}`)).data.PeopleHere, 5, 'nobody is counted twice')
  t.match(late.headers.location, 'done=attendance-unchanged', 'and the notice says that nothing was changed')
  await count({ Attendance: '' })
  t.match((await call('GET', `/bookings/${reference}`)).data, { Attendance: null, PeopleHere: 0 })
  t.match(textOf((await get(`/dashboard/bookings/${reference}`)).body), /checked in the party: 3 of 5 here/)
})

t.test(
  'the rest of a party that is partly here is marked as a no-show, and its departure says so',
  async (t) => {
    const { sql, accountId, call, book, signIn } = await makeDashboard(t)
    const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 12 } })
    const { reference } = await book(activityId, { Participants: 5 })
    const { reference: other } = await book(activityId, { Participants: 2 })
    const { get, post } = await signIn('staff')
    const day = '2030-06-15'
    const page = `/dashboard/today?Date=${day}`
    const action = `/dashboard/today/${reference}/attendance`
    const count = (fields: Record<string, string>) =>
      post(action, { Attendance: 'checked-in', Date: day, ...fields })
    const partOf = async (path: string) => {
      const [, part = ''] = (await get(path)).body.split(`id="party-${reference}"`)
      return textOf(`<div ${part.split('id="party-')[0]}`)
    }
    await count({ PeopleHere: '3' })
    t.match(await partOf(page), /3 of 5 here .* All here .* \+1 .* −1 .* 2 did not come .* Undo check-in/)
    const marked = await count({ More: '0', PeopleAbsent: '2' })
    t.equal(marked.headers.location, `${page}&done=rest-absent#party-${reference}`)
    t.match(
      textOf((await get(String(marked.headers.location))).body),
      'The rest of the party is marked as a no-show',
    )
    const settled = await partOf(page)
    t.match(settled, /3 here 2 no-shows .* \+1 .* −1 .* Undo no-show .* Undo check-in/)
    t.notMatch(settled, /did not come|All here/)
    t.match(textOf((await get(page)).body), /Kayak 3 of 7 here, 2 no-shows · 7 of 12 booked/)
    t.match(textOf((await get(page)).body), /Here 3 No-shows 2/)
    const { TimeslotID } = (await call('GET', `/bookings/${reference}`)).data
    t.match(await partOf(`/dashboard/today/manifest/${TimeslotID}`), '3 here 2 no-shows')
    t.match(textOf((await get(`/dashboard/today/manifest/${TimeslotID}`)).body), /Here 3 No-shows 2/)
    t.match(textOf((await get(`/dashboard/calendar/timeslots/${TimeslotID}`)).body), '3 here 2 no-shows')
    t.match(
      textOf((await get(`/dashboard/bookings/${reference}`)).body),
      /3 here 2 no-shows .*counted the party: 3 of 5 here, 2 no-shows/,
    )

    await count({ More: '1' })
    t.match(await partOf(page), '4 here 1 no-show', 'a late-comer')
    const undone = await count({ More: '0', PeopleAbsent: '0' })
    t.equal(undone.headers.location, `${page}&done=rest-cleared#party-${reference}`)
    t.match(await partOf(page), /4 of 5 here .* 1 did not come/)
    await post(`/dashboard/today/${other}/attendance`, { Attendance: 'no-show', Date: day })
    t.match(
      textOf((await get(page)).body),
      /Kayak 4 of 7 here, 2 no-shows ·/,
      'the guests of a party that did not come at all are counted too',
    )
    await count({ Attendance: '' })
    const unchanged = await count({ More: '0', PeopleAbsent: '1' })
    t.match(
      (await call('GET', `/bookings/${reference}`)).data,
      { Attendance: null, PeopleAbsent: 0 },
      'no-shows cannot be marked while nobody is here',
    )
    t.match(
      textOf((await get(String(unchanged.headers.location))).body),
      'Nothing was changed: somebody else has changed the check-in of this party.',
      'the form was opened before the check-in was undone',
    )
    const oneFewer = await count({ More: '-1' })
    t.match(oneFewer.headers.location, 'done=attendance-unchanged')
    await count({})
    const allHere = await post(`/dashboard/bookings/${reference}/attendance`, {
      ...{ Attendance: 'checked-in', More: '0', PeopleAbsent: '1' },
    })
    t.match(allHere.headers.location, 'done=attendance-unchanged', 'all have come meanwhile')
    const larger = { PeopleHere: 3, PeopleAbsent: 2 }
    await call('POST', `/bookings/${reference}/attendance`, { Attendance: 'checked-in', ...larger })
    await call('POST', `/bookings/${reference}/amend`, { Participants: 6 })
    t.match(
      await partOf(page),
      /3 of 6 here 2 no-shows .* 1 did not come .* Undo no-show/,
      'a person who was added may still come',
    )
  },
)

t.test('a form that is sent twice counts its people once', async (t) => {
  const { sql, accountId, call, book, signIn } = await makeDashboard(t)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const { reference } = await book(activityId, { Participants: 5 })
  const { post } = await signIn('staff')
  const once = crypto.randomUUID()
  const fields = { Attendance: 'checked-in', More: '1', Date: '2030-06-15' }
  for (const _ of [1, 2])
    t.equal((await post(`/dashboard/today/${reference}/attendance`, fields, { once })).statusCode, 303)
  t.equal((await call('GET', `/bookings/${reference}`)).data.PeopleHere, 1)
})

t.test('a departure', async (t) => {
  const { sql, accountId, call, book, signIn } = await makeDashboard(t)
  const zone = 'Europe/Lisbon'
  const date = dateIn(zone, new Date())
  const times = ['10:00', '11:00', '12:00', '13:00', '14:00', '15:00']
  const slots = Object.fromEntries(times.map((time) => [`${date} ${time}`, 8]))
  const { id: productId, activityId } = await makeProduct(sql, accountId, { slots })
  const begin = (time: string, minutes: number) =>
    sql`update timeslots set starts_at = now() + ${minutes} * interval '1 minute' where time = ${time}`
  for (const [index, time] of times.entries()) await begin(time, 60 + index * 60)
  const Customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'a@example.com', Phone: '+351912345678' }
  const bookAt = (Time: string) => book(activityId, { Date: date, Time, Customer })
  const over = await bookAt('10:00')
  const running = await bookAt('11:00')
  await bookAt('14:00')
  const sold = await call('POST', '/bookings', {
    ...{ ActivityID: activityId, Date: date, Time: '11:00', Participants: 2, Customer },
    Payment: { Method: 'cash', Amount: '20.00' },
  })
  await begin('10:00', -600)
  await begin('11:00', -10)
  const { get, post } = await signIn('staff')
  const page = async () => (await get('/dashboard/today')).body

  t.test('a departure that is under way is marked, and so is the next departure with bookings', async (t) => {
    const body = await page()
    t.match(textOf(body), /Now 11:00 Kayak/)
    t.match(textOf(body), /Next 14:00 Kayak/)
    t.equal(body.match(/class="slot next"/g)?.length, 1)
    t.ok(body.indexOf(`party-${running.reference}`) > body.indexOf('class="slot now"'))
    t.ok(body.includes('class="slot now"'))
  })

  t.test('a departure that has ended is folded, and so are departures without bookings', async (t) => {
    const body = await page()
    const text = textOf(body)
    t.match(text, '10:00 Kayak: over, 0 of 2 here')
    t.match(text, '2 timeslots without bookings, 12:00 to 13:00')
    t.match(text, '15:00 Kayak: no bookings')
    t.equal(body.match(/<details class="folded"/g)?.length, 3)
    const tomorrow = dateIn(zone, new Date(Date.now() + 24 * 3600 * 1000))
    t.notMatch((await get(`/dashboard/today?Date=${tomorrow}`)).body, 'class="slot next"')
  })

  t.test('a closed departure without bookings says so, also when it is folded with others', async (t) => {
    const close = (Time: string) => sql`update timeslots set status = 'closed' where time = ${Time}`
    await close('12:00')
    await close('15:00')
    const some = textOf(await page())
    t.match(some, '2 timeslots without bookings, 1 closed, 12:00 to 13:00')
    t.match(some, '15:00 Kayak: closed, no bookings')
    await close('13:00')
    t.match(textOf(await page()), '2 timeslots, all closed, 12:00 to 13:00')
    await sql`update timeslots set status = 'open'`
  })

  t.test('has a manifest of its own to print', async (t) => {
    const [question] = await sql<{ id: number }[]>`
      insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
      values (${accountId}, ${productId}, 1, 'Any allergy?', 'text', false, '{}', 'booking') returning id`
    const Answers = [{ QuestionID: question!.id, Value: 'Peanuts' }]
    await call('PATCH', `/bookings/${running.reference}`, { Answers })
    const { data: tickets } = await call('POST', `/bookings/${running.reference}/tickets`)
    await call('PATCH', `/bookings/${running.reference}/tickets/${tickets[1].TicketID}`, {
      Contact: { FirstName: 'Grace' },
    })
    const [, href] = /href="(\/dashboard\/today\/manifest\/\d+)">Manifest<[^>]*> 11:00/.exec(await page())!
    const { body, statusCode } = await get(href!)
    t.equal(statusCode, 200)
    const text = textOf(body)
    for (const part of [
      'Kayak',
      'Ada Lovelace',
      '912 345 678',
      'Any allergy? Peanuts',
      /Parties 2 People 4 Here 0/,
      running.reference,
    ])
      t.match(text, part)
    t.match(text, /Ticket 1: Person Ticket 2: Person, Grace/)
    t.match(text, new RegExp(`${sold.data.BookingReference} · 912 345 678 2 people €70.00 to pay`))
    t.equal(text.match(/to pay/g)?.length, 1, 'what is sold by a partner is paid to the partner')
    t.notMatch(text, over.reference)
    t.match(body, `<a href="tel:+351912345678">`)
    t.equal((await get('/dashboard/today/manifest/999999')).statusCode, 404)
    t.equal((await get('/dashboard/today/manifest/x')).statusCode, 400)
  })

  t.test('a check-in on the manifest leads back to the manifest', async (t) => {
    const { data } = await call('GET', `/bookings/${running.reference}`)
    const manifest = `/dashboard/today/manifest/${data.TimeslotID}`
    const fields = { Attendance: 'checked-in', Date: date, TimeslotID: String(data.TimeslotID) }
    const { headers } = await post(`/dashboard/today/${running.reference}/attendance`, fields)
    t.equal(headers.location, `${manifest}?done=checked-in#party-${running.reference}`)
    t.match(textOf((await get(manifest)).body), /Parties 2 People 4 Here 2/)
  })

  t.test('a departure that is under way is folded if it has no bookings', async (t) => {
    await begin('12:00', -5)
    const text = textOf(await page())
    t.match(text, '12:00 Kayak: no bookings')
    t.match(text, '13:00 Kayak: no bookings')
    await begin('12:00', 180)
  })
})

t.test('answers of a party', async (t) => {
  const { sql, accountId, call, book, signIn } = await makeDashboard(t)
  const { id: productId, activityId } = await makeProduct(sql, accountId, {
    slots: { '2030-06-15 10:00': 8 },
  })
  const questions = await sql<{ id: number }[]>`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    select ${accountId}, ${productId}, position, label, type, false, options, applies_to
    from (values (1, 'Can you swim?', 'select', '{Yes,No}'::text[], 'participant'),
      (2, 'Wetsuit size?', 'select', '{S,L}', 'participant'), (3, 'Read the rules?', 'select', '{Yes,No}', 'participant'),
      (4, 'Any allergy?', 'text', '{}', 'booking')) as asked (position, label, type, options, applies_to)
    order by position returning id`
  const [swim, size, rules, allergy] = questions.map(({ id }) => id)
  const { reference } = await book(activityId, {
    Participants: 2,
    Answers: [
      { QuestionID: swim, Value: ['No', 'No'] },
      { QuestionID: size, Value: ['S', 'L'] },
      { QuestionID: rules, Value: ['Yes', 'Yes'] },
      { QuestionID: allergy, Value: 'Bee stings' },
    ],
  })
  const { get } = await signIn('staff')

  t.test('answers that are free text or differ are shown on the day, and others are folded', async (t) => {
    const { body } = await get('/dashboard/today?Date=2030-06-15')
    const [, shown, folded] =
      /(<ul class="answers">.*?)<details class="more-answers"[^>]*>(.*?)<\/details>/s.exec(body)!
    t.equal(textOf(shown!).trim(), 'Wetsuit size? S · L Any allergy? Bee stings')
    t.equal(textOf(folded!).trim(), 'Answers: No · Yes Can you swim? No (all 2) Read the rules? Yes (all 2)')
  })

  t.test('answers that differ are shown on the manifest for each person', async (t) => {
    const { TimeslotID } = (await call('GET', `/bookings/${reference}`)).data
    const { body } = await get(`/dashboard/today/manifest/${TimeslotID}`)
    t.match(textOf(body), 'Can you swim? No (all 2) Read the rules? Yes (all 2) Any allergy? Bee stings')
    const [people] = /<table role="table" class="people">.*?<\/table>/s.exec(body)!
    t.equal(textOf(people).trim(), 'Wetsuit size? Participant 1 S Participant 2 L')
  })
})
