/** A customer's tickets page apart from the codes: what is owed, the calendar file, the refund terms, and contacts. */
import t, { type Test } from 'tap'
import { ticketsUrl } from '../../../src/sales/ticket/links.ts'
import { makeDashboard, textOf } from '../../dashboard/fixtures.ts'
import { makeProduct } from '../../helper.ts'

const secret = 'a secret of at least 32 characters'

async function makeSale(t: Test, changes: object = {}) {
  const dashboard = await makeDashboard(t, { environment: { SECRET_KEY: secret } })
  const { app, sql, accountId, call } = dashboard
  const { id, activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  const RefundTerms = [
    { Percent: '100', HoursBefore: 48 },
    { Percent: '50', HoursBefore: 24 },
  ]
  await call('PUT', `/products/${id}/refund-terms`, { RefundTerms })
  await call('PUT', '/business-details', { Phone: '+351282555010', Email: 'desk@quay.test' })
  const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
  const { data } = await call('POST', '/bookings', { ...line, Payment: { Method: 'cash' }, ...changes })
  const reference = data.BookingReference as string
  const pathOf = (key: string, owner: string) =>
    new URL(ticketsUrl('http://booking.test', key, { accountId, reference: owner })).pathname
  const link = pathOf(secret, reference)
  const open = async (query = '') => (await app.inject(`${link}${query}`)).body
  return { ...dashboard, activityId, reference, link, pathOf, open }
}

t.test(
  'the page of a customer shows first what is still to be paid, and links to the way to pay',
  async (t) => {
    const { open, link } = await makeSale(t, { Payment: { Method: 'cash', Amount: '35.00' } })
    t.match(textOf(await open()), /€55\.00 still to pay How to pay Saturday 15 June 2030/)
    t.match(await open(), `<a href="${link}/receipt">How to pay</a>`)
    t.match(textOf(await open('?lang=pt')), /Falta pagar 55,00\s€ Como pagar/)
  },
)

t.test('the page of a paid booking shows nothing to pay', async (t) => {
  const { open } = await makeSale(t)
  t.notMatch(textOf(await open()), 'still to pay')
})

t.test(
  'the page says how much is refunded until which time, and no longer says so after a cancellation',
  async (t) => {
    const { open, call, reference } = await makeSale(t)
    t.match(
      textOf(await open()),
      /If you cancel 100 % of the price is paid back until Thursday 13 June 2030 at 10:00\. 50 % of the price is paid back until Friday 14 June 2030 at 10:00\. Nothing is paid back after that\./,
    )
    await call('POST', `/bookings/${reference}/cancel`, { Override: true })
    t.notMatch(textOf(await open()), /If you cancel|Add to calendar/)
  },
)

t.test('a partner’s customer does not see refund terms or amounts owed', async (t) => {
  const { app, activityId, book, pathOf } = await makeSale(t)
  const { reference } = await book(activityId, { Date: '2030-06-15', Time: '10:00' })
  const { body } = await app.inject(pathOf(secret, reference))
  t.match(textOf(body), 'Add to calendar')
  t.notMatch(textOf(body), /If you cancel|still to pay/)
})

t.test('the page shows the contacts of the operator, with a telephone link', async (t) => {
  const { open } = await makeSale(t)
  const body = await open()
  t.match(textOf(body), /Questions, or a change\? \+351 282 555 010 ?, desk@quay\.test/)
  t.match(body, '<a class="number" href="tel:+351282555010">+351 282 555 010</a>')
})

t.test('a customer can download the booking as a calendar file, which is not cacheable', async (t) => {
  const { app, link, reference, open } = await makeSale(t)
  t.match(await open('?lang=pt'), `href="${link}/calendar.ics?lang=pt"`)
  const { statusCode, headers, body } = await app.inject(`${link}/calendar.ics`)
  t.equal(statusCode, 200)
  t.match(headers, {
    'content-type': 'text/calendar; charset=utf-8',
    'content-disposition': `inline; filename="${reference}.ics"`,
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
  })
  const text = body.replaceAll('\r\n ', '')
  for (const line of [
    'DTSTART:20300615T090000Z',
    'SUMMARY:Kayak\\, quay',
    `URL:http://booking.test${link}`,
    'STATUS:CONFIRMED',
  ])
    t.ok(text.includes(`${line}\r\n`), line)
  t.match(text, `DESCRIPTION:2 people\\nBooking reference: ${reference}\\nhttp://booking.test${link}`)
  t.equal(text.match(/BEGIN:VEVENT/g)?.length, 1)
})

t.test('the calendar entry of a cancelled booking is cancelled', async (t) => {
  const { app, link, call, reference } = await makeSale(t)
  const uid = async () => /UID:.*/.exec((await app.inject(`${link}/calendar.ics`)).body)?.[0]
  const before = await uid()
  await call('POST', `/bookings/${reference}/cancel`, { Override: true })
  t.match((await app.inject(`${link}/calendar.ics`)).body, 'STATUS:CANCELLED')
  t.equal(await uid(), before, 'the UID stays, so that a calendar program replaces the entry')
})

t.test(
  'an invalid link, or one to an unknown booking, gets an error page instead of the calendar file',
  async (t) => {
    const { app, link, reference, pathOf } = await makeSale(t)
    const forged = pathOf('another secret of 32 characters at least', reference)
    for (const path of [`${link}x`, forged, pathOf(secret, 'NOSUCHONE2')]) {
      const answer = await app.inject(`${path}/calendar.ics`)
      t.equal(answer.statusCode, 404)
      t.match(String(answer.headers['content-type']), 'text/html')
      t.match(textOf(answer.body), 'This link is not valid')
    }
  },
)

t.test('a ticket shows its booking reference and number, and a redeemed one is less prominent', async (t) => {
  const { call, open, reference } = await makeSale(t)
  const { data } = await call('POST', `/bookings/${reference}/tickets`)
  const id = data[0].TicketID as string
  const body = await open()
  t.match(textOf(body), `${reference} · 1 of 2`)
  t.notMatch(body, id)
  t.notMatch(body, 'class="used"')
  await call('POST', `/tickets/${id}/redeem`)
  t.match(await open(), /<section class="used"><h2>Ticket 1 of 2<\/h2>/)
})
