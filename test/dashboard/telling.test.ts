/**
 * “Tell the customer”: the forms that cancel, move or change a booking show the e-mail, and ask whether to send it.
 */
import t, { type Test } from 'tap'
import type { ChangeTrigger } from '../../src/messaging/emails/triggers.ts'
import { defaultWorkflows } from '../../src/messaging/workflows/defaults.ts'
import { sweepWorkflows } from '../../src/messaging/workflows/sweep.ts'
import { makeProduct } from '../helper.ts'
import { makeWorkflow } from '../messaging/emails/fixtures.ts'
import { pumpEvents } from '../pump.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const [first, second] = ['2030-06-15', '2030-06-16'] as const

async function prepare(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, book } = dashboard
  const { id: productId, activityId } = await makeProduct(sql, accountId, {
    slots: { [`${first} 10:00`]: 8, [`${second} 10:00`]: 8 },
  })
  const { reference } = await book(activityId)
  const path = `/dashboard/bookings/${reference}`
  const user = await signIn('staff')
  const confirm = `${path}/move/confirm?ProductID=${productId}&Date=${second}&Time=10:00`
  /** Runs the pump and the sweep of workflows; returns how many e-mails there are then. */
  const queued = async () => {
    await pumpEvents(sql)
    await sweepWorkflows(sql)
    const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from emails`
    return row!.count
  }
  const addWorkflow = async (trigger: ChangeTrigger) =>
    makeWorkflow(sql, accountId, { ...defaultWorkflows[trigger], offsetMinutes: 0 })
  return { ...dashboard, activityId, reference, path, user, confirm, queued, addWorkflow }
}

t.test('the form that cancels notifies the customer by default, and shows the e-mail', async (t) => {
  const { user, path, addWorkflow, reference, queued, call } = await prepare(t)
  const [product] = (await call('GET', '/products')).data
  await call('PUT', `/products/${product.ID}/refund-terms`, {
    RefundTerms: [{ Percent: '50', HoursBefore: 0 }],
  })
  await addWorkflow('booking-cancelled')
  const { body } = await user.get(`${path}/cancel`)
  t.match(body, /<input type="checkbox" id="field-TellCustomer" name="TellCustomer" value="true" checked/)
  t.match(textOf(body), `Subject Cancelled: Kayak, your booking ${reference}`)
  t.match(textOf(body), 'Kayak Saturday 15 June 2030 at 10:00')
  t.match(textOf(body), 'For a refund, please ask the company that you booked with.')
  t.notMatch(textOf(body), 'You get back', 'the partner pays its customer back')
  t.equal((await user.post(`${path}/cancel`, { TellCustomer: 'true' })).statusCode, 303)
  t.equal(await queued(), 1)
})

t.test('a cancellation after the cutoff gets 409, even if its refund is invalid too', async (t) => {
  const { sql, user, addWorkflow, call, activityId } = await prepare(t)
  await addWorkflow('booking-cancelled')
  const { data } = await call('POST', '/bookings', {
    ...{ ActivityID: activityId, Date: first, Time: '10:00', Participants: 2, Payment: { Method: 'card' } },
    Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
  })
  await sql`update products set cancel_cutoff_minutes = 60`
  await sql`update timeslots set starts_at = now() + interval '30 minutes'`
  const sent = { 'Refund.Choice': 'amount', 'Refund.Amount': '91', Reason: 'A cold' }
  const refused = await user.post(`/dashboard/bookings/${data.BookingReference}/cancel`, sent)
  t.equal(refused.statusCode, 409)
  t.match(refused.body, 'A cold</textarea>')
})

t.test('the e-mail is shown for the chosen refund, and nothing is cancelled', async (t) => {
  const { sql, user, addWorkflow, call, activityId, queued } = await prepare(t)
  await addWorkflow('booking-cancelled')
  const [product] = (await call('GET', '/products')).data
  const RefundTerms = [{ Percent: '50', HoursBefore: 0 }]
  await call('PUT', `/products/${product.ID}/refund-terms`, { RefundTerms })
  const { data } = await call('POST', '/bookings', {
    ...{ ActivityID: activityId, Date: first, Time: '10:00', Participants: 2, Payment: { Method: 'card' } },
    Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
  })
  const path = `/dashboard/bookings/${data.BookingReference}`
  const ten = { 'Refund.Choice': 'amount', 'Refund.Amount': '10', TellCustomer: 'true', Reason: 'A cold' }
  t.match((await user.get(`${path}/cancel`)).body, `formaction="${path}/cancel">Show the e-mail</button>`)
  for (const [fields, words] of [
    [ten, 'You get back €10.00'],
    [{ 'Refund.Choice': 'terms' }, 'You get back €45.00'],
    [{ 'Refund.Choice': 'full' }, 'You get back €90.00'],
  ] as const) {
    const shown = await user.post(`${path}/cancel`, { ...fields, Show: 'email' })
    t.equal(shown.statusCode, 200)
    t.match(textOf(shown.body), words)
  }
  const none = await user.post(`${path}/cancel`, { 'Refund.Choice': 'none', Show: 'email' })
  t.notMatch(textOf(none.body), 'You get back')
  const kept = await user.post(`${path}/cancel`, { ...ten, Show: 'email' })
  t.match(kept.body, 'A cold</textarea>')
  const refused = await user.post(`${path}/cancel`, { ...ten, 'Refund.Amount': '91', Show: 'email' })
  t.equal(refused.statusCode, 422)
  t.match(textOf(refused.body), 'must be at most 90.00')
  t.match(textOf(refused.body), 'Correct the amount to pay back to see the e-mail.')
  t.notMatch(textOf(refused.body), 'You get back', 'no e-mail with another amount is shown')
  t.match(refused.body, 'name="Refund.Amount" value="91', 'the amount that was typed stays')
  t.match(await sql`select status from bookings where reference = ${data.BookingReference}`, [
    { status: 'confirmed' },
  ])
  t.equal(await queued(), 0)
})

t.test('cancelling a cancelled booking again says that nothing changed', async (t) => {
  const { user, path, addWorkflow, queued } = await prepare(t)
  await addWorkflow('booking-cancelled')
  t.match((await user.post(`${path}/cancel`, { Reason: 'A cold' })).headers.location, /done=cancelled$/)
  const second = await user.post(`${path}/cancel`, { Reason: 'The wind' })
  t.equal(second.headers.location, `${path}?done=was-cancelled`)
  const text = textOf((await user.get(second.headers.location!)).body)
  t.match(text, 'The booking was already cancelled. Nothing has changed.')
  t.match(text, 'A cold')
  t.notMatch(text, 'The wind')
  t.equal(await queued(), 1)
})

t.test(
  'if the user chooses not to notify the customer, no e-mail is sent, and the history says so',
  async (t) => {
    const { user, path, addWorkflow, queued } = await prepare(t)
    await addWorkflow('booking-cancelled')
    await user.post(`${path}/cancel`, { TellCustomer: 'false' })
    t.equal(await queued(), 0)
    t.match(textOf((await user.get(path)).body), 'The customer was not told.')
  },
)

t.test('a page shows the e-mail of a move before the move is made', async (t) => {
  const { user, path, confirm, addWorkflow, queued, activityId } = await prepare(t)
  await addWorkflow('booking-moved')
  const places = (await user.get(`${path}/move?From=${second}`)).body
  t.match(places, `/move/confirm?`)
  const text = textOf((await user.get(confirm)).body)
  t.match(text, 'Now Kayak, Sat, 15 Jun 2030, 10:00')
  t.match(text, 'Moved to Kayak, Sun, 16 Jun 2030, 10:00')
  t.match(text, 'is moved from Saturday 15 June 2030 at 10:00. It is now: Kayak Sunday 16 June 2030 at 10:00')
  const target = { ActivityID: activityId, Date: second, Time: '10:00' }
  await user.post(`${path}/move`, { ...target, TellCustomer: 'true' })
  t.equal(await queued(), 1)
  await user.post(`${path}/move`, { ...target, Date: first, TellCustomer: 'false' })
  t.equal(await queued(), 1)
})

t.test('a page shows a changed party with its price and the e-mail before the change is made', async (t) => {
  const { sql, user, path, addWorkflow, queued } = await prepare(t)
  await addWorkflow('booking-amended')
  const shown = await user.post(`${path}/amend`, { Participants: '1', Show: 'party' })
  t.equal(shown.statusCode, 200)
  const text = textOf(shown.body)
  t.match(text, 'Now 2 people, €90.00')
  t.match(text, 'Changed to 1 person, €45.00')
  t.match(
    text,
    'your booking of 2 people is changed. It is now: Kayak Saturday 15 June 2030 at 10:00 1 person',
  )
  t.match(await sql`select participants from bookings`, [{ participants: 2 }])
  t.equal((await user.post(`${path}/amend`, { Participants: '1', TellCustomer: 'true' })).statusCode, 303)
  t.equal(await queued(), 1)
  await user.post(`${path}/amend`, { Participants: '2', TellCustomer: 'false' })
  t.equal(await queued(), 1)
  t.match(textOf((await user.get(path)).body), 'The customer was not told.')
})

t.test(
  'the page that confirms a changed party refuses the same party, and a party that does not fit',
  async (t) => {
    const { user, path } = await prepare(t)
    const show = async (Participants: string) => user.post(`${path}/amend`, { Participants, Show: 'party' })
    const same = await show('2')
    t.equal(same.statusCode, 422)
    t.match(textOf(same.body), 'Party is the same as before: choose another party')
    const many = await show('9')
    t.equal(many.statusCode, 409)
    t.match(textOf(many.body), '6 places left')
    for (const wrong of ['', '0', 'two']) t.equal((await show(wrong)).statusCode, 422)
  },
)

t.test(
  'the confirmation page of a move without a timeslot redirects to the choice of timeslots',
  async (t) => {
    const { user, path } = await prepare(t)
    const answer = await user.get(`${path}/move/confirm`)
    t.match(answer, { statusCode: 303, headers: { location: `${path}/move` } })
  },
)

t.test(
  'without a workflow, the forms say that no workflow notifies the customer, and link to a new one',
  async (t) => {
    const { user, path, confirm, signIn } = await prepare(t)
    for (const [page, trigger] of [
      [`${path}/cancel`, 'booking-cancelled'],
      [confirm, 'booking-moved'],
    ] as const) {
      const { body } = await user.get(page)
      t.match(textOf(body), 'No workflow tells the customer.')
      t.match(body, `/dashboard/emails/workflows/new?Trigger=${trigger}`)
      const owner = await signIn('owner', `${trigger}@quay.test`)
      const { body: made } = await owner.get(`/dashboard/emails/workflows/new?Trigger=${trigger}`)
      t.match(made, `value="${defaultWorkflows[trigger].name}"`)
    }
  },
)

t.test('the form that cancels a booking without an e-mail address shows the phone number', async (t) => {
  const { sql, user, path, addWorkflow } = await prepare(t)
  await addWorkflow('booking-cancelled')
  await sql`update bookings set email = null, phone = '+351912345678'`
  const { body } = await user.get(`${path}/cancel`)
  t.match(textOf(body), 'The customer gets no e-mail: the booking has no e-mail address. Phone: 912 345 678')
  t.notMatch(body, 'name="TellCustomer"')
})

t.test('if a template fails for this booking, its error is shown in place of the e-mail', async (t) => {
  const { sql, accountId, user, path } = await prepare(t)
  await makeWorkflow(sql, accountId, { trigger: 'booking-cancelled', body: '{{ nobody.knows }}' })
  const answer = await user.get(`${path}/cancel`)
  t.equal(answer.statusCode, 200)
  t.match(textOf(answer.body), 'It names {{ nobody }}, which does not exist')
})
