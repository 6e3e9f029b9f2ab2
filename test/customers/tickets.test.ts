/** The contacts of tickets: the customer of the booking, or other people of the party. */
import t from 'tap'
import { exportCustomer } from '../../src/customers/exporting.ts'
import { toCustomerIdentifier } from '../../src/customers/model.ts'
import { eraseOldCustomers } from '../../src/customers/retention.ts'
import { run } from '../command-line.ts'
import { testConfig } from '../helper.ts'
import { openAt } from '../messaging/emails/fixtures.ts'
import { customer as other } from '../sales/basket/fixtures.ts'
import { type Harbour, listTraces, openHarbour, quill, quillIdentifier } from './fixtures.ts'

/** Gives the first ticket of a booking a contact, and redeems it. */
async function giveTicket({ call, post }: Harbour, reference: string, Contact: object = quill) {
  const [{ TicketID }] = (await post(`/bookings/${reference}/tickets`)).json().data
  const path = `/bookings/${reference}/tickets/${TicketID}`
  await call('PATCH', path, { Contact, ResellerReference: 'OTA-T-1' })
  await post(`/tickets/${TicketID}/redeem`, {}, { 'idempotency-key': TicketID })
  return { TicketID, path }
}

t.test(
  'the contacts on tickets of a customer’s bookings are exported and erased with the bookings',
  async (t) => {
    const harbour = await openHarbour(t)
    const { sql, later, accountId, book, erase, call, post } = harbour
    const reference = await book({ Participants: 2 })
    const { TicketID, path } = await giveTicket(harbour, reference)
    const { Bookings, Tickets } = await exportCustomer(
      sql,
      { id: accountId, slug: 'harbour' },
      quillIdentifier,
    )
    t.match(Bookings, [
      {
        Tickets: [
          {
            TicketID,
            Contact: { ...quill, Phone: '+351912000777' },
            ResellerReference: 'OTA-T-1',
            RedeemedAt: Date,
          },
          { Contact: { Email: null }, RedeemedAt: null },
        ],
      },
    ])
    t.same(Tickets, [], 'the tickets are not listed twice')
    t.same(await listTraces(sql), ['bookings', 'idempotency_keys', 'tickets'])

    t.match(await erase(later), { bookings: 1, tickets: 0, answers: 1, finishedAt: Date })
    t.same(await listTraces(sql), [])
    t.match((await call('GET', `/bookings/${reference}/tickets`)).json().data, [
      { TicketID, Contact: null, ResellerReference: 'OTA-T-1', Status: 'redeemed' },
      { Contact: null, Status: 'valid' },
    ])
    t.match((await post(`/tickets/${TicketID}/redeem`, {}, { 'idempotency-key': TicketID })).json().data, {
      TicketID,
      Contact: null,
    })
    t.match((await call('PATCH', path, { Contact: quill })).json(), { status: 409, type: /customer-erased$/ })
  },
)

t.test('the data that a reseller sent about a customer is erased with the customer', async (t) => {
  const { sql, later, accountId, book, erase } = await openHarbour(t)
  const reference = await book({ Participants: 2 })
  await sql`update bookings set has_tickets = true where reference = ${reference}`
  await sql`
    insert into tickets (account_id, booking_id, number, unit_id, email, contact)
    select account_id, id, 1, 0, email, '{"country": "GB"}' from bookings where account_id = ${accountId}`
  await sql`
    insert into reservations (account_id, booking_id, reseller_id, uuid, body_hash, notes, contact)
    select account_id, id, 0, gen_random_uuid(), '', 'Late', '{"country": "GB"}' from bookings where account_id = ${accountId}`
  await erase(later)
  t.same(await sql`select notes, contact from reservations`, [{ notes: null, contact: null }])
  t.same(await sql`select email, contact from tickets`, [{ email: null, contact: null }])
})

t.test(
  'a reseller’s data about a person is kept if the contact is corrected, and cleared if another person replaces them',
  async (t) => {
    const { sql, accountId, book, call } = await openHarbour(t)
    const reference = await book()
    await sql`update bookings set has_tickets = true where reference = ${reference}`
    const [ticket] = await sql<{ uuid: string }[]>`
      insert into tickets (account_id, booking_id, number, unit_id, first_name, last_name, email)
      select account_id, id, 1, 0, first_name, last_name, email from bookings where account_id = ${accountId}
      returning uuid`
    await sql`
      insert into reservations (account_id, booking_id, reseller_id, uuid, body_hash)
      select account_id, id, 0, gen_random_uuid(), '' from bookings where account_id = ${accountId}`
    const sent = { country: 'GB', postalCode: 'XYZ', notes: 'Left-handed' }
    const rows = async () => [
      ...(await sql`select contact from tickets union all select contact from reservations`),
    ]
    const paths = {
      Contact: `/bookings/${reference}/tickets/${ticket!.uuid}`,
      Customer: `/bookings/${reference}`,
    }
    async function change(person: object) {
      await sql`update tickets set contact = ${sql.json(sent)}`
      await sql`update reservations set contact = ${sql.json(sent)}`
      for (const [name, path] of Object.entries(paths))
        t.equal((await call('PATCH', path, { [name]: person })).statusCode, 200)
      return (await rows()).map(({ contact }) => contact)
    }
    const { FirstName, LastName, Email } = quill
    t.same(await change({ FirstName: 'Quilla', LastName, Email: Email.toUpperCase() }), [sent, sent])
    t.same(await change({ FirstName: 'QUILLA', LastName, Email: 'q@example.com' }), [sent, sent])
    t.same(await change({ FirstName, LastName, Email: 'q@example.com', Phone: '+351912000888' }), [
      sent,
      sent,
    ])
    t.same(await change(other), [null, null])
    t.same(await change({ ...other, Phone: '+351912000999' }), [sent, sent])
  },
)

t.test('the export for a person with a ticket in another’s booking has only that ticket', async (t) => {
  const harbour = await openHarbour(t)
  const { sql, accountId, book } = harbour
  const reference = await book({ Participants: 2, Customer: other })
  const { TicketID } = await giveTicket(harbour, reference)
  for (const whose of [quillIdentifier, toCustomerIdentifier({ phone: quill.Phone })]) {
    const document = await exportCustomer(sql, { id: accountId, slug: 'harbour' }, whose)
    t.match(document, {
      Bookings: [],
      Tickets: [
        {
          BookingReference: reference,
          Product: 'Kayak',
          Date: '2030-06-15',
          Time: '10:00',
          TicketID,
          Contact: { FirstName: 'Quillona' },
        },
      ],
    })
    t.notMatch(JSON.stringify(document), /Lovelace|ada@/)
  }
  t.match(
    await exportCustomer(sql, { id: accountId, slug: 'harbour' }, toCustomerIdentifier({ email: 'a@b.c' })),
    {
      Bookings: [],
      Tickets: [],
    },
  )
})

t.test(
  'erasing a customer removes only their contact from other customers’ bookings, even from upcoming ones',
  async (t) => {
    const harbour = await openHarbour(t)
    const { sql, book, erase, call } = harbour
    const mine = await book()
    const theirs = await book({ Participants: 2, Customer: other })
    await giveTicket(harbour, mine, other)
    const { TicketID } = await giveTicket(harbour, theirs)
    await call('POST', `/bookings/${mine}/cancel`)
    t.match(await erase(sql), { bookings: 1, tickets: 1, finishedAt: Date })
    t.same(await listTraces(sql), [])
    const booking = (await call('GET', `/bookings/${theirs}`)).json().data
    t.match(booking, {
      Status: 'confirmed',
      Customer: { LastName: other.LastName },
      Attendance: 'checked-in',
    })
    t.match(booking.History.at(-1), {
      Action: 'ticket-changed',
      Actor: { Kind: 'service' },
      Details: { Ticket: 1, Fields: ['Contact'] },
    })
    t.match((await call('GET', `/bookings/${theirs}/tickets`)).json().data, [
      { TicketID, Contact: null, ResellerReference: 'OTA-T-1', Status: 'redeemed' },
      { Status: 'valid' },
    ])
    t.match((await call('GET', `/bookings/${mine}/tickets`)).json().data, [{ Contact: null }])
    t.match(await erase(sql), { bookings: 0, tickets: 0, finishedAt: Date }, 'a second erasure finds nothing')
  },
)

t.test('tickets keep no contact longer than bookings keep their customer', async (t) => {
  const harbour = await openHarbour(t)
  const { sql, url, dataDir, book } = harbour
  await giveTicket(harbour, await book({ Customer: other }))
  const config = testConfig({ PERSONAL_DATA_RETENTION_DAYS: '30', DATA_DIR: dataDir })
  t.equal(await eraseOldCustomers(openAt(t, url, '2030-07-16T00:00:00Z'), config), 1)
  t.same(await listTraces(sql), [])
})

t.test(
  'the erase command counts the tickets in bookings of other customers, before and after it erases their contacts',
  async (t) => {
    const harbour = await openHarbour(t)
    const { url, dataDir, book } = harbour
    await giveTicket(harbour, await book({ Customer: other }))
    const erase = (...args: string[]) =>
      run(
        { DATABASE_URL: url, DATA_DIR: dataDir },
        ...['customers', 'erase', '--account', 'harbour', '--email', quill.Email, ...args],
      )
    t.match(
      (await erase()).stdout,
      'Would permanently erase the customer’s data in 0 bookings (none) and on 1 ticket.',
    )
    t.match(
      (await erase('--yes')).stdout,
      'Erased the customer’s data in 0 bookings, on 1 other ticket, in 0 e-mails',
    )
  },
)
