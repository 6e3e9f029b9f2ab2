import t, { type Test } from 'tap'
import { offerUrl } from '../../../src/sales/waitlist/model.ts'
import { bookingBody, build, makeCaller, makeProduct } from '../../helper.ts'

const secret = 'a secret that is long enough for a test'

/** A party on the waitlist of a full timeslot, and the link that the party would be sent. */
async function makeWaiting(t: Test) {
  const built = await build(t, { environment: { SECRET_KEY: secret } })
  const { app, sql } = built
  const { accountId, headers } = await makeCaller(sql, { scopes: ['operator'] })
  const { activityId } = await makeProduct(sql, accountId, {
    name: 'Kayak <b>tour</b>',
    slots: { '2030-06-15 10:00': 2 },
  })
  await sql`update timeslots set held = 2`
  const joined = await app.inject({
    method: 'POST',
    url: '/api/v2/operator/waitlist',
    headers,
    payload: bookingBody(activityId),
  })
  const { WaitlistID: entryId, BasketID: basketId } = joined.json().data
  const link = new URL(offerUrl('http://booking.test', secret, { accountId, entryId })).pathname
  // The same changes as src/inventory/ makes when places become free.
  const offer = () =>
    sql.begin(async (tx) => {
      await tx`update timeslots set held = 2`
      await tx`update bookings set status = 'held'`
      await tx`update waitlist_entries set status = 'offered', offered_at = now()`
      await tx`update baskets set status = 'open', expires_at = now() + interval '1 hour' where id = ${basketId}`
    })
  return { ...built, link, offer }
}

t.test('the page of an offer', async (t) => {
  t.test('shows the offer with its text escaped, and viewing it changes nothing', async (t) => {
    const { app, sql, link, offer } = await makeWaiting(t)
    t.match((await app.inject(link)).body, /on the waitlist/)
    await offer()
    const page = await app.inject(link)
    t.equal(page.statusCode, 200)
    t.match(page.body, /Kayak &#60;b&#62;tour/)
    t.match(page.body, /I want the places/)
    t.match(String(page.headers['content-security-policy']), /^default-src 'none'/)
    t.same(await sql`select status from waitlist_entries`, [{ status: 'offered' }])
  })

  t.test('shows the opening hours of an all-day timeslot, and no start time', async (t) => {
    const { app, sql, link, offer } = await makeWaiting(t)
    const hours = [{ opens: '10:00', closes: '17:00' }]
    await sql`update timeslots set opening_hours = ${sql.json(hours)}, closes_at = starts_at + interval '7 hours'`
    await offer()
    const { body } = await app.inject(link)
    t.match(body, 'Saturday 15 June 2030, open 10:00–17:00, ')
    t.notMatch(body, 'at 10:00')
  })

  t.test('shows that the places are held after the customer has taken the offer', async (t) => {
    const { app, sql, link, offer } = await makeWaiting(t)
    await offer()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const taken = await app.inject({ method: 'POST', url: `${link}/take`, headers, payload: '' })
    t.equal(taken.statusCode, 303)
    t.match((await app.inject(String(taken.headers.location))).body, /held for you/)
    t.same(await sql`select status from waitlist_entries`, [{ status: 'taken' }])
    t.match(await sql`select actor, type from events order by id desc limit 1`, [
      { actor: 'customer', type: 'booking.offer-taken' },
    ])
  })

  t.test('has a second button, which leaves the waitlist and frees the places', async (t) => {
    const { app, sql, link, offer } = await makeWaiting(t)
    await offer()
    await app.inject({ method: 'POST', url: `${link}/leave` })
    t.match((await app.inject(link)).body, /left the waitlist/)
    t.same(await sql`select held from timeslots`, [{ held: 0 }])
  })

  t.test('says that the offer is over after it has expired', async (t) => {
    const { app, sql, link, offer } = await makeWaiting(t)
    await offer()
    await sql`update baskets set expires_at = now() - interval '1 second'`
    const taken = await app.inject({ method: 'POST', url: `${link}/take` })
    t.match((await app.inject(String(taken.headers.location))).body, /over/)
    t.same(await sql`select status from waitlist_entries`, [{ status: 'offered' }])
  })

  t.test('does not open with a changed link', async (t) => {
    const { app, sql, link, offer } = await makeWaiting(t)
    await offer()
    const forged = link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    t.equal((await app.inject(forged)).statusCode, 404)
    t.equal((await app.inject({ method: 'POST', url: `${forged}/take` })).statusCode, 404)
    for (const token of ['%0d%0aX:1', '%e2%80%a8', '..%2f..', '%2f%2fevil.example'])
      t.equal((await app.inject({ method: 'POST', url: `/waitlist/${token}/take` })).statusCode, 404)
    t.same(await sql`select status from waitlist_entries`, [{ status: 'offered' }])
  })
})
