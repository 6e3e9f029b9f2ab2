/** Weather closures in the dashboard: their form, preview and report, and closures that need several requests. */
import t, { type Test } from 'tap'
import { makeCaller, makeProduct } from '../helper.ts'
import { makeSending } from '../messaging/emails/fixtures.ts'
import { startSmtp } from '../messaging/emails/smtp.ts'
import { pumpEvents } from '../pump.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const path = '/dashboard/calendar/closures'
const day = { From: '2030-06-15', To: '2030-06-15' }
const storm = { ...day, Action: 'cancel', Message: 'Too much wind.' }

/** Kayak at 10 and 14 o'clock on 15 June and at 10 on the 16th, and Surf at 10 on the 15th. */
async function prepare(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn } = dashboard
  const kayak = await makeProduct(sql, accountId, {
    slots: { '2030-06-15 10:00': 8, '2030-06-15 14:00': 8, '2030-06-16 10:00': 5 },
  })
  const surf = await makeProduct(sql, accountId, { name: 'Surf', slots: { '2030-06-15 10:00': 8 } })
  const [slot] = await sql<{ id: number }[]>`
    select id from timeslots where product_id = ${kayak.id} order by date, time limit 1`
  const user = await signIn('staff')
  const send = (Step: string, fields: Record<string, string | string[]>, more: object = {}) =>
    user.post(path, { Step, ...fields }, more)
  const slots = async () => {
    const rows = await sql<{ when: string; status: string; booked: number }[]>`
      select to_char(date + time, 'DD HH24') as when, status, booked from timeslots order by product_id, date, time`
    return rows.map(({ when, status, booked }) => `${when} ${status} ${booked}`)
  }
  const countEffects = async () => {
    const [row] = await sql`
      select count(*) filter (where status = 'closed')::integer as closed,
        (select count(*)::integer from emails) as emails
      from timeslots`
    return row
  }
  return { ...dashboard, kayak, surf, slotId: slot!.id, user, send, slots, countEffects }
}

t.test('the form of a closure', async (t) => {
  t.test('is filled with the days and the product of the previous page', async (t) => {
    const { user, surf } = await prepare(t)
    const { body } = await user.get(`${path}?From=2030-06-15&To=2030-06-16&ProductID=${surf.id}`)
    t.match(body, 'value="2030-06-15"')
    t.match(body, 'value="2030-06-16"')
    t.match(body, new RegExp(`name="ProductIDs" value="${surf.id}" checked`))
  })

  t.test(
    'for one timeslot offers timeslots of its product that are on sale and have free places',
    async (t) => {
      const { sql, user, slotId } = await prepare(t)
      await sql`update timeslots set booked = capacity where time = '14:00'`
      const { body } = await user.get(`${path}?TimeslotID=${slotId}`)
      t.match(textOf(body), 'Kayak, Sat, 15 Jun 2030, 10:00')
      const choices = [...body.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value)
      t.same(choices, ['', '2030-06-16 10:00'])
    },
  )

  t.test('for one timeslot offers the nearest timeslots, however many are on sale before it', async (t) => {
    const { sql, accountId, user, kayak, slotId } = await prepare(t)
    await sql`
      insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
      select ${accountId}, ${kayak.id}, day::date, '08:00', day + interval '7 hours', 5
      from generate_series(timestamptz '2030-01-01', timestamptz '2030-05-31', interval '1 day') as day`
    const { body } = await user.get(`${path}?TimeslotID=${slotId}`)
    const choices = [...body.matchAll(/<option value="([^"]+)"/g)].map(([, value]) => value)
    t.equal(choices.length, 60)
    t.same(choices.slice(-2), ['2030-06-15 14:00', '2030-06-16 10:00'])
  })

  t.test('keeps the chosen timeslot after it has sold out', async (t) => {
    const { sql, send, slotId } = await prepare(t)
    await sql`update timeslots set booked = capacity where time = '14:00'`
    const move = { TimeslotID: String(slotId), Action: 'move', Target: '2030-06-15 14:00' }
    const chosen = '<option value="2030-06-15 14:00" selected>Sat, 15 Jun 2030, 14:00: 0 free</option>'
    t.match((await send('preview', move)).body, chosen)
    t.match((await send('preview', { ...move, Message: 'x'.repeat(2001) })).body, chosen)
  })

  t.test(
    'keeps the choice of refund while “move” is chosen, but replaces an invalid percentage with a full refund',
    async (t) => {
      const { send, slotId } = await prepare(t)
      const move = { TimeslotID: String(slotId), Action: 'move', Target: '2030-06-16 10:00' }
      const shown = (fields: Record<string, string>) => send('preview', { ...move, ...fields })
      const half = await shown({ 'Refund.Choice': 'percent', 'Refund.Percent': '50' })
      t.equal(half.statusCode, 200)
      t.match(half.body, 'name="Refund.Choice" value="percent" checked')
      t.match(half.body, /name="Refund.Percent" value="50"/)
      t.match((await shown({ 'Refund.Choice': 'none' })).body, 'name="Refund.Choice" value="none" checked')
      const wrong = await shown({ 'Refund.Choice': 'percent', 'Refund.Percent': '150' })
      t.equal(wrong.statusCode, 200)
      t.match(wrong.body, 'name="Refund.Choice" value="full" checked')
    },
  )
})

t.test('a preview warns that people are already checked in', async (t) => {
  const { sql, send, book, kayak } = await prepare(t)
  await book(kayak.activityId)
  t.notMatch(textOf((await send('preview', storm)).body), 'already checked in')
  await sql`update bookings set attendance = 'checked-in', people_here = 1`
  const text = textOf((await send('preview', storm)).body)
  t.match(text, '1 person is already checked in.')
  t.match(text, 'is cancelled 1 of 2 here')
})

t.test('a preview counts the people who are checked in on all timeslots that it would close', async (t) => {
  const { sql, send, book, kayak, surf } = await prepare(t)
  await book(kayak.activityId)
  await book(surf.activityId)
  await sql`update bookings set attendance = 'checked-in', people_here = 2`
  await sql`
    insert into bookings (unit_price_minor, currency, account_id, id, basket_id, timeslot_id, reference, channel,
      status, participants, answers, first_name, last_name, email)
    select unit_price_minor, currency, account_id, nextval('booking_ids'), basket_id, timeslot_id, 'COPY' || copy,
      channel, status, participants, answers, first_name, last_name, email
    from bookings cross join generate_series(100001, 100500) as copy
    where timeslot_id = (select min(timeslot_id) from bookings)`
  await sql`update timeslots set capacity = 2000, booked = 1002 where id = (select min(timeslot_id) from bookings)`
  t.match(textOf((await send('preview', storm)).body), '4 people are already checked in.')
  const move = { ...day, Action: 'move', 'MoveTo.Date': '2030-06-16', 'MoveTo.Time': '10:00' }
  t.notMatch(
    textOf((await send('preview', move)).body),
    'already checked in',
    'timeslots that stay open do not count',
  )
})

t.test('a preview shows what happens to each booking, and changes nothing', async (t) => {
  const { send, book, call, kayak, surf, countEffects } = await prepare(t)
  const { reference } = await book(kayak.activityId)
  const other = await book(surf.activityId, { Participants: 3 })
  const line = { ActivityID: kayak.activityId, Date: '2030-06-15', Time: '14:00', Participants: 1 }
  await call('POST', '/baskets', { Channel: 'online', Lines: [line] })
  const answer = await send('preview', storm)
  t.equal(answer.statusCode, 200)
  const text = textOf(answer.body)
  t.match(text, 'Close 3 timeslots and cancel 2 bookings')
  t.match(text, 'Held places released 1')
  t.match(text, `${reference} Ada Lovelace 2 people is cancelled`)
  t.match(text, `${other.reference} Ada Lovelace 3 people is cancelled`)
  t.match(text, 'No name yet 1 person its held places are released')
  for (const summary of ['Timeslots: 3', 'Bookings: 3', 'Change what is closed'])
    t.match(
      answer.body,
      `<details class="folded"><summary>${summary}</summary>`,
      'the lists are folded, so that the decision comes first',
    )
  t.same(await countEffects(), { closed: 0, emails: 0 })
})

t.test(
  'the preview and the report show what partners pay back under the refund terms of a product',
  async (t) => {
    const { send, book, call, kayak } = await prepare(t)
    t.notMatch(textOf((await send('preview', storm)).body), 'Partners pay back')
    const terms = { RefundTerms: [{ Percent: '50', HoursBefore: 0 }] }
    await call('PUT', `/products/${kayak.id}/refund-terms`, terms)
    await book(kayak.activityId)
    for (const step of ['preview', 'close']) {
      const text = textOf((await send(step, storm)).body)
      t.match(text, 'Partners pay back their own customers €90.00', step)
      t.notMatch(text, 'To be paid back', step)
    }
  },
)

for (const Action of ['cancel', 'move']) {
  t.test(`a preview shows the e-mail that the customers then get: ${Action}`, async (t) => {
    const { sql, send, book, kayak, slotId } = await prepare(t)
    const smtp = await startSmtp(t)
    await book(kayak.activityId)
    const form = { TimeslotID: String(slotId), Action, Target: '2030-06-16 10:00', Message: 'Too much wind.' }
    const shown = textOf((await send('preview', form)).body)
    await send('close', form)
    await pumpEvents(sql)
    t.same(await makeSending(sql, { SMTP_URL: smtp.url })(), { sent: 1 })
    const { subject, text } = smtp.received[0]!.mail
    t.match(shown, `Subject ${subject}`)
    t.match(shown, text!.replaceAll(/\s+/g, ' ').trim())
  })
}

t.test('a preview marks bookings without an e-mail address, whose customers get no e-mail', async (t) => {
  const { sql, send, book, kayak } = await prepare(t)
  await book(kayak.activityId)
  await sql`update bookings set email = null`
  t.match(textOf((await send('preview', storm)).body), 'is cancelled no e-mail address: tell them yourself')
})

t.test('the report lists the customers who were not notified, by name and phone number', async (t) => {
  const { sql, send, book, kayak } = await prepare(t)
  const { reference } = await book(kayak.activityId)
  await sql`update bookings set email = null, phone = '+351912345678'`
  await book(kayak.activityId, { Time: '14:00' })
  const { body } = await send('close', storm)
  t.match(
    textOf(body),
    new RegExp(`Ada Lovelace · .*912 345 678 · ${reference} What happened to each timeslot`),
  )
  t.match(body, `href="/dashboard/bookings/${reference}"`)
})

t.test(
  'a closure that cancels reports each timeslot, and sends one e-mail for each booking, even if its form is sent twice',
  async (t) => {
    const { sql, send, book, kayak, slots, user } = await prepare(t)
    await book(kayak.activityId)
    await book(kayak.activityId, { Time: '14:00' })
    for (const _ of [1, 2]) {
      const answer = await send('close', storm, { once: 'the-form' })
      t.equal(answer.statusCode, 200)
      const text = textOf(answer.body)
      t.match(text, 'The closure is done.')
      t.match(text, 'Timeslots closed 3')
      t.match(text, 'Bookings cancelled 2')
      t.match(text, 'Sat, 15 Jun 2030, 10:00 Kayak closed 1 0 1')
    }
    t.same(await slots(), ['15 10 closed 0', '15 14 closed 0', '16 10 open 0', '15 10 closed 0'])
    await pumpEvents(sql)
    t.same(await sql`select kind, details->>'Message' as message from emails`, [
      { kind: 'closure', message: 'Too much wind.' },
      { kind: 'closure', message: 'Too much wind.' },
    ])
    const actors = await sql`
    select distinct actor, actor_id as "actorId" from events where type = 'booking.cancelled'`
    t.same(actors, [{ actor: 'user', actorId: user.userId }])
  },
)

t.test('a closure of chosen products closes no other products', async (t) => {
  const { send, slots, kayak, surf } = await prepare(t)
  await send('close', { ...storm, ProductIDs: [String(surf.id)] })
  t.same(await slots(), ['15 10 open 0', '15 14 open 0', '16 10 open 0', '15 10 closed 0'])
  await send('close', { ...storm, ProductIDs: [String(surf.id), String(kayak.id)] })
  t.equal((await slots()).filter((slot) => slot.includes('closed')).length, 3)
})

t.test('a closure that moves bookings', async (t) => {
  t.test('moves the bookings of one timeslot to the chosen timeslot', async (t) => {
    const { send, book, kayak, slots, slotId } = await prepare(t)
    const { reference } = await book(kayak.activityId, { Participants: 4 })
    const move = { TimeslotID: String(slotId), Action: 'move', Target: '2030-06-16 10:00' }
    const preview = textOf((await send('preview', move)).body)
    t.match(preview, 'Close 1 timeslot and move 1 booking')
    t.match(preview, `${reference} Ada Lovelace 4 people moves to Sun, 16 Jun 2030, 10:00`)
    const done = textOf((await send('close', move)).body)
    t.match(done, 'closed bookings moved to Sun, 16 Jun 2030, 10:00')
    t.same((await slots()).slice(0, 3), ['15 10 closed 0', '15 14 open 0', '16 10 open 4'])
  })

  t.test(
    'does not change a timeslot whose bookings do not fit on the target, and says how many places are free there',
    async (t) => {
      const { send, book, kayak, countEffects, slotId } = await prepare(t)
      await book(kayak.activityId, { Participants: 6 })
      const move = { TimeslotID: String(slotId), Action: 'move', Target: '2030-06-16 10:00' }
      for (const step of ['preview', 'close']) {
        const text = textOf((await send(step, move)).body)
        t.match(text, 'not closed only 5 places are free on the timeslot to which its bookings would move')
        t.equal(text.includes('There is nothing to close.'), step === 'preview')
      }
      t.same(await countEffects(), { closed: 0, emails: 0 })
    },
  )

  t.test('of a day moves them to the same times of another day', async (t) => {
    const { send, book, kayak, slots } = await prepare(t)
    await book(kayak.activityId)
    const move = { ...day, Action: 'move', ProductIDs: [String(kayak.id)], 'MoveTo.Date': '2030-06-16' }
    await send('close', move)
    t.same((await slots()).slice(0, 3), ['15 10 closed 0', '15 14 closed 0', '16 10 open 2'])
  })

  t.test('is not made if the form says “cancel” but still has a day to move to', async (t) => {
    const { send, book, kayak, slots } = await prepare(t)
    await book(kayak.activityId)
    await send('close', { ...storm, 'MoveTo.Date': '2030-06-16' })
    t.same((await slots()).slice(0, 3), ['15 10 closed 0', '15 14 closed 0', '16 10 open 0'])
  })
})

t.test(
  'a closure that is too large for one request is continued by a request with the same idempotency key',
  async (t) => {
    const { sql, accountId, send, kayak, book } = await prepare(t)
    await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select ${accountId}, ${kayak.id}, '2030-07-01', make_time(n / 60, n % 60, 0), '2030-07-01', 5
    from generate_series(0, 149) as n`
    await book(kayak.activityId, { Date: '2030-07-01', Time: '00:00' })
    await book(kayak.activityId, { Date: '2030-07-01', Time: '02:29' })
    const many = { From: '2030-07-01', To: '2030-07-01', Action: 'cancel' }
    const closed = async () => {
      const [row] = await sql<{ count: number }[]>`
      select count(*)::integer from timeslots where date = '2030-07-01' and status = 'closed'`
      return row!.count
    }
    const first = await send('close', many, { once: 'the-form' })
    const done = await closed()
    t.ok(done >= 100 && done < 150, `the first request closes ${done}`)
    t.match(textOf(first.body), `${done} of 150 timeslots are done.`)
    t.match(first.body, /class="go-on"[\s\S]*name="_once" value="the-form"/)
    const second = textOf((await send('close', many, { once: 'the-form' })).body)
    t.equal(await closed(), 150)
    t.match(second, 'The closure is done.')
    t.match(second, 'Timeslots closed 150')
    await pumpEvents(sql)
    t.same(await sql`select count(*)::integer from emails`, [{ count: 2 }])
  },
)

t.test('missing, invalid and contradictory fields are named, and the typed message is kept', async (t) => {
  const { send, countEffects } = await prepare(t)
  const cases: [Record<string, string | string[]>, string][] = [
    [{ ...day }, 'What happens to the bookings is required'],
    [{ From: '2030-06-15', Action: 'cancel' }, 'Last day is required with “First day”'],
    [{ ...storm, To: '2030-06-14' }, 'Last day must not be before “First day”'],
    [{ ...storm, From: 'soon' }, 'First day must be a calendar date'],
    [{ ...storm, ProductIDs: ['999999'] }, 'Product is not a product of this account'],
    [
      { ...day, Action: 'move', Message: 'Too much wind.' },
      'Move to the day is required when bookings are moved',
    ],
    [{ TimeslotID: 'x', Action: 'cancel' }, 'Timeslot must be a whole number'],
    [{ ...day, Action: 'move', 'MoveTo.Date': 'x' }, 'Move to the day must be a calendar date'],
  ]
  for (const [fields, fault] of cases) {
    for (const step of ['preview', 'close']) {
      const answer = await send(step, fields)
      t.equal(answer.statusCode, 422, JSON.stringify(fields))
      t.match(textOf(answer.body), fault)
      if (fields.Message) t.match(answer.body, 'Too much wind.')
    }
  }
  t.equal((await send('burn', storm)).statusCode, 422)
  t.same(await countEffects(), { closed: 0, emails: 0 })
})

t.test('a refused form does not fill in a day that the user deleted', async (t) => {
  const { send } = await prepare(t)
  const { body } = await send('preview', { From: '2030-06-15', To: '', Action: 'cancel' })
  t.match(body, /name="From" value="2030-06-15"/)
  t.match(body, /name="To" value=""/)
})

t.test('timeslots of another account are not found, and stay open', async (t) => {
  const { sql, send, user } = await prepare(t)
  const other = await makeCaller(sql, { slug: 'other' })
  const theirs = await makeProduct(sql, other.accountId, { slots: { '2030-06-15 10:00': 8 } })
  const [slot] = await sql<{ id: number }[]>`select id from timeslots where product_id = ${theirs.id}`
  t.equal((await user.get(`${path}?TimeslotID=${slot!.id}`)).statusCode, 404)
  t.equal((await send('close', { TimeslotID: String(slot!.id), Action: 'cancel' })).statusCode, 404)
  await send('close', storm)
  t.same(await sql`select status from timeslots where account_id = ${other.accountId}`, [{ status: 'open' }])
})

t.test('a form with a wrong CSRF token, or without an idempotency key, closes nothing', async (t) => {
  const { send, countEffects } = await prepare(t)
  t.equal((await send('close', storm, { csrf: 'guessed' })).statusCode, 403)
  t.equal((await send('close', storm, { once: '' })).statusCode, 403)
  t.same(await countEffects(), { closed: 0, emails: 0 })
})
