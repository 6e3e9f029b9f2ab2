/** Tickets with QR codes: on paper, and on the page that a customer opens from their e-mail. */
import decodeQr from 'qr/decode.js'
import t, { type Test } from 'tap'
import { takeEvent } from '../../src/sales/payment/service.ts'
import { ticketsUrl } from '../../src/sales/ticket/links.ts'
import { adult, child } from '../catalogue/units/fixtures.ts'
import { makeProduct } from '../helper.ts'
import { paymentPage } from '../sales/waitlist/fixtures.ts'
import { makeDashboard, textOf } from './fixtures.ts'

const secret = 'a secret of at least 32 characters'

async function makeSale(t: Test) {
  const dashboard = await makeDashboard(t, { environment: { SECRET_KEY: secret } })
  const { app, sql, accountId, signIn, call } = dashboard
  const { id, activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 8 } })
  await sql`update products set description = 'Meet at the <harbour>.'`
  const units = (await call('PUT', `/products/${id}/units`, { Units: [adult, child] })).data
  const Units = units.map(({ UnitID }: { UnitID: number }) => ({ UnitID, Quantity: 1 }))
  const Customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }
  const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Units, Customer }
  const sold = await call('POST', '/bookings', { ...line, Payment: { Method: 'cash' } })
  const reference = sold.data.BookingReference as string
  const { get, post } = await signIn('staff')
  const path = `/dashboard/bookings/${reference}/tickets`
  const printedPage = async () => (await get(`${path}/print`)).body
  const link = new URL(ticketsUrl('http://booking.test', secret, { accountId, reference })).pathname
  const customerPage = async () => (await app.inject({ url: link })).body
  /** Makes the tickets; returns their ids. */
  const make = async (): Promise<string[]> => {
    const { data } = await call('POST', `/bookings/${reference}/tickets`)
    return data.map(({ TicketID }: { TicketID: string }) => TicketID)
  }
  return { ...dashboard, reference, get, post, path, printedPage, customerPage, link, make }
}

/** Draws each QR code of a page, and returns the texts that a scanner reads in them. */
function scan(body: string): string[] {
  return [...body.matchAll(/<svg class="qr"[^>]* viewBox="0 0 (\d+) \d+".*?<path d="([^"]*)"/gs)].map(
    ([, width, path]) => {
      const scale = 4
      const [size, side] = [Number(width), Number(width) * scale]
      const data = new Uint8Array(side * side * 4).fill(255)
      for (const [, x, y, length] of path!.matchAll(/M(\d+) (\d+)h(\d+)/g))
        for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++)
          for (let at = Number(x) * scale; at < (Number(x) + Number(length)) * scale; at++)
            data.set([0, 0, 0, 255], (row * side + at) * 4)
      if (size < 21) throw new Error('too small for a code')
      return decodeQr({ width: side, height: side, data })
    },
  )
}

t.test('a booking without tickets has one code, its reference, for all of the party', async (t) => {
  const { printedPage, customerPage, reference } = await makeSale(t)
  for (const body of [await printedPage(), await customerPage()]) {
    t.same(scan(body), [reference])
    t.match(textOf(body), /Ticket for the whole party/)
  }
  t.match(textOf(await printedPage()), /Kayak .* 1 × Adult, 1 × Child Ada Lovelace Reference \w{10}/)
})

t.test('a booking with tickets has a code for each, which a scanner reads as the ticket’s id', async (t) => {
  const { printedPage, customerPage, make, call, reference } = await makeSale(t)
  const ids = await make()
  const Contact = { FirstName: 'Grace', LastName: 'Hopper' }
  await call('PATCH', `/bookings/${reference}/tickets/${ids[1]}`, { Contact })
  for (const body of [await printedPage(), await customerPage()]) {
    t.same(scan(body), ids)
    t.match(textOf(body), /Ticket 1 of 2: Adult .* Ticket 2 of 2: Child .*Grace Hopper/)
  }
  await call('POST', `/tickets/${ids[0]}/redeem`)
  t.match(textOf(await customerPage()), /Ticket 1 of 2: Adult Used already/)
})

t.test('a void ticket is not printed, and a cancelled booking has none', async (t) => {
  const { printedPage, customerPage, make, call, reference, sql } = await makeSale(t)
  const ids = await make()
  await sql`update tickets set voided_at = app_now() where uuid = ${ids[1]!}`
  t.same(scan(await printedPage()), [ids[0]])
  await call('POST', `/bookings/${reference}/cancel`, { Override: true })
  t.match(textOf(await printedPage()), 'The booking is not confirmed, so it has no tickets.')
  t.match(textOf(await customerPage()), 'This booking is cancelled: there are no tickets.')
  t.same([...scan(await printedPage()), ...scan(await customerPage())], [])
})

t.test(
  'the customer’s page shows product, time and meeting point, and an invalid link gets 404',
  async (t) => {
    const { customerPage, link, app, reference, accountId } = await makeSale(t)
    const body = await customerPage()
    t.match(textOf(body), /Kayak Saturday 15 June 2030, at 10:00 1 × Adult, 1 × Child Ada Lovelace/)
    t.match(textOf(body), 'Meet at the <harbour>.')
    const forged = ticketsUrl('', 'another secret of 32 characters at least', { accountId, reference })
    const unknown = ticketsUrl('', secret, { accountId, reference: 'NOSUCHONE2' })
    for (const url of [`${link}x`, forged, unknown]) {
      const answer = await app.inject({ url })
      t.equal(answer.statusCode, 404)
      t.match(textOf(answer.body), 'This link is not valid')
    }
  },
)

t.test('the booking’s page links to its printed tickets', async (t) => {
  const { get, make, reference, path } = await makeSale(t)
  t.notMatch(
    (await get(`/dashboard/bookings/${reference}`)).body,
    `href="${path}/print"`,
    'there is no link before there are tickets',
  )
  await make()
  t.match((await get(`/dashboard/bookings/${reference}`)).body, `href="${path}/print"`)
  t.equal((await get('/dashboard/bookings/NOSUCHONE2/tickets/print')).statusCode, 404)
})

t.test('the customer opens the receipt of the sale from the page of their tickets', async (t) => {
  const { app, customerPage, link, reference, call, book, sql, accountId } = await makeSale(t)
  t.match(await customerPage(), `href="${link}/receipt"`)
  const open = async (url: string) => textOf((await app.inject({ url })).body)
  t.match(await open(`${link}/receipt`), /Receipt \d+ quay .* Total €65.00 Paid on .*, cash €65.00/)
  await call('POST', `/bookings/${reference}/cancel`, { Override: true, Refund: { Amount: '60.00' } })
  const changed = await open(`${link}/receipt`)
  t.match(changed, /Kept for what was cancelled or changed €5.00 .*To be paid back €60.00/)
  const { activityId } = await makeProduct(sql, accountId, {
    name: 'Canoe',
    slots: { '2030-06-15 12:00': 8 },
  })
  const sold = await book(activityId, { Date: '2030-06-15', Time: '12:00' })
  const theirs = ticketsUrl('', secret, { accountId, reference: sold.reference })
  t.notMatch((await app.inject({ url: theirs })).body, '/receipt', 'the customer paid the partner')
  t.match(await open(`${theirs}/receipt`), 'There is no receipt')
  t.equal((await app.inject({ url: `${link}x/receipt` })).statusCode, 404)
})

t.test('the customer’s receipt names no reference of another booking of the sale', async (t) => {
  const { app, call, sql, accountId } = await makeSale(t)
  const { activityId } = await makeProduct(sql, accountId, {
    name: 'Canoe',
    slots: { '2030-06-15 12:00': 8 },
  })
  const line = { ActivityID: activityId, Date: '2030-06-15', Time: '12:00', Participants: 1 }
  const { data } = await call('POST', '/baskets', { Channel: 'pos', Lines: [line, line] })
  await call('POST', `/baskets/${data.BasketID}/pay`, { Method: 'cash' })
  const [own, other] = data.Lines.map(
    ({ BookingReference }: { BookingReference: string }) => BookingReference,
  )
  const { body } = await app.inject({
    url: `${ticketsUrl('', secret, { accountId, reference: own })}/receipt`,
  })
  t.match(body, own)
  t.notMatch(body, other)
})

t.test('the receipt has a link by which the customer pays what is still to be paid', async (t) => {
  const { app, call, sql, accountId } = await makeSale(t)
  const { activityId } = await makeProduct(sql, accountId, {
    ...{ name: 'Canoe', slots: { '2030-06-16 10:00': 8 } },
  })
  const { data } = await call('POST', '/bookings', {
    ...{ ActivityID: activityId, Date: '2030-06-16', Time: '10:00', Participants: 2 },
    ...{ Customer: { FirstName: 'Ada' }, Payment: { Method: 'cash', Amount: '30.00' } },
  })
  const reference = data.BookingReference as string
  const link = new URL(ticketsUrl('http://booking.test', secret, { accountId, reference })).pathname
  const open = async () => (await app.inject({ url: `${link}/receipt` })).body
  t.match(textOf(await open()), 'Pay €60.00 at the desk of quay.')
  await call('PUT', '/payment-settings', { PaymentPage: paymentPage })
  const [, href = ''] = /<a class="button" href="([^"]+)">Pay €60.00</.exec(await open()) ?? []
  const { searchParams } = new URL(href.replaceAll('&#38;', '&'))
  t.match(Object.fromEntries(searchParams), {
    order: String(data.BasketID ?? (await call('GET', `/bookings/${reference}`)).data.BasketID),
    amount: '60.00',
    back: `http://booking.test${link}/receipt`,
  })
  await takeEvent(sql, accountId, {
    ...{ ID: 'evt_1', Account: 'quay', Type: 'succeeded', BasketID: Number(searchParams.get('order')) },
    ...{ Amount: '60.00', Currency: 'EUR', Reference: 'ch_1' },
  })
  t.match(textOf(await open()), /Paid on .*, online €60.00/)
  t.notMatch(await open(), 'Pay €60.00')
})
