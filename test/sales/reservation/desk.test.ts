/** Reservations in the operator API: what it shows, and which changes are allowed. */
import t from 'tap'
import { exportCustomer } from '../../../src/customers/exporting.ts'
import { makeCaller } from '../../helper.ts'
import { contact, openQuay } from './fixtures.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

async function openDesk(t: Parameters<typeof openQuay>[0]) {
  const quay = await openQuay(t)
  const { headers } = await makeCaller(quay.sql, { scopes: ['operator'] })
  const call = async (method: Method, path: string, payload?: object) => {
    const url = `/api/v2/operator${path}`
    const answer = await quay.app.inject({ method, url, headers, ...(payload && { payload }) })
    const body = answer.json()
    return { status: answer.statusCode, data: body.data, problem: body.type?.split('/').at(-1) }
  }
  return { ...quay, call }
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

t.test('an operator may cancel a reservation, which gives its places back', async (t) => {
  const { sql, reserve, call, taken, find } = await openDesk(t)
  const { reference } = (await find(await reserve()))!
  t.equal((await call('POST', `/bookings/${reference}/cancel`, {})).status, 200)
  t.same(await taken(), {})
  t.same(await sql`select from baskets`, [])
})

t.test('a confirmed reservation is metered once, like any booking of a partner', async (t) => {
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
