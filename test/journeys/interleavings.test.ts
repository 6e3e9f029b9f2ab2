/**
 * Random operations, most of which take, move or free places, run concurrently on two apps with one database. `SEED`
 * repeats the random numbers of a run, but not its timing, on which its choices also depend.
 */

import { randomInt, randomUUID } from 'node:crypto'
import t from 'tap'
import { sweepExpiredHolds } from '../../src/inventory/expiry.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { listCounterDifferences } from '../../src/reports/sales-audit/queries.ts'
import { sign } from '../../src/sales/payment/model.ts'
import { createSecret } from '../../src/sales/payment/secrets.ts'
import { countDeadlocks } from '../deadlocks.ts'
import { createRandom } from '../faults/random.ts'
import { bookingBody, bookingPath, build, buildOn, makeCaller, makeProduct } from '../helper.ts'
import { pumpEvents } from '../pump.ts'
import { customer, operatorPath, secretKey } from '../sales/basket/fixtures.ts'

const times = ['10:00', '12:00', '14:00']
const rounds = Number(process.env.ROUNDS ?? 4)
const actionsOfRound = 60
const atOnce = 6

t.test('after random concurrent operations, bookings, places, meters and e-mails agree', async (t) => {
  const environment = { SECRET_KEY: secretKey, QUEUE_PREFIX: `{test-${randomUUID()}}` }
  const { app, sql, url } = await build(t, { environment })
  const apps = [app, (await buildOn(t, url, environment)).app]
  const { accountId, headers } = await makeCaller(sql, { slug: 'harbour', scopes: ['operator'] })
  const partner = await makeCaller(sql, { slug: 'harbour', partner: 'Viator' })
  const secret = await createSecret(sql, secretKey, accountId)
  const slots = Object.fromEntries(times.map((time) => [`2030-06-15 ${time}`, 6]))
  const kayak = await makeProduct(sql, accountId, { name: 'Kayak', slots })
  const canoe = await makeProduct(sql, accountId, { name: 'Canoe', slots })
  const slotIds = (await sql<{ id: number }[]>`select id from timeslots order by id`).map(({ id }) => id)
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
  const { whole, pick: oneOf } = createRandom(seed)
  const random = (below: number) => whole(0, below - 1)

  const send = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object, key?: string) => {
    const ota = path.startsWith('/api/')
    const answer = await oneOf(apps).inject({
      method,
      url: ota ? path : operatorPath + path,
      headers: { ...(ota ? partner.headers : headers), ...(key && { 'idempotency-key': key }) },
      ...(payload && { payload }),
    })
    if (answer.statusCode >= 500) t.fail(`${method} ${path}: ${answer.body}`)
    return answer
  }
  const sendPaymentEvent = (body: object) => {
    const text = JSON.stringify(body)
    return oneOf(apps).inject({
      method: 'POST',
      url: '/api/v2/payments/events',
      headers: {
        'content-type': 'application/json',
        'payment-signature': sign(secret, Math.floor(Date.now() / 1000), Buffer.from(text)),
      },
      payload: text,
    })
  }
  const places = () => ({
    ActivityID: oneOf([kayak, canoe]).activityId,
    Date: '2030-06-15',
    Time: oneOf(times),
    Participants: 1 + random(3),
  })
  const aBooking = async (...statuses: string[]) => {
    const rows = await sql<{ reference: string }[]>`
      select reference from bookings where status = any(${statuses}) order by id`
    return oneOf(rows)?.reference
  }
  const aBasket = async () => {
    const rows = await sql<{ id: number }[]>`
      select id from baskets order by status <> 'open', id desc limit ${random(4) === 0 ? 12 : 4}`
    return oneOf(rows)?.id
  }
  const onBooking = async (action: string, payload: object, ...statuses: string[]) => {
    const reference = await aBooking(...statuses)
    if (reference) await send('POST', `/bookings/${reference}/${action}`, payload)
  }
  const onBasket = async (work: (id: number) => Promise<unknown>) => {
    const id = await aBasket()
    if (id) await work(id)
  }

  const actions: Record<string, () => Promise<unknown>> = {
    'a partner sends a booking twice': () => {
      const { ActivityID, ...changes } = places()
      const [key, body] = [randomUUID(), bookingBody(ActivityID, changes)]
      return Promise.all([send('POST', bookingPath, body, key), send('POST', bookingPath, body, key)])
    },
    'a partner cancels': async () => {
      const rows = await sql<{ reference: string }[]>`
        select reference from bookings where channel = 'partner' and status = 'confirmed' order by id`
      if (rows.length > 0) await send('POST', `${bookingPath}/${oneOf(rows).reference}/cancel`)
    },
    'a basket': () => {
      const Lines = [places(), places(), places()].slice(random(3))
      return send('POST', '/baskets', { Channel: oneOf(['online', 'pos']), Lines, Customer: customer })
    },
    'the till sells': () => send('POST', '/bookings', { ...places(), Payment: { Method: 'cash' } }),
    'more lines': () =>
      onBasket((id) => send('POST', `/baskets/${id}/lines`, { Lines: [places()] }, randomUUID())),
    'a line less': () =>
      onBasket(async (id) => {
        const rows = await sql<
          { reference: string }[]
        >`select reference from bookings where basket_id = ${id}`
        await send('DELETE', `/baskets/${id}/lines/${oneOf(rows).reference}`)
      }),
    'another customer': () =>
      onBasket((id) => send('PATCH', `/baskets/${id}`, { Customer: { FirstName: 'Bo' } })),
    extended: () => onBasket((id) => send('POST', `/baskets/${id}/extend`)),
    'a basket is cancelled': () => onBasket((id) => send('POST', `/baskets/${id}/cancel`)),
    'paid at the till': () =>
      onBasket((id) => {
        const [key, body] = [randomUUID(), { Method: 'card', Reference: randomUUID() }]
        return Promise.all([0, 1].map(() => send('POST', `/baskets/${id}/pay`, body, key)))
      }),
    'paid online': () =>
      onBasket(async (id) => {
        const [total] = await sql<{ minor: number }[]>`
          select coalesce(sum(participants * unit_price_minor) filter (where status <> 'cancelled'), 0)::bigint as minor
          from bookings where basket_id = ${id}`
        const body = {
          ...{ ID: randomUUID(), Account: 'harbour', BasketID: id, Currency: 'EUR', Reference: randomUUID() },
          ...{ Type: oneOf(['succeeded', 'succeeded', 'failed']), Amount: (total!.minor / 100).toFixed(2) },
        }
        const answers = await Promise.all([
          sendPaymentEvent(body),
          sendPaymentEvent(body),
          sendPaymentEvent({ ...body, ID: randomUUID() }),
        ])
        for (const answer of answers) t.equal(answer.statusCode, 200, answer.body)
        t.equal(answers[0]!.body, answers[1]!.body, 'an event that is sent twice gets the same response')
      }),
    'time runs out': () =>
      onBasket(
        (id) =>
          sql`update baskets set expires_at = now() - interval '1 second' where id = ${id} and status = 'open'`,
      ),
    'the sweep': () => sweepExpiredHolds(sql),
    'joining the waitlist': () => send('POST', '/waitlist', { ...places(), Customer: customer }),
    'an answer to an offer': async () => {
      const rows = await sql<
        { id: number }[]
      >`select id from waitlist_entries order by status not in ('offered', 'waiting'), id limit 4`
      if (rows.length > 0)
        await send('POST', `/waitlist/${oneOf(rows).id}/${oneOf(['take', 'take', 'leave'])}`)
    },
    cancelled: () => onBooking('cancel', {}, 'confirmed', 'held', 'waitlisted'),
    moved: () => {
      const { Participants, ...place } = places()
      return onBooking('move', place, 'confirmed')
    },
    amended: () => onBooking('amend', { Participants: 1 + random(4) }, 'confirmed'),
    attendance: () => onBooking('attendance', { Attendance: oneOf(['checked-in', null]) }, 'confirmed'),
    capacity: () => send('PATCH', `/timeslots/${oneOf(slotIds)}`, { Capacity: 3 + random(6) }),
    'closed and opened': () =>
      send('POST', `/timeslots/${oneOf(slotIds)}/${oneOf(['close', 'reopen', 'reopen'])}`),
    'a closure': async () => {
      const place =
        random(3) === 0 ? { Date: '2030-06-15', ProductIDs: [kayak.id] } : { TimeslotID: oneOf(slotIds) }
      const how =
        random(2) === 0
          ? { Action: 'cancel' }
          : { Action: 'move', MoveTo: { Date: '2030-06-15', Time: oneOf(times) } }
      if (random(3) === 0) await send('POST', '/closures', { ...place, ...how }, randomUUID())
    },
  }

  const names = Object.keys(actions)
  for (let round = 0; round < rounds; round++) {
    let left = actionsOfRound
    const runActions = async () => {
      while (left-- > 0) await actions[oneOf(names)]!()
    }
    await Promise.all(Array.from({ length: atOnce }, runActions))
    t.same(await findContradictions(sql, accountId), {}, `after round ${round + 1} of SEED=${seed}`)
    for (const id of slotIds) await send('POST', `/timeslots/${id}/reopen`)
  }
  t.equal(await countDeadlocks(sql), 0, 'no transactions deadlocked')
})

/** Pumps the events, and then returns the rows that violate each broken rule, by the rule. */
async function findContradictions(sql: Sql, accountId: number): Promise<Record<string, readonly unknown[]>> {
  await pumpEvents(sql)
  const rules: Record<string, PromiseLike<readonly unknown[]>> = {
    'counters agree with bookings': listCounterDifferences(sql, accountId),
    'a booking’s status fits that of its basket': sql`
      select bookings.id, bookings.status, baskets.id as basket_id, baskets.status as basket
      from bookings join baskets on baskets.id = basket_id
      where bookings.status = 'held' and baskets.status <> 'open'
        or bookings.status = 'waitlisted' and baskets.status <> 'waiting'
        or bookings.status = 'confirmed' and baskets.status <> 'completed'
        or baskets.status = 'completed' and bookings.status not in ('confirmed', 'cancelled')`,
    'a waitlist entry’s status fits that of its booking': sql`
      select entry.id, entry.status, bookings.status as booking
      from waitlist_entries as entry join bookings on bookings.id = booking_id
      where (entry.status = 'waiting') <> (bookings.status = 'waitlisted')
        or entry.status = 'offered' and bookings.status <> 'held'
        or entry.status = 'left' and bookings.status <> 'cancelled'
        or entry.status = 'expired' and bookings.status <> 'expired'`,
    'each completed basket and each partner’s booking is metered once, and nothing else is': sql`
      with sale as (
        select id from baskets where status = 'completed'
        union all select basket_id from bookings where channel = 'partner'
      ), entry as (
        select (extra_info::jsonb->>'BasketID')::bigint as sale_id from meter_entries where meter = 'order-completed'
      )
      select sale.id, count(entry.sale_id) from sale full join entry on sale_id = sale.id
      group by sale.id having sale.id is null or count(entry.sale_id) <> 1`,
    'each offer has one e-mail': sql`
      select entry.id, count(emails.id) from waitlist_entries as entry
      left join emails on emails.kind = 'waitlist-offer' and waitlist_entry_id = entry.id
      group by entry.id, entry.offered_at
      having count(emails.id) <> (case when entry.offered_at is null then 0 else 1 end)`,
    'no party that fits is waiting': sql`
      select entry.id, slot.id as slot from waitlist_entries as entry
      join bookings on bookings.id = booking_id
      join timeslots as slot on slot.id = entry.timeslot_id
      where entry.status = 'waiting' and slot.status = 'open'
        and participants <= capacity - booked - slot.held`,
    'a payment’s basket has the status that the outcome of the payment names': sql`
      select event_id, outcome, event.basket_status, baskets.status from payment_events as event
      join baskets on baskets.id = basket_id
      where outcome = 'completed' and baskets.status <> 'completed'
        or outcome = 'refund-due' and event.basket_status = 'refund-due' and baskets.status <> 'refund-due'`,
    'a confirmed booking of the operator has the time of its confirmation, and a cancelled booking has a reason': sql`
      select id, status from bookings
      where channel <> 'partner' and status = 'confirmed' and confirmed_at is null
        or status = 'cancelled' and cancel_reason is null`,
  }
  const found = await Promise.all(
    Object.entries(rules).map(async ([rule, rows]) => [rule, [...(await rows)]] as const),
  )
  return Object.fromEntries(found.filter(([, rows]) => rows.length > 0))
}
