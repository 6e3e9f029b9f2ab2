/** After a closure: the customers to call, the view of a closed day, and reopening a day in one step. */
import t, { type Test } from 'tap'
import { makeProduct } from '../helper.ts'
import { makeSending } from '../messaging/emails/fixtures.ts'
import { pumpEvents } from '../pump.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const day = '2030-06-15'
const calls = '/dashboard/calendar/calls'
const week = `/dashboard/calendar?View=week&Date=${day}`

async function prepare(t: Test) {
  const dashboard = await makeDashboard(t)
  const { sql, accountId, signIn, book } = dashboard
  const { activityId } = await makeProduct(sql, accountId, {
    slots: { [`${day} 10:00`]: 8, [`${day} 14:00`]: 180, '2030-06-16 10:00': 9 },
  })
  const { reference } = await book(activityId)
  const user = await signIn('staff')
  const close = (more: Record<string, string> = { Action: 'cancel' }) =>
    user.post('/dashboard/calendar/closures', { Step: 'close', From: day, To: day, ...more })
  const [slot] = await sql<{ id: number }[]>`select id from timeslots order by date, time limit 1`
  const textAt = async (url: string) => textOf((await user.get(url)).body)
  return { ...dashboard, activityId, reference, user, close, slotId: slot!.id, textAt }
}

t.test(
  'customers without an e-mail address are listed to be called, until a user marks them as informed',
  async (t) => {
    const { sql, user, close, slotId, reference, textAt, signIn } = await prepare(t)
    await sql`update bookings set email = null, phone = '+351912345678'`
    const report = await close()
    t.match(report.body, `href="${calls}"`)
    const { body } = await user.get(calls)
    t.match(body, '<a href="tel:+351912345678">')
    t.match(textOf(body), `1 to call`)
    t.match(textOf(body), `${reference} , sold by Viator: cancelled. Not told by e-mail`)
    for (const page of [week, `/dashboard/today?Date=${day}`])
      t.match(await textAt(page), '1 customer of a closed timeslot is not told yet. Whom to call')
    const ticked = await user.post(`${calls}/${slotId}/${reference}`, { Done: 'true' })
    t.match(ticked, {
      statusCode: 303,
      headers: { location: `${calls}?done=called#call-${slotId}-${reference}` },
    })
    const colleague = await signIn('owner')
    const told = textOf((await colleague.get(calls)).body)
    t.match(told, /Nobody has to be called\. 1 informed by your people\..* Informed by staff@quay.test/)
    t.notMatch(await textAt(week), 'Whom to call')
    await colleague.post(`${calls}/${slotId}/${reference}`, { Done: 'false' })
    t.match(await textAt(calls), '1 to call')
  },
)

t.test('customers who get an e-mail are not listed to be called, unless the e-mail fails', async (t) => {
  const { sql, close, textAt } = await prepare(t)
  await close()
  t.match(
    await textAt(calls),
    /Nobody has to be called\. 1 with an e-mail on its way\..* E-mail is on its way/,
  )
  await pumpEvents(sql)
  t.same(await makeSending(sql, { DATA_DIR: t.testdir() })(), { sent: 1 })
  const told = await textAt(calls)
  t.match(
    told,
    /Nobody has to be called\. 1 informed by e-mail\..* Informed by e-mail .*Informed by phone as well/,
  )
  t.notMatch(told, 'Mark as informed')
  await sql`update emails set status = 'failed', sent_at = null, reason = 'No such mailbox.'`
  await sql`update bookings set phone = '+351912345678'`
  t.match(await textAt(calls), /1 to call\..* The e-mail was not sent No such mailbox\..* Mark as informed/)
})

t.test(
  'customers without phone number and e-mail address are counted separately from the customers to call',
  async (t) => {
    const { sql, close, textAt, book, activityId } = await prepare(t)
    await book(activityId)
    await sql`update bookings set email = null`
    await sql`update bookings set phone = '+351912345678' where id = (select max(id) from bookings)`
    await close()
    t.match(await textAt(calls), '1 to call, 1 without a phone number: inform them in another way.')
    await sql`update bookings set phone = null`
    t.match(await textAt(calls), '2 without a phone number: inform them in another way.')
  },
)

t.test('a very long list shows only the customers who still have to be called', async (t) => {
  const { sql, close, slotId, reference, textAt } = await prepare(t)
  await sql`update bookings set email = null, phone = '+351912345678'`
  await close()
  const [{ last }] = await sql<[{ last: number }]>`select max(id)::integer as last from bookings`
  await sql`
    insert into bookings select (jsonb_populate_record(one, jsonb_build_object('id', ${last}::integer + place,
      'reference', 'C' || place, 'basket_id', one.basket_id + place))).*
    from bookings as one, generate_series(1, 600) as place where one.reference = ${reference}`
  await sql`
    insert into closure_calls (account_id, timeslot_id, booking_id, became, done_at)
    select account_id, ${slotId}, id, 'cancelled', case when id < ${last + 600} then now() end
    from bookings where id > ${last}`
  const text = await textAt(calls)
  t.match(text, '2 to call')
  t.match(text, 'only those who must still be called are shown')
  for (const shown of [reference, 'C600']) t.match(text, shown)
  t.notMatch(text, /C1\b/)
})

t.test('a moved booking shows its new timeslot, and an erased customer is not listed', async (t) => {
  const { sql, close, textAt } = await prepare(t)
  await close({ Action: 'move', 'MoveTo.Date': '2030-06-16' })
  t.match(await textAt(calls), 'moved to Sun, 16 Jun 2030, 10:00')
  await sql`insert into erasures (account_id, cause) select account_id, 'command' from bookings limit 1`
  await sql`update bookings set erasure_id = (select max(id) from erasures)`
  t.match(await textAt(calls), 'No booking was changed by a closure')
})

t.test('a closed day says that it is closed, and counts no free places', async (t) => {
  const { close, textAt, user } = await prepare(t)
  t.match(await textAt(week), '2 booked, 0 held, 186 free')
  await close()
  const text = await textAt(week)
  t.match(text, 'Sat 15 Jun Closed , 0 booked')
  t.notMatch(text, '188 free')
  t.match((await user.get(week)).body, /<li class="slot off-sale closed /)
  t.notMatch(await textAt(`/dashboard/today?Date=${day}`), '188 free')
})

t.test('chosen timeslots of a day are reopened together once, even if the form is sent twice', async (t) => {
  const { sql, close, user, textAt } = await prepare(t)
  await close()
  t.match((await user.get(week)).body, `href="/dashboard/calendar/reopen?Date=${day}"`)
  const { body } = await user.get(`/dashboard/calendar/reopen?Date=${day}`)
  const ids = [...body.matchAll(/name="TimeslotIDs" value="(\d+)" checked/g)].map(([, id]) => id!)
  t.equal(ids.length, 2)
  t.match(textOf(body), '14:00 Kayak: 180 places free')
  for (const _ of [1, 2]) {
    const done = await user.post(
      '/dashboard/calendar/reopen',
      { Date: day, TimeslotIDs: ids },
      { once: 'one' },
    )
    t.equal(done.statusCode, 303)
  }
  t.same(await sql`select status from timeslots where status = 'closed'`, [])
  t.match(await sql`select count(*)::integer as reopened from events where type = 'timeslot.reopened'`, [
    { reopened: 2 },
  ])
  t.match(await textAt(week), '188 free')
  t.match(await textAt(`/dashboard/calendar/reopen?Date=${day}`), 'No timeslot of this day can be reopened.')
})

t.test('in the view of a week, the link in a day opens the form of a closure of that day only', async (t) => {
  const { user } = await prepare(t)
  const { body } = await user.get(week)
  t.match(body, `/dashboard/calendar/closures?From=${day}&#38;To=${day}`)
  t.notMatch(body, 'From=2030-06-10')
})
