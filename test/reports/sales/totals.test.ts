/** The totals of sales: they equal the sums of the bookings after any changes. */
import { randomInt } from 'node:crypto'
import t, { type Test } from 'tap'
import { auditTotals, repairTotals } from '../../../src/reports/sales/totals/audit.ts'
import { countSome } from '../../../src/reports/sales/totals/counting.ts'
import { sweepTestBookings } from '../../../src/test-mode/purging.ts'
import { makeFolder } from '../../command-line.ts'
import { dyingDatabase } from '../../dying-database.ts'
import { createRandom } from '../../faults/random.ts'
import { buildOn, makeProduct } from '../../helper.ts'
import { makeOperator } from '../../operator.ts'
import { pumpEvents } from '../../pump.ts'
import { makeModes } from '../../test-mode/fixtures.ts'
import { expectedTotals, settle, storedTotals } from './fixtures.ts'

// A seed repeats the choices, but not the order in which requests that run at the same time end.
const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
const timeZone = 'Europe/Lisbon'
const slots = Object.fromEntries(
  ['2030-06-15', '2030-06-16'].flatMap((day) => ['10:00', '12:00'].map((time) => [`${day} ${time}`, 12])),
)

async function prepare(t: Test) {
  const operator = await makeOperator(t)
  const { sql, accountId, call } = operator
  const kayak = await makeProduct(sql, accountId, { name: 'Kayak', slots })
  const canoe = await makeProduct(sql, accountId, { name: 'Canoe', slots })
  const money = (Amount: string) => ({ Amount, Currency: 'EUR' })
  await call('PUT', `/products/${canoe.id}/units`, {
    Units: [
      { Name: 'Adult', Type: 'ADULT', Price: money('45.00'), Default: true },
      { Name: 'Family', Type: 'FAMILY', Price: money('99.99'), Places: 2, People: 4 },
    ],
  })
  await operator.book(kayak.activityId)
  const [partner] = (await call('GET', '/partners')).data
  await call('PUT', `/partners/${partner.ID}/terms`, {
    Terms: [{ ProductID: null, Commission: '17.5' }],
  })
  const check = async (t: Test) => {
    for (const basis of ['sold', 'travel'] as const) {
      const kept = await storedTotals(sql, accountId, basis)
      t.same(kept, await expectedTotals(sql, { accountId, timeZone }, basis), `${basis}, SEED=${seed}`)
      t.ok(kept.length > 0)
    }
    t.same(await auditTotals(sql, accountId), [])
  }
  return { ...operator, kayak, canoe, partnerId: partner.ID as number, check }
}

t.test(
  'totals are the sums of the bookings after sales, moves, amendments, cancellations and closures in two applications',
  async (t) => {
    const { app, sql, url, accountId, headers, partner, kayak, canoe, check } = await prepare(t)
    const apps = [app, (await buildOn(t, url)).app]
    const { pick: oneOf, whole } = createRandom(seed)
    const send = async (method: 'POST' | 'PATCH', path: string, payload?: object) => {
      const answer = await oneOf(apps).inject({
        method,
        url: path.startsWith('/api') ? path : `/api/v2/operator${path}`,
        headers: path.startsWith('/api') ? partner.headers : headers,
        ...(payload && { payload }),
      })
      t.ok(answer.statusCode < 500, `${method} ${path}: ${answer.statusCode}`)
    }
    const place = () => ({ Date: oneOf(['2030-06-15', '2030-06-16']), Time: oneOf(['10:00', '12:00']) })
    const party = () => ({
      ...{ ActivityID: oneOf([kayak, canoe]).activityId, ...place(), Participants: whole(1, 3) },
      Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
    })
    const pickReference = async () => {
      const rows = await sql<
        { reference: string }[]
      >`select reference from bookings where status = 'confirmed'`
      return rows.length > 0 ? oneOf(rows).reference : 'none'
    }
    const acts = [
      () => send('POST', '/api/v2/ota/marketplace/booking', party()),
      () => send('POST', '/api/v2/ota/marketplace/booking', party()),
      () => send('POST', '/bookings', { ...party(), Payment: { Method: oneOf(['cash', 'card']) } }),
      () => send('POST', '/bookings', { ...party(), Payment: { Method: 'cash' } }),
      async () => send('POST', `/bookings/${await pickReference()}/move`, place()),
      async () => send('POST', `/bookings/${await pickReference()}/amend`, { Participants: whole(1, 4) }),
      async () =>
        send('POST', `/bookings/${await pickReference()}/cancel`, { Reason: 'ill', Override: true }),
      async () =>
        send('POST', `/bookings/${await pickReference()}/attendance`, {
          Attendance: oneOf(['no-show', 'checked-in', null]),
        }),
      async () =>
        send('POST', `/bookings/${await pickReference()}/attendance`, {
          ...{ Attendance: 'checked-in', PeopleHere: 1, PeopleAbsent: oneOf([0, 1]) },
        }),
    ]
    const [slot] = await sql<
      { id: number }[]
    >`select id from timeslots where product_id = ${canoe.id} limit 1`
    for (let round = 0; round < 4; round++) {
      const counting = Promise.all([pumpEvents(sql), countSome(sql, accountId), countSome(sql, accountId)])
      await Promise.all(Array.from({ length: 20 }, () => oneOf(acts)()))
      if (round === 2) await send('POST', '/closures', { TimeslotID: slot!.id, Action: 'cancel' })
      await counting
      await Promise.all([settle(sql), settle(sql)])
      await settle(sql)
      await check(t)
    }
  },
)

t.test(
  'for any booking, the report and the partner’s terms agree on the amount that the partner owes',
  async (t) => {
    const { sql, accountId, partnerId, check } = await prepare(t)
    const [slot] = await sql<{ id: number }[]>`select id from timeslots limit 1`
    const { whole } = createRandom(seed)
    const some = (below: number) => whole(0, below - 1)
    for (let id = 1; id <= 150; id++) {
      const hasUnits = some(2) === 0
      const netPrices = some(3) === 0
      const units = Array.from({ length: 1 + some(3) }, (_, index) => ({
        ...{ id: index + 1, name: 'Unit', type: 'ADULT', quantity: 1 + some(4), priceMinor: some(100_000) },
        ...{ places: 1, people: 1 + some(3), ...(netPrices && some(2) === 0 && { netMinor: some(9000) }) },
      }))
      const people = units.reduce((sum, unit) => sum + unit.quantity * unit.people, 0)
      await sql`
      insert into bookings (account_id, id, basket_id, timeslot_id, partner_id, reference, channel, status, participants,
        people, units, unit_price_minor, currency, answers, confirmed_at, priced_per_booking, discount_minor,
        commission_bp, net_minor)
      values (${accountId}, ${1_000_000 + id}, 1, ${slot!.id}, ${partnerId}, ${`R${id}`}, 'partner', 'confirmed',
        ${1 + some(3)}, ${hasUnits ? people : null}, ${hasUnits ? JSON.stringify(units) : null}::text::jsonb,
        ${1000 + some(2 ** 40)}, 'EUR', '[]', now(), ${String(some(4) === 0)}::text::boolean,
        ${some(3) === 0 ? 1 + some(900) : null}, ${netPrices || some(3) === 0 ? null : some(10_001)},
        ${netPrices ? some(5000) : null})`
    }
    await settle(sql)
    await sql`insert into sales_marks (account_id, basis, day, product_id)
    select account_id, 'travel', date, product_id from timeslots`
    await sql`insert into sales_marks (account_id, basis, day, product_id)
    select account_id, 'sold', (now() at time zone ${timeZone})::date, 0 from accounts`
    await settle(sql)
    await check(t)
  },
)

t.test('a worker that dies while it counts changes nothing, and the next one counts', async (t) => {
  const { sql, accountId, kayak, book, check } = await prepare(t)
  await settle(sql)
  const before = await storedTotals(sql, accountId, 'sold')
  await book(kayak.activityId)
  await pumpEvents(sql)
  const { sql: mortal, life } = dyingDatabase(sql)
  let counted: number | null = null
  let deaths = -1
  // A count has several hundred statements and parts of statements.
  for (life.statement = 1; counted === null; life.statement += 40, deaths++) {
    counted = await countSome(mortal, accountId).catch(() => null)
    const is = await storedTotals(sql, accountId, 'sold')
    if (counted === null) t.same(is, before, `nothing is changed at statement ${life.statement}`)
    else t.notSame(is, before)
  }
  t.ok(deaths > 5, `died ${deaths} times`)
  await settle(sql)
  await check(t)
})

t.test('changes during a count by another process are counted afterwards', async (t) => {
  const { sql, accountId, kayak, book, check } = await prepare(t)
  await settle(sql)
  await sql.begin(async (tx) => {
    await tx`select from sales_states where account_id = ${accountId} for update`
    await book(kayak.activityId)
    await pumpEvents(sql)
    t.equal(await countSome(sql, accountId), 0)
  })
  await settle(sql)
  await check(t)
})

t.test('days before the totals existed are counted too, in several steps', async (t) => {
  const { sql, accountId, kayak, book, check } = await prepare(t)
  await book(kayak.activityId)
  await pumpEvents(sql)
  await sql`update bookings set confirmed_at = confirmed_at - interval '40 days' where account_id = ${accountId}`
  await sql`delete from sales_marks`
  await countSome(sql, accountId)
  const [state] = await sql`select filled_at from sales_states where account_id = ${accountId}`
  t.equal(state!.filled_at, null)
  await settle(sql)
  await check(t)
})

t.test('the audit finds a total that was changed by hand, and its repair counts it again', async (t) => {
  const { sql, accountId, check } = await prepare(t)
  await settle(sql)
  await sql`update sales_totals set bookings = 99 where account_id = ${accountId} and basis = 'sold'`
  await sql`delete from sales_unit_totals where account_id = ${accountId} and basis = 'travel'`
  await sql`insert into sales_place_totals values (${accountId}, '2030-01-01', 1, 1, 1, 1)`
  const found = await auditTotals(sql, accountId)
  t.same(found.map(({ table, basis }) => `${table} ${basis}`).sort(), [
    ...['sales_place_totals travel', 'sales_totals sold', 'sales_unit_totals travel'],
  ])
  t.match(
    found.find(({ table }) => table === 'sales_totals'),
    { kept: { bookings: 99 }, counted: { bookings: 1 } },
  )
  await repairTotals(sql, accountId, found)
  await check(t)
})

t.test('the repair of totals ends even while the account keeps selling', async (t) => {
  const { sql, accountId, kayak, book, check } = await prepare(t)
  await settle(sql)
  await sql`update sales_totals set bookings = 99 where account_id = ${accountId}`
  const found = await auditTotals(sql, accountId)
  t.equal(found.length, 2)
  // The trigger marks a day again as soon as it is counted, as a new booking would.
  await sql.unsafe(`
    create function mark_again() returns trigger language plpgsql as $$ begin
      insert into sales_marks (account_id, basis, product_id, day) select account_id, basis, product_id, day from gone;
      return null;
    end $$;
    create trigger mark_again after delete on sales_marks referencing old table as gone
      for each statement execute function mark_again()`)
  let isRepaired = false
  const selling = async () => {
    for (let sold = 0; sold < 8 && !isRepaired; sold++)
      await book(kayak.activityId).then(() => pumpEvents(sql))
  }
  const repairing = repairTotals(sql, accountId, found).then(() => {
    isRepaired = true
  })
  await Promise.all([selling(), repairing])
  await sql`drop trigger mark_again on sales_marks`
  await settle(sql)
  await check(t)
})

t.test('the audit finds no difference in days that wait to be counted', async (t) => {
  const { sql, accountId, kayak, book } = await prepare(t)
  await settle(sql)
  await book(kayak.activityId)
  t.same(await auditTotals(sql, accountId), [], 'while an event has no number')
  await pumpEvents(sql)
  t.same(await auditTotals(sql, accountId), [], 'while a day is marked')
})

t.test('a booking just before midnight counts on the local day of the account', async (t) => {
  const { sql, accountId, kayak, book } = await prepare(t)
  await book(kayak.activityId)
  await pumpEvents(sql)
  const instants = [
    '2027-03-28T00:59:59Z',
    '2027-03-27T23:59:59Z',
    '2027-10-31T00:30:00Z',
    '2027-10-31T23:59:59Z',
  ]
  const [first] = await sql<{ id: number }[]>`select id from bookings limit 1`
  for (const [index, instant] of instants.entries()) {
    await sql`
      insert into bookings select (jsonb_populate_record(bookings, ${sql.json({
        ...{ id: 900 + index, reference: `M${index}`, confirmed_at: instant },
      })})).* from bookings where id = ${first!.id}`
  }
  await sql`update accounts set time_zone = 'Atlantic/Azores'`
  await settle(sql)
  for (const basis of ['sold', 'travel'] as const)
    t.same(
      await storedTotals(sql, accountId, basis),
      await expectedTotals(sql, { accountId, timeZone: 'Atlantic/Azores' }, basis),
    )
})

t.test('test bookings count only for the test account, until they are deleted', async (t) => {
  const { sql, accountId, testId, openTest, follow } = await makeModes(t)
  const { activityId } = await makeProduct(sql, accountId, { slots })
  const test = await openTest()
  await follow()
  t.equal((await test.book(activityId)).status, 201)
  // A sale that is paid in two parts, the second part a day later.
  const line = { ActivityID: activityId, Date: '2030-06-15', Time: '12:00', Participants: 1 }
  const basket = await test.call('POST', '/baskets', { Channel: 'pos', Lines: [line] })
  const path = `/baskets/${basket.json.data.BasketID}`
  t.equal((await test.call('POST', `${path}/pay`, { Method: 'card', Amount: '10.00' })).status, 200)
  t.equal((await test.call('POST', `${path}/payments`, { Method: 'card', Amount: '35.00' })).status, 200)
  await sql`update payments set made_at = made_at + interval '1 day' where amount_minor = 3500`
  await settle(sql)
  const paid = () => sql`
    select paid_minor::integer as minor from sales_payment_totals where account_id = ${testId} order by day`
  t.same(await paid(), [{ minor: 1000 }, { minor: 3500 }])
  t.same(await storedTotals(sql, accountId, 'sold'), [])
  const expected = await expectedTotals(sql, { accountId: testId, timeZone }, 'sold')
  t.equal(expected.length, 2)
  t.same(await storedTotals(sql, testId, 'sold'), expected)
  await sql`update bookings set created_at = created_at - interval '9 days' where account_id = ${testId}`
  await sweepTestBookings(sql, await makeFolder(t))
  await settle(sql)
  t.same(await storedTotals(sql, testId, 'sold'), [])
  t.same(await paid(), [], 'the payments for them no longer count either, on any day')
  t.same(await auditTotals(sql, testId), [])
})
