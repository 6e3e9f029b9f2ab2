import t, { type Test } from 'tap'
import { createAccount } from '../../src/accounts/service.ts'
import { createUser } from '../../src/accounts/users/service.ts'
import { makeProduct } from '../helper.ts'
import { makeDashboard, password, textOf } from './fixtures.ts'

const day = '2030-06-15'

/** Signs in an owner and makes a product with three timeslots. The first timeslot has a booking of each channel. */
async function makeDesk(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, call, book, signIn } = dashboard
  const { id: productId, activityId } = await makeProduct(sql, accountId, {
    slots: { [`${day} 10:00`]: 8, [`${day} 12:00`]: 2, '2030-06-16 10:00': 8 },
  })
  const { reference } = await book(activityId, { PaymentReference: 'OTA-77' })
  const line = { ActivityID: activityId, Date: day, Time: '10:00', Participants: 1 }
  const customer = { FirstName: 'Grace', LastName: 'Hopper', Email: 'grace@example.com' }
  const sold = await call('POST', '/bookings', { ...line, Customer: customer, Payment: { Method: 'cash' } })
  const basket = await call('POST', '/baskets', { Channel: 'online', Lines: [line] })
  const user = await signIn()
  return {
    ...dashboard,
    ...user,
    productId,
    activityId,
    reference,
    sold: sold.data.BookingReference as string,
    held: basket.data.Lines[0].BookingReference as string,
    path: `/dashboard/bookings/${reference}`,
    read: async (of = reference) => (await call('GET', `/bookings/${of}`)).data,
  }
}

/** Signs in a user of another account; returns a function that requests pages as this user. */
async function signInElsewhere({ app, sql }: Awaited<ReturnType<typeof makeDesk>>) {
  const { id } = await createAccount(sql, { slug: 'pier', name: 'Pier', timeZone: 'UTC' })
  await createUser(sql, { accountId: id, email: 'ana@pier.test', role: 'owner', password })
  const answer = await app.inject({
    method: 'POST',
    url: '/dashboard/sign-in',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ Account: 'pier', Email: 'ana@pier.test', Password: password }).toString(),
  })
  const cookie = `abs_session=${answer.cookies[0]!.value}`
  return (url: string) => app.inject({ url, headers: { cookie } })
}

t.test('the list of bookings', async (t) => {
  const desk = await makeDesk(t)
  const { get, reference, sold, held, productId } = desk
  const shown = async (query: string) => {
    const { body, statusCode } = await get(`/dashboard/bookings${query}`)
    t.equal(statusCode, 200, query)
    return [reference, sold, held].map((one) => body.includes(`/bookings/${one}"`))
  }

  t.test('shows bookings of partners, of the online shop and of the point of sale together', async (t) => {
    const { body } = await get('/dashboard/bookings')
    for (const text of [
      reference,
      'Viator',
      'OTA-77',
      'Ada Lovelace',
      'Point of sale',
      'Online',
      'Held',
      'Kayak',
    ])
      t.match(body, text)
    t.match(textOf(body), /Sat(urday)?,? 15 Jun 2030 · 10:00/, 'dates are in words')
    t.match((await get('/dashboard/bookings', { 'accept-language': 'en-US' })).body, /Jun 15, 2030/)
  })

  t.test(
    'shows the year of a date only if it is not the current year, and has no column for the time of booking',
    async (t) => {
      const { sql } = desk
      const before = (await get('/dashboard/bookings')).body
      t.notMatch(before, 'data-head="Made"')
      const year = new Date().getUTCFullYear()
      await sql`update timeslots set date = ${`${year}-06-15`} where date = ${day}`
      const { body } = await get('/dashboard/bookings')
      await sql`update timeslots set date = ${day} where date = ${`${year}-06-15`}`
      t.match(textOf(body), '15 Jun · 10:00')
      t.notMatch(textOf(body), `15 Jun ${year}`)
    },
  )

  t.test('is filtered by the same parameters as the list of the API', async (t) => {
    t.same(await shown('?Channel=partner'), [true, false, false])
    t.same(await shown('?Channel=pos'), [false, true, false])
    t.same(await shown('?Status=held'), [false, false, true])
    t.same(await shown(`?From=${day}&To=${day}&ProductID=${productId}`), [true, true, true])
    t.same(await shown('?From=2030-06-16'), [false, false, false])
    t.same(await shown('?Text=hopper'), [false, true, false])
    t.same(await shown('?Text=OTA-77&Channel=&Status='), [true, false, false], 'an empty field is no filter')
    t.match((await get('/dashboard/bookings?Text=nobody')).body, 'No booking was found')
  })

  t.test('redirects to the booking if the search is its whole reference', async (t) => {
    const one = await get(`/dashboard/bookings?Search=${reference.toLowerCase()}+`)
    t.equal(one.statusCode, 303)
    t.equal(one.headers.location, `/dashboard/bookings/${reference}`)
    t.equal((await get(`/dashboard/bookings?Search=${reference}&Channel=pos`)).statusCode, 200)
    t.equal((await get(`/dashboard/bookings?Search=${reference.slice(0, 8)}`)).statusCode, 200)
  })

  t.test('names an invalid filter, and keeps what was typed in the other filters', async (t) => {
    const answer = await get('/dashboard/bookings?From=2030-06-15&To=2030-06-01&Text=kay')
    t.equal(answer.statusCode, 422)
    t.match(answer.body, /must not be before From/)
    t.match(answer.body, 'value="kay"')
    t.equal((await get('/dashboard/bookings?ProductID=x')).statusCode, 422)
    t.equal((await get('/dashboard/bookings?Cursor=x')).statusCode, 422)
  })

  t.test('has further pages of the same length, which keep the filters', async (t) => {
    const first = await get(`/dashboard/bookings?Limit=1&Status=confirmed&From=${day}`)
    const next = /rel="next" href="([^"]+)"/.exec(first.body)![1]!.replaceAll('&#38;', '&')
    t.match(Object.fromEntries(new URL(next, 'http://here').searchParams), {
      ...{ Limit: '1', Status: 'confirmed', From: day },
    })
    const second = await get(next)
    const shownOn = ({ body }: { body: string }) =>
      [reference, sold, held].map((one) => body.includes(`/bookings/${one}"`))
    t.same(
      [shownOn(first), shownOn(second)],
      [
        [false, true, false],
        [true, false, false],
      ],
    )
    t.match(second.body, 'value="confirmed" selected')
    t.notMatch(second.body, 'rel="next"')
  })

  t.test('is empty for another account, which cannot open the pages of these bookings either', async (t) => {
    const theirs = await signInElsewhere(desk)
    t.match((await theirs('/dashboard/bookings')).body, 'There are no bookings yet')
    t.equal((await theirs(`/dashboard/bookings/${reference}`)).statusCode, 404)
    t.equal((await theirs(`/dashboard/bookings/${reference}/move`)).statusCode, 404)
    t.equal((await theirs(`/dashboard/bookings/${reference}/customer`)).statusCode, 404)
    t.equal((await theirs('/dashboard/bookings.csv')).body.trim().split('\r\n').length, 1)
  })
})

t.test('the file of bookings', async (t) => {
  const { get, sql, accountId, reference, activityId, book } = await makeDesk(t)
  await book(activityId, {
    Time: '12:00',
    Customer: { FirstName: '=1+1', LastName: 'B', Email: 'b@example.com' },
  })

  t.test('has the bookings that match the filters, and no text that a spreadsheet would run', async (t) => {
    const { body, headers } = await get('/dashboard/bookings.csv?Channel=partner')
    t.match(headers, {
      'content-type': /^text\/csv/,
      'content-disposition': /^attachment; filename="bookings\.csv"/,
    })
    const [, ...rows] = body.trim().split('\r\n')
    t.ok(body.startsWith('\uFEFFBookingReference,Status,Channel'))
    t.equal(rows.length, 2)
    t.match(rows[0], `,"'=1+1",B,`)
    t.match(rows[1], `${reference},confirmed,partner,Kayak,${day},10:00,2,Ada,Lovelace`)
    t.equal((await get('/dashboard/bookings.csv?From=2030-06-15&To=2030-06-01')).statusCode, 422)
  })

  t.test('has all matching bookings, even if reading them takes several queries', async (t) => {
    await sql`
      insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants,
        unit_price_minor, currency, answers)
      select account_id, 10000000 + n, basket_id, timeslot_id, 'MANY' || n, 'pos', 'confirmed', 1,
        unit_price_minor, currency, '[]'
      from bookings, generate_series(1, 1100) as n where account_id = ${accountId} and reference = ${reference}`
    const { body } = await get('/dashboard/bookings.csv?Channel=pos')
    const rows = body.trim().split('\r\n').slice(1)
    t.equal(new Set(rows.map((row) => row.split(',')[0])).size, 1101)
  })
})

t.test('the page of a booking', async (t) => {
  t.test(
    'shows the history with its actors, the answers with their questions, and the e-mails',
    async (t) => {
      const {
        sql,
        accountId,
        productId,
        activityId,
        book,
        get,
        post,
        email,
        held: unnamed,
      } = await makeDesk(t)
      const [question] = await sql<{ id: number }[]>`
      insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
      values (${accountId}, ${productId}, 1, 'Can everybody swim?', 'text', true, '{}', 'booking') returning id`
      const answers = [{ QuestionID: question!.id, Value: 'Like <fish>' }]
      const { reference } = await book(activityId, { Answers: answers })
      const path = `/dashboard/bookings/${reference}`
      t.equal((await post(`${path}/resend`)).headers.location, `${path}?done=resent`)
      const { body, statusCode } = await get(path)
      t.equal(statusCode, 200)
      t.match(body, 'Can everybody swim?')
      t.match(body, 'Like &#60;fish&#62;')
      t.match(textOf(body), `${email} sent the confirmation again.`)
      t.match(body, 'Viator confirmed the booking')
      t.match(body, 'confirmation')
      t.match(body, 'mailto:ada@example.com')
      const { body: held } = await get(`/dashboard/bookings/${unnamed}`)
      t.notMatch(textOf(held), 'E-mail –', 'fields without a value are not listed')
      t.notMatch(textOf(held), 'Payment reference')
      await sql`delete from questions`
      t.match(textOf((await get(path)).body), 'A question that was deleted Like')
    },
  )

  t.test('cancels the booking with a reason once, even if the form is sent twice', async (t) => {
    const { post, path, read, call } = await makeDesk(t)
    const once = crypto.randomUUID()
    for (const _ of [1, 2]) {
      const answer = await post(`${path}/cancel`, { Reason: 'They rang: ill' }, { once })
      t.equal(answer.statusCode, 303)
      t.equal(answer.headers.location, `${path}?done=cancelled`)
    }
    const { Status, History } = await read()
    t.equal(Status, 'cancelled')
    const ends = History.filter(({ Action }: { Action: string }) => Action === 'cancelled')
    t.match(ends, [
      { Actor: { Kind: 'user', Name: 'owner@quay.test' }, Details: { Reason: 'They rang: ill' } },
    ])
    t.equal(ends.length, 1)
    const [slot] = (await call('GET', '/timeslots')).data
    t.match(slot, { Booked: 1, Held: 1 }, 'its places are free again')
  })

  t.test(
    'says in the language of the page who cancelled the booking, and shows no check-in of a cancelled booking',
    async (t) => {
      const { get, post, path } = await makeDesk(t)
      await post(`${path}/attendance`, { Attendance: 'checked-in' })
      t.match(textOf((await get(path)).body), 'Confirmed Checked in')
      await post(`${path}/cancel`)
      const text = textOf((await get(path)).body)
      t.match(text, '(by the operator)')
      t.notMatch(text, 'Checked in')
      t.notMatch(textOf((await get('/dashboard/bookings')).body), 'Checked in')
      t.match(textOf((await get(path, { 'accept-language': 'pt-PT' })).body), '(pelo operador)')
    },
  )

  t.test('asks to confirm a cancellation only after the cutoff', async (t) => {
    const { get, path, sql } = await makeDesk(t)
    t.notMatch((await get(`${path}/cancel`)).body, 'name="Override"')
    await sql`update timeslots set starts_at = now() + interval '1 hour'`
    t.notMatch(
      (await get(`${path}/cancel`)).body,
      'name="Override"',
      'without a cutoff, a booking can be cancelled until its timeslot begins',
    )
    await sql`update products set cancel_cutoff_minutes = 120`
    t.match((await get(`${path}/cancel`)).body, 'name="Override"')
  })

  t.test(
    'has the actions before the details and the history, and its form that changes the party is folded',
    async (t) => {
      const { get, post, call, activityId, path } = await makeDesk(t)
      const line = { ActivityID: activityId, Date: day, Time: '10:00', Participants: 1 }
      const part = { Method: 'card', Amount: '10.00' }
      const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: [line] })
      await call('POST', `/baskets/${data.BasketID}/pay`, part)
      const { body } = await get(`/dashboard/bookings/${data.Lines[0].BookingReference}`)
      const parts = ['booking', 'take-payment', 'actions', 'payments', 'notes', 'about', 'history']
      const order = parts.map((id) =>
        body.search(id === 'take-payment' ? 'href="#take-payment"' : `id="${id}"`),
      )
      t.same(
        order,
        order.toSorted((one, other) => one - other),
      )
      t.notOk(order.includes(-1))
      t.match(body, '<details id="party-form"><summary>')
      const refused = await post(`${path}/amend`, { Participants: '300' })
      t.match(refused.body, '<details id="party-form" open>', 'a form with errors is open')
    },
  )

  t.test('cancels after the cutoff only if the user confirms it', async (t) => {
    const { post, path, read, sql } = await makeDesk(t)
    await sql`update products set cancel_cutoff_minutes = 525600`
    await sql`update timeslots set starts_at = now() + interval '1 hour'`
    const refused = await post(`${path}/cancel`, { Reason: 'Ill' })
    t.equal(refused.statusCode, 409)
    t.match(refused.body, /could be cancelled until/)
    t.match(refused.body, /name="Override"/)
    t.match(refused.body, />\nIll<\/textarea>/, 'what was typed is kept')
    t.equal((await read()).Status, 'confirmed')
    t.equal((await post(`${path}/cancel`, { Override: 'true' })).statusCode, 303)
    t.equal((await read()).Status, 'cancelled')
  })

  t.test('shows the refund before and after the cancellation', async (t) => {
    const { get, path, post, call, productId, book, activityId } = await makeDesk(t)
    const terms = { RefundTerms: [{ Percent: '50', HoursBefore: 24 }] }
    t.equal((await call('PUT', `/products/${productId}/refund-terms`, terms)).status, 200)
    t.notMatch(textOf((await get(`${path}/cancel`)).body), 'paid back', 'the booking is older than the terms')
    const { reference } = await book(activityId, {})
    const later = `/dashboard/bookings/${reference}`
    t.match(textOf((await get(`${later}/cancel`)).body), 'the partner pays its customer back €45.00')
    await post(`${later}/cancel`, { Reason: 'Ill' })
    t.match(textOf((await get(later)).body), 'The partner pays back €45.00')
  })

  t.test('refuses a form with a wrong CSRF token', async (t) => {
    const { post, path, read } = await makeDesk(t)
    for (const action of ['cancel', 'amend', 'attendance', 'resend', 'customer', 'move'])
      t.equal((await post(`${path}/${action}`, {}, { csrf: 'guessed' })).statusCode, 403, action)
    t.equal((await read()).History.length, 1)
  })

  t.test('changes the size of the party, or says how many places are free if too few are', async (t) => {
    const { post, path, read } = await makeDesk(t)
    const tooMany = await post(`${path}/amend`, { Participants: '300' })
    t.equal(tooMany.statusCode, 409)
    t.match(
      tooMany.body,
      /id="field-Participants-about">Only \d+ places? (is|are) free/,
      'the error is beside the field of the party',
    )
    t.equal((await post(`${path}/amend`, { Participants: '3' })).headers.location, `${path}?done=amended`)
    t.equal((await read()).Participants, 3)
    const refused = await post(`${path}/amend`, { Participants: '9' })
    t.equal(refused.statusCode, 409)
    t.match(refused.body, '3 places left')
    for (const Participants of ['', '0', 'two']) {
      const wrong = await post(`${path}/amend`, { Participants })
      t.equal(wrong.statusCode, 422)
      t.match(wrong.body, 'aria-invalid')
    }
    t.equal((await read()).Participants, 3)
  })

  t.test('records that the party came or did not come, and clears the record', async (t) => {
    const { post, path, read } = await makeDesk(t)
    const changes: [string, unknown][] = [
      ['checked-in', 'checked-in'],
      ['no-show', 'no-show'],
      ['', null],
    ]
    for (const [Attendance, expected] of changes) {
      t.equal((await post(`${path}/attendance`, { Attendance })).statusCode, 303)
      t.equal((await read()).Attendance, expected)
    }
    t.equal((await post(`${path}/attendance`, { Attendance: 'maybe' })).statusCode, 422)
  })

  t.test('offers no changes to a cancelled booking', async (t) => {
    const { post, path, get } = await makeDesk(t)
    await post(`${path}/cancel`)
    const { body } = await get(path)
    t.notMatch(body, `${path}/cancel`)
    t.equal((await get(`${path}/cancel`)).headers.location, path)
    t.equal((await post(`${path}/amend`, { Participants: '3' })).statusCode, 409)
    const target = `Date=${day}&Time=12:00`
    for (const page of ['move', `move/confirm?${target}`, 'customer'])
      t.equal((await get(`${path}/${page}`)).headers.location, path, page)
    for (const form of ['move', 'customer']) {
      const refused = await post(`${path}/${form}`, { Date: day, Time: '12:00' })
      t.equal(refused.statusCode, 409, form)
      t.match(refused.body, 'role="alert"', form)
      t.notMatch(refused.body, `action="${path}/${form}`, 'the refused form is not offered again')
      t.notMatch(refused.body, '/move/confirm', 'no timeslot is offered')
    }
  })
})

t.test('moving a booking', async (t) => {
  t.test('is possible to a timeslot with free places, which the page offers', async (t) => {
    const { get, post, path, read } = await makeDesk(t)
    const { body } = await get(`${path}/move?From=${day}`)
    t.notMatch(body, `Date=${day}&#38;Time=10%3A00`, 'its present timeslot is not offered')
    t.match(body, `/move/confirm?`)
    t.match(body, `Date=${day}&#38;Time=12%3A00`)
    const answer = await post(`${path}/move`, { Date: '2030-06-16', Time: '10:00' })
    t.equal(answer.headers.location, `${path}?done=moved`)
    t.match(await read(), { Date: '2030-06-16', Time: '10:00' })
  })

  t.test('begins with the timeslots on the day of the booking, and links to later days', async (t) => {
    const { get, sql, path } = await makeDesk(t)
    const { body } = await get(`${path}/move`)
    t.match(body, `name="From" value="${day}"`)
    t.match(textOf(body), 'From today')
    t.notMatch(textOf(body), 'Later')
    await sql`
      insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
      select account_id, product_id, date + n, '09:00', starts_at + n * interval '1 day', 8
      from timeslots cross join generate_series(10, 40) as n where id = (select min(id) from timeslots)`
    const later = /href="([^"]+)">Later</
      .exec((await get(`${path}/move`)).body)![1]!
      .replace('&#38;', '&')
      .replace('&amp;', '&')
    const next = (await get(later)).body
    t.match(next, '/move/confirm?')
    t.notMatch(next, `Date=${day}&#38;Time=12%3A00`)
  })

  t.test('lists all timeslots of a day, however many there are', async (t) => {
    const { get, sql, path } = await makeDesk(t)
    await sql`
      insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
      select account_id, product_id, date + 1, time '00:01' + n * interval '5 minutes',
        starts_at + interval '14 hours' + n * interval '5 minutes', 8
      from timeslots cross join generate_series(0, 287) as n where id = (select min(id) from timeslots)`
    const { body } = await get(`${path}/move?From=2030-06-16`)
    for (const minute of ['00%3A01', '10%3A00', '23%3A56'])
      t.match(body, `Date=2030-06-16&#38;Time=${minute}`)
    t.notMatch(textOf(body), 'Later')
    const before = (await get(`${path}/move?From=${day}`)).body
    t.notMatch(before, 'Date=2030-06-16', 'a day that does not fit completely is left for the next page')
    t.match(before, `From=2030-06-16">Later`)
  })

  t.test('shows alternatives if the places were taken meanwhile', async (t) => {
    const { post, path, read, book, activityId } = await makeDesk(t)
    await book(activityId, { Time: '12:00', Participants: 1 })
    const answer = await post(`${path}/move`, { Date: day, Time: '12:00' })
    t.equal(answer.statusCode, 409)
    t.match(answer.body, '1 place left')
    t.match(answer.body, /These would fit[\s\S]*Date=2030-06-16/)
    t.match(await read(), { Date: day, Time: '10:00' })
    t.equal((await post(`${path}/move`, { Date: 'soon', Time: '12:00' })).statusCode, 422)
  })
})

t.test('a booking that is moved to another product', async (t) => {
  const desk = await makeDesk(t)
  const { sql, accountId, productId, activityId, book, get, post, read } = desk
  const surf = await makeProduct(sql, accountId, { name: 'Surf', slots: { '2030-06-17 10:00': 8 } })
  const ask = async (product: number, label: string, appliesTo: string) => {
    const [made] = await sql<{ id: number }[]>`
      insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
      values (${accountId}, ${product}, 1, ${label}, 'text', true, '{}', ${appliesTo}) returning id`
    return made!.id
  }
  const allergy = await ask(productId, 'Any allergy?', 'booking')
  const swim = await ask(surf.id, 'Can you swim?', 'participant')
  const { reference } = await book(activityId, { Answers: [{ QuestionID: allergy, Value: 'Peanuts' }] })
  const path = `/dashboard/bookings/${reference}`
  const textAt = async (url: string) => textOf((await get(url)).body)
  const target = { Date: '2030-06-17', Time: '10:00' }
  const confirm = `${path}/move/confirm?ProductID=${surf.id}&Date=${target.Date}&Time=${target.Time}`

  t.test('shows before the move which questions the booking has not answered yet', async (t) => {
    t.match(await textAt(confirm), 'Still to ask after the move: Can you swim? The booking’s page')
    const stays = `${path}/move/confirm?ProductID=${productId}&Date=2030-06-16&Time=10:00`
    t.notMatch(await textAt(stays), 'Still to ask')
    t.equal(
      (await post(`${path}/move`, { ...target, ActivityID: surf.activityId })).headers.location,
      `${path}?done=moved`,
    )
  })

  t.test('keeps its answers with their questions, also on Today and on the manifest', async (t) => {
    t.match(await textAt(path), 'Any allergy? (asked for Kayak) Peanuts')
    const { TimeslotID } = await read(reference)
    for (const page of ['/dashboard/today?Date=2030-06-17', `/dashboard/today/manifest/${TimeslotID}`])
      t.match(await textAt(page), 'Any allergy? Peanuts')
    await sql`update questions set label = 'Which allergy?' where id = ${allergy}`
    t.match(await textAt(path), 'Which allergy? (asked for Kayak) Peanuts')
  })

  t.test('shows the unanswered questions until all of them are answered', async (t) => {
    const { TimeslotID } = await read(reference)
    const pages = [path, '/dashboard/today?Date=2030-06-17', `/dashboard/today/manifest/${TimeslotID}`]
    for (const page of pages) {
      const { body } = await get(page)
      t.match(textOf(body), 'Still to ask: Can you swim?')
      t.match(body, `<a href="${path}/customer">Can you swim?</a>`)
    }
    const kept = { [`Answer-${allergy}`]: 'Peanuts' }
    await post(`${path}/customer`, { ...kept, [`Answer-${swim}`]: ['Yes', ''] })
    t.match(await textAt(path), 'Still to ask: Can you swim? (of 1 person)')
    await post(`${path}/customer`, { ...kept, [`Answer-${swim}`]: ['Yes', 'A little'] })
    for (const page of pages) t.notMatch(await textAt(page), 'Still to ask')
    t.match(await textAt(path), 'Which allergy? (asked for Kayak) Peanuts')
    t.match(await textAt(pages[1]!), 'Can you swim? Yes · A little')
    await post(`${path}/customer`, { ...kept, [`Answer-${swim}`]: ['Yes', 'Yes'] })
    t.match(await textAt(pages[1]!), 'Can you swim? Yes (all 2)', 'an answer that all share is shown once')
  })

  t.test('shows before its party grows how many people must still answer a question', async (t) => {
    const larger = await post(`${path}/amend`, { Participants: '4', Show: 'party' })
    t.match(textOf(larger.body), 'Still to ask after the change: Can you swim? (of 2 people)')
    const smaller = await post(`${path}/amend`, { Participants: '1', Show: 'party' })
    t.notMatch(textOf(smaller.body), 'Still to ask')
  })

  t.test('names both products in its history', async (t) => {
    t.match(
      await textAt(path),
      /moved it from Kayak, Sat, 15 Jun 2030, 10:00 to Surf, Mon, 17 Jun 2030, 10:00\./,
    )
  })
})

t.test('the form of the customer and the answers', async (t) => {
  t.test('changes only the fields that are sent with a value', async (t) => {
    const { post, path, read } = await makeDesk(t)
    const fields = {
      ...{ 'Customer.FirstName': 'Augusta', 'Customer.LastName': '', 'Customer.Phone': '+351 912 345 678' },
    }
    t.equal((await post(`${path}/customer`, fields)).headers.location, `${path}?done=saved`)
    t.match((await read()).Customer, {
      ...{ FirstName: 'Augusta', LastName: 'Lovelace', Email: 'ada@example.com', Phone: '+351912345678' },
    })
  })

  t.test('is shown again with what was typed if a field is invalid', async (t) => {
    const { post, path, read } = await makeDesk(t)
    const answer = await post(`${path}/customer`, {
      'Customer.LastName': 'King',
      'Customer.Email': 'nowhere',
    })
    t.equal(answer.statusCode, 422)
    t.match(answer.body, 'must be an e-mail address')
    t.match(answer.body, 'value="King"')
    t.match(answer.body, 'value="nowhere"')
    t.equal((await read()).Customer.LastName, 'Lovelace')
  })

  t.test('accepts only answers that the API accepts', async (t) => {
    const { sql, accountId, productId, post, path, read } = await makeDesk(t)
    const [asked] = await sql<{ id: number }[]>`
      insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
      values (${accountId}, ${productId}, 1, 'Why?', 'textarea', false, '{}', 'booking') returning id`
    const field = `Answer-${asked!.id}`
    for (const text of ['\0', 'a'.repeat(10_001)]) {
      const answer = await post(`${path}/customer`, { [field]: text })
      t.equal(answer.statusCode, 422)
      t.match(answer.body, new RegExp(`name="${field}"[^>]* aria-invalid="true"`))
    }
    t.same((await read()).Answers, [])
  })

  t.test(
    'has a field for each participant if a question is for each of them, and keeps answers to removed questions',
    async (t) => {
      const { sql, accountId, productId, activityId, book, get, post, read } = await makeDesk(t)
      const add = async (label: string, type: string, appliesTo: string, options: string[] = []) => {
        const [made] = await sql<{ id: number }[]>`
        insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
        values (${accountId}, ${productId}, 1, ${label}, ${type}, false, ${options}, ${appliesTo}) returning id`
        return made!.id
      }
      const [old, age, extras] = [
        await add('Old', 'text', 'booking'),
        await add('Age', 'text', 'participant'),
        await add('Extras', 'checkbox', 'booking', ['Wetsuit', 'Photos']),
      ]
      const { reference } = await book(activityId, { Answers: [{ QuestionID: old, Value: 'kept' }] })
      await sql`delete from questions where id = ${old}`
      const path = `/dashboard/bookings/${reference}`
      const { body } = await get(`${path}/customer`)
      t.match(body, new RegExp(`type="hidden" name="Answer-${old}" value="kept"`))
      t.equal(
        body.match(new RegExp(`name="Answer-${age}"`, 'g'))!.length,
        2,
        'one field for each of the two participants',
      )
      await post(`${path}/customer`, {
        [`Answer-${old}`]: 'kept',
        [`Answer-${age}`]: ['', '31'],
        [`Answer-${extras}`]: ['Wetsuit', 'Photos'],
      })
      t.same((await read(reference)).Answers, [
        { QuestionID: old, Value: 'kept' },
        { QuestionID: age, Value: ['', '31'] },
        { QuestionID: extras, Value: ['Wetsuit', 'Photos'] },
      ])
      const unknown = await post(`${path}/customer`, { 'Answer-999': 'x' })
      t.equal(unknown.statusCode, 422)
      await sql`
        update bookings set answers = ${sql.json([{ QuestionID: extras, Value: 'Wetsuit, Photos' }])}
        where reference = ${reference}`
      const sent = (await get(`${path}/customer`)).body
      t.same(
        [...sent.matchAll(/value="([^"]+)" checked/g)].map(([, option]) => option),
        ['Wetsuit', 'Photos'],
        'choices that a reseller sent as one text are ticked too',
      )
    },
  )
})

t.test('several choices of each participant', async (t) => {
  const { sql, accountId, productId, activityId, book, get, post, read } = await makeDesk(t)
  const add = async (required: boolean, options: string[]) => {
    const [made] = await sql<{ id: number }[]>`
      insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
      values (${accountId}, ${productId}, 1, 'Diet', 'checkbox', ${required}, ${options}, 'participant') returning id`
    return { id: made!.id, field: `Answer-${made!.id}` }
  }
  const diet = await add(true, ['Nuts', 'Fish', 'Fish, raw'])
  const { reference } = await book(activityId, {
    Answers: [{ QuestionID: diet.id, Value: ['Fish', 'Nuts'] }],
  })
  const path = `/dashboard/bookings/${reference}`
  const ticked = (body: string) =>
    [...body.matchAll(/name="Answer-\d+-p(\d)" value="([^"]+)" checked/g)].map(
      ([, who, text]) => `${who} ${text}`,
    )

  t.test('are checkboxes for each participant, with the chosen options ticked', async (t) => {
    const { body } = await get(`${path}/customer`)
    t.match(
      textOf(body),
      /Participant 1 Diet \(required\) Nuts Fish Fish, raw Participant 2 Diet \(required\) Nuts Fish Fish, raw/,
    )
    t.same(ticked(body), ['1 Fish', '2 Nuts'])
    t.notMatch(body, '<select')
  })

  t.test('are stored in the order of the participants, even if a participant has none', async (t) => {
    const boxes = {
      [`${diet.field}-p1`]: '',
      [`${diet.field}-p2`]: ['', 'Nuts', 'Fish, raw'],
    }
    await post(`${path}/customer`, boxes)
    t.same((await read(reference)).Answers, [{ QuestionID: diet.id, Value: ['', 'Nuts, Fish, raw'] }])
    const { body } = await get(path)
    t.match(textOf(body), 'Still to ask: Diet', 'the answer of the first participant is missing')
    t.same(ticked((await get(`${path}/customer`)).body), ['2 Nuts', '2 Fish, raw'])
    await post(`${path}/customer`, { ...boxes, [`${diet.field}-p1`]: ['', 'Fish'] })
    t.match(textOf((await get(path)).body), 'Diet Fish · Nuts, Fish, raw')
    t.notMatch(textOf((await get(path)).body), 'Still to ask')
  })

  t.test(
    'that are no longer options stay ticked; a question without options is one checkbox for each participant',
    async (t) => {
      await sql`update questions set options = array['Milk'] where id = ${diet.id}`
      const agreed = await add(false, [])
      const { body } = await get(`${path}/customer`)
      t.same(ticked(body), ['1 Fish', '2 Nuts, Fish, raw'])
      t.equal(
        body.match(new RegExp(`type="checkbox"[^>]* name="${agreed.field}-p[12]" value="Yes"`, 'g'))?.length,
        2,
      )
    },
  )
})
