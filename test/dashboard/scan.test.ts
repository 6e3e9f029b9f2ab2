/** Codes of tickets and bookings that are scanned, as a browser without JavaScript sends them. */
import t from 'tap'
import { dateIn } from '../../src/platform/text/calendar.ts'
import { makeCaller } from '../helper.ts'
import { hidden, textOf } from './fixtures.ts'
import { makeGate } from './scan-fixtures.ts'

t.test('the code of a ticket checks in one person of the party, and the page shows who it is', async (t) => {
  const { scan, bookTickets, here } = await makeGate(t)
  const { reference, codes } = await bookTickets(2)
  const first = await scan(codes[0]!)
  t.equal(first.statusCode, 200)
  t.match(first.text, 'Checked in: 1 of 2 here')
  t.match(first.text, /Ada Lovelace , 2 people Ticket 1: Person Kayak, .* 10:10/)
  t.match((await scan(` ${codes[1]!.toUpperCase()} `)).text, 'Checked in: 2 of 2 here')
  t.equal(await here(reference), '2 of 2')
})

t.test('a repeated scan of the same code says when it was scanned first, and changes nothing', async (t) => {
  const { scan, bookTickets, bookParty, here, actions } = await makeGate(t)
  const { reference, codes } = await bookTickets(2)
  await scan(codes[0]!)
  t.match((await scan(codes[0]!)).text, /^Already here since \d+ \w+ \d+, \d+:\d\d/)
  t.equal(await here(reference), '1 of 2')
  const alone = await bookParty(1)
  t.match((await scan(alone)).text, 'Checked in: 1 of 1 here')
  t.match((await scan(alone)).text, /^Already here since/)
  t.same(await actions(alone), ['confirmed', 'checked-in'])
})

t.test(
  'a repeated scan says when the last guest came, not when others were marked as no-shows',
  async (t) => {
    const { scan, bookParty, call, sql } = await makeGate(t)
    const reference = await bookParty(4)
    const attend = (counted: object) =>
      call('POST', `/bookings/${reference}/attendance`, { Attendance: 'checked-in', ...counted })
    await attend({ PeopleHere: 3 })
    await sql`update events set occurred_at = '2030-06-15 08:50Z' where type = 'booking.checked-in'`
    await attend({ PeopleHere: 3, PeopleAbsent: 1 })
    await call('POST', `/bookings/${reference}/amend`, { Participants: 3 })
    t.match((await scan(reference)).text, /^Already here since 15 Jun 2030, 9:50/)
  },
)

t.test('after a scan of a booking reference, the page asks how many of the party have come', async (t) => {
  const { scan, bookParty, here } = await makeGate(t)
  const reference = await bookParty(4)
  const asked = await scan(reference.toLowerCase())
  t.match(asked.text, /^How many of the 4 are here\?/)
  t.match(asked.text, /All 4 1 person 2 people 3 people/)
  t.equal(await here(reference), '0 of 4', 'the page that asks checks nobody in')
  const some = await scan(reference, { People: '2' })
  t.match(
    some.text,
    /Checked in: 2 of 4 here .* The other 2 1 person/,
    'the page offers to check in the others at once',
  )
  t.match((await scan(reference)).text, /2 of 4 here. How many more have come\? .* The other 2 1 person/)
  const all = await scan(reference, { People: '9' })
  t.match(all.text, 'Checked in: 4 of 4 here')
  t.notMatch(all.text, 'The other')
})

t.test('a scan shows the internal notes about the booking', async (t) => {
  const { scan, bookParty, call } = await makeGate(t)
  const reference = await bookParty(1)
  await call('PUT', `/bookings/${reference}/internal-notes`, { InternalNotes: 'Allergic to nuts.' })
  t.match((await scan(reference)).text, 'Allergic to nuts.')
})

t.test('a scan that cannot check in says why, and checks nobody in', async (t) => {
  const { scan, bookParty, bookTickets, call, later, slotId, here } = await makeGate(t)
  const resultOf = async (text: string) => (await scan(text)).text
  const another = await bookParty(1, { Date: later, Time: '10:00' })
  t.match(await resultOf(another), /^Wrong day: \w+, \d+ \w+ \d{4}/)
  t.equal(await here(another), '0 of 1')
  const { reference, codes } = await bookTickets(2)
  const wrong = await scan(codes[0]!, { TimeslotID: String(await slotId('10:20')) })
  t.match(wrong.text, /^Of another departure: Kayak, .* 10:10/)
  t.equal(await here(reference), '0 of 2')
  await call('POST', `/bookings/${reference}/amend`, { Participants: 1 })
  t.match(await resultOf(codes[1]!), /^The ticket is void since/)
  await call('POST', `/bookings/${reference}/cancel`, { Override: true })
  t.match(await resultOf(codes[0]!), /^Cancelled/)
  t.match(await resultOf(reference), /^Cancelled/)
  for (const code of ['7KQ4MXW2PD', '3f2b8a64-0c1d-4e5f-8a9b-7c6d5e4f3a2b', 'https://example.com/', '’; --'])
    t.match(await resultOf(code), /^Unknown code/, code)
  for (const code of ['', ' ', '\0', 'x'.repeat(300)]) t.equal((await scan(code)).statusCode, 422)
})

t.test('a guest of another day or departure is checked in once, when the user confirms it', async (t) => {
  const { scan, bookParty, bookTickets, later, slotId, here, actions } = await makeGate(t)
  const party = await bookParty(3, { Date: later, Time: '10:00' })
  const asked = await scan(party)
  t.match(asked.text, 'Check in anyway')
  const anyway = { Code: hidden(asked.body, 'Code'), Anyway: hidden(asked.body, 'Anyway') }
  const counted = await scan(anyway.Code, { Anyway: anyway.Anyway })
  t.match(counted.text, 'How many of the 3 are here?')
  t.equal(hidden(counted.body, 'Anyway'), 'true', 'the form that asks for the number keeps the confirmation')
  t.match((await scan(party, { Anyway: 'true', People: '2' })).text, 'Checked in: 2 of 3 here')
  const { reference, codes } = await bookTickets(2)
  const TimeslotID = String(await slotId('10:20'))
  const other = await scan(codes[0]!, { TimeslotID })
  t.equal(hidden(other.body, 'Code'), codes[0], 'the form has the code of the ticket, not of the booking')
  t.match((await scan(codes[0]!, { TimeslotID, Anyway: 'true' })).text, 'Checked in: 1 of 2 here')
  t.match((await scan(codes[0]!, { TimeslotID, Anyway: 'true' })).text, /^Already here since/)
  t.equal(await here(reference), '1 of 2')
  t.equal((await actions(reference)).filter((action) => action === 'ticket-redeemed').length, 1)
})

t.test('a scan shows the amount that is still to be paid for the sale', async (t) => {
  const { scan, call, activityId, date, bookParty } = await makeGate(t)
  const line = { ActivityID: activityId, Date: date, Time: '10:10', Participants: 1 }
  const { BookingReference, BasketID } = (
    await call('POST', '/bookings', { ...line, Payment: { Method: 'cash', Amount: '20.00' } })
  ).data
  t.match((await scan(BookingReference)).text, 'Checked in: 1 of 1 here')
  t.match((await scan(BookingReference)).text, '€25.00 to pay Take a payment')
  await call('POST', `/baskets/${BasketID}/payments`, { Method: 'card', Amount: '25.00' })
  t.notMatch((await scan(BookingReference)).text, 'to pay')
  t.notMatch((await scan(await bookParty(1))).text, 'to pay', 'a partner’s booking is paid to the partner')
})

t.test('a scan shows the answers of the party', async (t) => {
  const { scan, bookParty, sql, accountId, productId } = await makeGate(t)
  const [question] = await sql<{ id: number }[]>`
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    values (${accountId}, ${productId}, 1, 'Any allergy?', 'text', false, '{}', 'booking') returning id`
  const reference = await bookParty(1, { Answers: [{ QuestionID: question!.id, Value: 'Peanuts' }] })
  t.match((await scan(reference)).text, 'Any allergy? Peanuts')
})

t.test('a scan that is sent again with its idempotency key gets the first response', async (t) => {
  const { scan, bookTickets, actions, here, bookParty } = await makeGate(t)
  const { reference, codes } = await bookTickets(2)
  const key = crypto.randomUUID()
  const first = await scan(codes[0]!, {}, key)
  const again = await scan(codes[0]!, { ScannedAt: new Date().toISOString(), All: 'true' }, key)
  t.equal(again.text, first.text)
  t.equal((await actions(reference)).filter((action) => action === 'ticket-redeemed').length, 1)
  const party = await bookParty(4)
  const counted = crypto.randomUUID()
  await scan(party, { People: '1' }, counted)
  await scan(party, { People: '1' }, counted)
  t.equal(await here(party), '1 of 4')
})

t.test('a stored scan that is sent again after its idempotency key was deleted counts once', async (t) => {
  const { scan, bookTickets, bookParty, actions, here, sql } = await makeGate(t)
  const { reference, codes } = await bookTickets(2)
  const party = await bookParty(4)
  const sent = { All: 'true', ScannedAt: new Date().toISOString() }
  const [one, other] = [crypto.randomUUID(), crypto.randomUUID()]
  t.match((await scan(codes[0]!, sent, one)).text, 'Checked in: 1 of 2 here')
  t.match(
    (await scan(party, sent, other)).text,
    'Checked in: 4 of 4 here',
    'a stored scan checks in the whole party',
  )
  const before = [await actions(reference), await actions(party)]
  await sql`delete from idempotency_keys`
  t.match((await scan(codes[0]!, sent, one)).text, /^Already here since/)
  t.match((await scan(party, sent, other)).text, /^Already here since/)
  t.same([await actions(reference), await actions(party)], before)
  t.equal(await here(reference), '1 of 2')
})

t.test('a scan that is sent later checks in a guest of the day on which it was made', async (t) => {
  const { scan, bookParty, sql, date } = await makeGate(t)
  const reference = await bookParty(1)
  const yesterday = dateIn('Europe/Lisbon', new Date(Date.now() - 24 * 3600 * 1000))
  await sql`
    update timeslots set date = ${yesterday}, starts_at = now() - interval '26 hours' where date = ${date} and time = '10:10'`
  t.match((await scan(reference)).text, /^Wrong day/)
  const scannedAt = new Date(Date.now() - 26 * 3600 * 1000).toISOString()
  t.match((await scan(reference, { ScannedAt: scannedAt })).text, 'Checked in: 1 of 1 here')
})

t.test('of several concurrent scans of one code, one checks the guest in', async (t) => {
  const { scan, bookTickets, actions } = await makeGate(t)
  const { reference, codes } = await bookTickets(2)
  const answers = await Promise.all([1, 2, 3, 4].map(() => scan(codes[0]!)))
  const texts = answers.map(({ text }) => text)
  t.equal(texts.filter((text) => text.startsWith('Checked in: 1 of 2')).length, 1)
  t.equal(texts.filter((text) => text.startsWith('Already here')).length, 3)
  t.equal((await actions(reference)).filter((action) => action === 'ticket-redeemed').length, 1)
})

t.test('the page offers the departures of today, and a ticket of another account is unknown', async (t) => {
  const { staff, slotId, bookTickets, signIn, sql } = await makeGate(t)
  const id = await slotId('10:20')
  const { body } = await staff.get(`/dashboard/scan?TimeslotID=${id}`)
  t.equal(hidden(body, 'TimeslotID'), String(id))
  t.match(textOf(body), /Any of today 10:10 Kayak 10:20 Kayak/)
  const { codes } = await bookTickets(1)
  const elsewhere = await makeCaller(sql, { slug: 'elsewhere' })
  const stranger = await signIn('owner', 'owner@elsewhere.test', elsewhere)
  t.match(textOf((await stranger.post('/dashboard/scan', { Code: codes[0]! })).body), 'Unknown code')
})
