/** Reservations in the operator API: what it shows, and which changes are allowed. */
import t from 'tap'
import { exportCustomer } from '../../../src/customers/exporting.ts'
import { sweepExpiredHolds } from '../../../src/inventory/expiry.ts'
import { bookingPath, makeCaller } from '../../helper.ts'
import { contact, openReservations } from './fixtures.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

async function openDesk(t: Parameters<typeof openReservations>[0]) {
  const opened = await openReservations(t)
  const { headers } = await makeCaller(opened.sql, { scopes: ['operator'] })
  const call = async (method: Method, path: string, payload?: object) => {
    const url = `/api/v2/operator${path}`
    const answer = await opened.app.inject({ method, url, headers, ...(payload && { payload }) })
    const body = answer.json()
    const problem = body.type?.split('/').at(-1)
    return { status: answer.statusCode, data: body.data, problem, basketStatus: body.Status }
  }
  return { ...opened, call }
}

t.test('a reservation shows when it expires, the reseller, and the notes of the reseller', async (t) => {
  const { reserve, find, call, confirm } = await openDesk(t)
  const order = await reserve({ notes: 'A wheelchair comes along.', resellerReference: 'V-1' })
  const { reference, expiresAt } = (await find(order))!
  t.match((await call('GET', `/bookings/${reference}`)).data, {
    ...{ Status: 'held', Channel: 'partner', Partner: { Name: 'Viator' }, PaymentReference: 'V-1' },
    ...{ HeldUntil: expiresAt.toISOString(), Notes: 'A wheelchair comes along.' },
  })
  await confirm(order)
  t.match((await call('GET', `/bookings/${reference}`)).data, {
    ...{ Status: 'confirmed', HeldUntil: null, Notes: 'A wheelchair comes along.' },
    History: [{ Action: 'held' }, { Action: 'confirmed', Actor: { Kind: 'partner', Name: 'Viator' } }],
  })
})

t.test('an operator cannot sell, change or end the basket of a reseller', async (t) => {
  const { sql, reserve, call, taken, find } = await openDesk(t)
  const order = await reserve()
  const [basket] = await sql`select id from baskets`
  const path = `/baskets/${basket!.id}`
  const { reference } = (await find(order))!
  t.match((await call('GET', path)).data, { Status: 'open', Channel: 'partner' })
  t.same((await call('GET', '/baskets')).data, [])
  const answers = [
    await call('POST', `${path}/pay`, { Method: 'cash' }),
    await call('POST', `${path}/cancel`, {}),
    await call('POST', `${path}/extend`, {}),
    await call('DELETE', `${path}/lines/${reference}`),
    await call('POST', `${path}/lines`, {
      Lines: [{ ActivityID: order.activityId, Date: '2030-06-15', Time: '10:00', Participants: 1 }],
    }),
  ]
  for (const { status, problem } of answers)
    t.same({ status, problem }, { status: 409, problem: 'held-by-reseller' })
  t.same(await taken(), { '2030-06-15': '0+3' })
})

t.test('the basket of a reservation shows whether it was sold, also when a payment is refused', async (t) => {
  const { sql, reserve, confirm, call, find, runOut, reservations, viator, items, adult } = await openDesk(t)
  const basketOf = async (order: { uuid: string }) => {
    const { reference } = (await find(order))!
    return (await call('GET', `/bookings/${reference}`)).data.BasketID
  }
  const read = async (basketId: number) => (await call('GET', `/baskets/${basketId}`)).data
  const make = () => reserve({ items: items(adult) })
  const [sold, cancelled, released, expired] = [await make(), await make(), await make(), await make()]
  await confirm(sold)
  await confirm(cancelled)
  await reservations.cancel(viator, cancelled.uuid, null)
  await reservations.cancel(viator, released.uuid, null)
  await runOut(expired)
  await sweepExpiredHolds(sql)
  const ids = [
    await basketOf(sold),
    await basketOf(cancelled),
    await basketOf(released),
    await basketOf(expired),
  ]
  const statuses = ['completed', 'completed', 'cancelled', 'expired']
  for (const [index, id] of ids.entries()) {
    const basket = await read(id)
    t.equal(basket.Status, statuses[index])
    t.equal(basket.CompletedAt !== null, statuses[index] === 'completed', basket.CompletedAt)
    const refused = await call('POST', `/baskets/${id}/pay`, { Method: 'cash' })
    t.match(refused, { problem: 'basket-not-open', basketStatus: basket.Status })
    t.match(
      (await call('POST', `/baskets/${id}/payments`, { Method: 'cash', Amount: '1.00' })).problem,
      'nothing-to-pay',
    )
  }
  t.match((await find(expired))!.status, 'expired')
})

t.test('a reseller owes nothing for places that it only holds', async (t) => {
  const { app, sql, accountId, reserve, confirm, call, find, runOut, viator, product } = await openDesk(t)
  await sql`
    insert into partner_terms (account_id, partner_id, product_id, commission_bp)
    values (${accountId}, ${viator.partnerId}, ${product.id}, 2000)`
  await sql`update products set has_partner_terms = true`
  const { headers } = await makeCaller(sql, { partner: 'Viator' })
  const owedFor = async (order: { uuid: string }) => {
    const { reference } = (await find(order))!
    const { Owed } = (await call('GET', `/bookings/${reference}`)).data
    const own = await app.inject({ url: `${bookingPath}/${reference}`, headers })
    t.same(own.json().data.Owed, Owed, 'the reseller sees the same amount')
    return Owed.Amount
  }
  const [order, expired] = [await reserve(), await reserve()]
  t.equal(await owedFor(order), '0.00')
  await confirm(order)
  t.equal(await owedFor(order), '88.00', '2 × 45.00 and 20.00, less 20 %')
  await runOut(expired)
  await sweepExpiredHolds(sql)
  t.equal(await owedFor(expired), '0.00')
})

t.test('an operator may cancel a reservation, and its places are free again', async (t) => {
  const { sql, reserve, call, taken, find } = await openDesk(t)
  const { reference } = (await find(await reserve()))!
  t.equal((await call('POST', `/bookings/${reference}/cancel`, {})).status, 200)
  t.same(await taken(), {})
  t.same(await sql`select from baskets`, [])
})

t.test('a confirmed reservation has one metered event, like any other booking of a partner', async (t) => {
  const { sql, reserve, confirm } = await openDesk(t)
  await confirm(await reserve())
  await reserve()
  const counted = await sql`
    select actor, channel from events join bookings on bookings.id = booking_id where type = 'booking.confirmed'`
  t.same(counted, [{ actor: 'partner', channel: 'partner' }])
  t.same(await sql`select from events where type = 'basket.completed'`, [])
})

t.test('the export of a customer has the contact and notes from the reseller', async (t) => {
  const { sql, accountId, reserve } = await openDesk(t)
  await reserve({ contact, notes: 'Late', items: [{ unitId: 0, uuid: null, contact }] })
  const who = { email: contact.email, phone: null, reference: null }
  const { Bookings } = await exportCustomer(sql, { id: accountId, slug: 'quay' }, who)
  t.match(Bookings, [
    {
      Reservation: { Notes: 'Late', Contact: { Locales: ['en'], Country: 'GB' } },
      Tickets: [{ Contact: { FirstName: 'Ada', Country: 'GB' } }],
    },
  ])
})
