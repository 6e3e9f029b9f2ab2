/**
 * Offers of the waitlist at the desk: accepted and paid at the till, declined, and sold after they expired.
 */
import t from 'tap'
import type { Session } from '../../src/dashboard/frame/session.ts'
import { maxToCall, offerCalls } from '../../src/dashboard/today/offer-calls.ts'
import { textsIn } from '../../src/languages/texts.ts'
import { listToCall } from '../../src/sales/waitlist/service.ts'
import { pumpEvents } from '../pump.ts'
import { makeOffered } from '../sales/waitlist/fixtures.ts'
import { textOf } from './fixtures.ts'

const waitlist = '/dashboard/calendar/waitlist'

t.test('at the desk an offer', async (t) => {
  t.test('is taken from the waitlist and paid, and taking it twice changes nothing', async (t) => {
    const { sql, offer, entry, signIn, look } = await makeOffered(t)
    await offer()
    const staff = await signIn('staff')
    t.match(textOf((await staff.get(waitlist)).body), /Grace .* offered until .* Take and pay.* Decline/)
    const take = `${waitlist}/${entry.WaitlistID}/take`
    for (const _ of [1, 2]) {
      const taken = await staff.post(take)
      t.match(taken.headers, { location: `/dashboard/sell/${entry.BasketID}/pay` })
    }
    t.match(textOf((await staff.get(waitlist)).body), /taken, to be paid until .* Pay/)
    const pay = `/dashboard/sell/${entry.BasketID}/pay`
    t.match(textOf((await staff.get(pay)).body), 'Take €90.00')
    t.equal((await staff.post(pay, { Method: 'cash' })).statusCode, 303)
    t.match(await sql`select status from bookings where reference = ${entry.BookingReference}`, [
      { status: 'confirmed' },
    ])
    t.match(textOf((await staff.get(waitlist)).body), 'Nobody waits for places.')
    t.match(await look(), 'Your places are booked.')
    t.equal((await staff.post(take)).statusCode, 303, 'a paid offer leads to its sale')
    t.equal((await sql`select from events where type = 'basket.completed'`).length, 1)
  })

  t.test('is marked in the list of held sales as offered from the waitlist, until it is taken', async (t) => {
    const { offer, entry, signIn } = await makeOffered(t)
    await offer()
    const staff = await signIn('staff')
    t.match(textOf((await staff.get('/dashboard/sell/held')).body), 'Offered from the waitlist')
    await staff.post(`${waitlist}/${entry.WaitlistID}/take`)
    const { body } = await staff.get('/dashboard/sell/held')
    t.match(textOf(body), 'Grace')
    t.notMatch(textOf(body), 'Offered from the waitlist')
  })

  t.test('is shown on its booking’s page until it is paid', async (t) => {
    const { offer, entry, signIn } = await makeOffered(t)
    await offer()
    const staff = await signIn('staff')
    const page = `/dashboard/bookings/${entry.BookingReference}`
    t.match(textOf((await staff.get(page)).body), /Offer of the waitlist offered until .* Take and pay/)
    await staff.post(`/dashboard/sell/${entry.BasketID}/pay`, { Method: 'card' })
    t.notMatch(textOf((await staff.get(page)).body), 'Offer of the waitlist')
  })

  t.test('an offer that the customer took is marked on the waitlist as to be paid', async (t) => {
    const { offer, press, signIn, entry } = await makeOffered(t)
    await offer()
    await press('take')
    const staff = await signIn('staff')
    const { body } = await staff.get(waitlist)
    t.match(textOf(body), 'taken, to be paid')
    t.match(body, `href="/dashboard/sell/${entry.BasketID}/pay"`)
  })

  t.test('is declined, and the next party is offered the places', async (t) => {
    const { offer, wait, signIn, entry, call, look } = await makeOffered(t)
    const next = await wait('Linus')
    await offer()
    const staff = await signIn('staff')
    t.equal((await staff.post(`${waitlist}/${entry.WaitlistID}/leave`)).statusCode, 303)
    t.equal((await call('GET', `/waitlist/${next.WaitlistID}`)).data.Status, 'offered')
    t.match(await look(), 'You have left the waitlist.')
  })

  t.test('an offer that has expired is marked, and can be sold while its places are free', async (t) => {
    const { offer, runOut, signIn, entry, statusOf } = await makeOffered(t)
    await offer()
    const staff = await signIn('staff')
    await runOut()
    t.match(textOf((await staff.get(waitlist)).body), /offer ran out .* Sell it if places are free/)
    const taken = await staff.post(`${waitlist}/${entry.WaitlistID}/take`)
    t.equal(taken.statusCode, 303)
    t.match(textOf((await staff.get(String(taken.headers.location))).body), /Take €90.00/)
    t.equal((await staff.post(String(taken.headers.location), { Method: 'cash' })).statusCode, 303)
    t.match(await statusOf(), { Status: 'taken', BookingStatus: 'confirmed' })
  })

  t.test('an offer that has expired cannot be paid after its places were sold', async (t) => {
    const { offer, runOut, signIn, entry, book, activityId } = await makeOffered(t)
    await offer()
    await runOut()
    t.equal((await book(activityId)).status, 201)
    const staff = await signIn('staff')
    const pay = `/dashboard/sell/${entry.BasketID}/pay`
    t.equal((await staff.post(pay, { Method: 'cash' })).statusCode, 409)
    t.match(textOf((await staff.get(waitlist)).body), 'offer ran out')
  })

  t.test('an offer that does not exist gets 404', async (t) => {
    const { signIn } = await makeOffered(t)
    t.equal((await (await signIn('staff')).post(`${waitlist}/999/take`)).statusCode, 404)
  })
})

t.test(
  'the form that adds a party to the waitlist names the errors of customer and party in one response',
  async (t) => {
    const { sql, signIn, call } = await makeOffered(t)
    await sql`update products set max_places = 3`
    const [slot] = (await call('GET', '/timeslots')).data
    const staff = await signIn('staff')
    const fields = { Participants: '9', 'Customer.FirstName': 'Ada', 'Customer.Email': 'nobody' }
    const refused = await staff.post(`/dashboard/calendar/timeslots/${slot.ID}/waitlist`, fields)
    t.equal(refused.statusCode, 422)
    const text = textOf(refused.body)
    for (const words of ['Party must be at most 3 places in all', 'E-mail address must', 'Last name'])
      t.match(text, words)
  },
)

t.test('a party that is added to the waitlist at the desk has the channel point of sale', async (t) => {
  const { sql, signIn, call } = await makeOffered(t)
  const [slot] = (await call('GET', '/timeslots')).data
  const staff = await signIn('staff')
  const party = { Participants: '2', 'Customer.FirstName': 'Linus', 'Customer.LastName': 'Pauling' }
  const fields = { ...party, 'Customer.Email': 'linus@example.com' }
  t.equal((await staff.post(`/dashboard/calendar/timeslots/${slot.ID}/waitlist`, fields)).statusCode, 303)
  const [booking] = await sql<{ reference: string; channel: string }[]>`
    select reference, channel from bookings where first_name = 'Linus'`
  t.equal(booking!.channel, 'pos')
  t.match(textOf((await staff.get(`/dashboard/bookings/${booking!.reference}`)).body), 'Point of sale')
})

t.test('a party can wait with only a phone number, and the desk calls it about the offer', async (t) => {
  const { sql, signIn, call, entry, offer } = await makeOffered(t)
  await call('POST', `/waitlist/${entry.WaitlistID}/leave`)
  const [slot] = (await call('GET', '/timeslots')).data
  const staff = await signIn('staff')
  const page = `/dashboard/calendar/timeslots/${slot.ID}/waitlist`
  const party = { Participants: '2', 'Customer.FirstName': 'Linus', 'Customer.LastName': 'Pauling' }
  const refused = await staff.post(page, party)
  t.equal(refused.statusCode, 422)
  t.match(textOf(refused.body), 'E-mail address or a phone number must be given')
  t.equal((await staff.post(page, { ...party, 'Customer.Phone': '+351912345678' })).statusCode, 303)
  await offer()
  await pumpEvents(sql)
  const list = textOf((await staff.get('/dashboard/calendar/waitlist')).body)
  t.match(list, /Linus Pauling 912 345 678 .* offered until .* No e-mail address: tell them by phone\./)
  const today = async () => (await staff.get('/dashboard/today')).body
  const shown = await today()
  t.match(
    textOf(shown),
    /Call Linus Pauling , 912 345 678 : places for 2 people are free until .* Sat, 15 Jun 2030, 10:00/,
  )
  t.match(shown, '<a href="tel:+351912345678">')
  t.match(shown, `<a href="/dashboard/calendar/timeslots/${slot.ID}#waitlist">`)
  t.notMatch(
    textOf((await staff.get('/dashboard/today?Date=2030-06-15')).body),
    'Call Linus',
    'on no other day',
  )
  await sql`update bookings set email = 'linus@example.com' where first_name = 'Linus'`
  t.notMatch(await today(), 'tel:', 'a customer with an e-mail address gets an e-mail')
  await sql`update bookings set email = null where first_name = 'Linus'`
  t.match(await today(), 'tel:')
  await sql`update baskets set expires_at = now() - interval '1 second' where status = 'open'`
  t.notMatch(await today(), 'tel:', 'nobody is called about an offer that has ended')
})

t.test('if many parties must be called, the day names some of them, and links to the waitlist', async (t) => {
  const { sql, accountId, entry, offer } = await makeOffered(t)
  await offer()
  await sql`update bookings set email = null, phone = '+351912345678'`
  const [offered] = await listToCall(sql, accountId, 10)
  t.equal(offered!.id, entry.WaitlistID)
  const session = { user: { country: null, timeZone: 'Europe/Lisbon' } } as Session
  const shown = offerCalls(session, textsIn('en-GB'), Array(maxToCall + 1).fill(offered))
  t.equal(shown.text.match(/tel:/g)!.length, maxToCall)
  t.match(textOf(shown.text), 'More parties have to be called: Waitlist')
})
