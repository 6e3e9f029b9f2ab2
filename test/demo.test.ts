/** The demo account, which the first start on an empty database makes. */
import t from 'tap'
import { findCaller } from '../src/accounts/service.ts'
import { seedDemo } from '../src/demo/account.ts'
import { departuresAround } from '../src/demo/now.ts'
import { sellDemo } from '../src/demo/trade.ts'
import { auditUsage } from '../src/metering/audit/service.ts'
import { listCounterDifferences } from '../src/reports/sales-audit/queries.ts'
import { listOwed } from '../src/sales/ledger/service.ts'
import { clockAt } from './clock.ts'
import { createDatabase, makeCaller } from './helper.ts'

const horizon = { horizonDays: 400 }

t.test('an empty database gets the account demo with a catalogue, a live key and a test key', async (t) => {
  const { sql } = await createDatabase(t)
  const seeded = await seedDemo(sql, horizon)
  const [account] = await sql`select account_id as id, slug from accounts where account_id > 0`
  t.match(await findCaller(sql, seeded!.testKey), { accountId: -account!.id, partnerId: null })
  t.match(account, { slug: 'demo' })
  t.match(await findCaller(sql, seeded!.key), {
    accountId: account!.id,
    partnerId: null,
    scopes: ['ota', 'usage:read', 'usage:write', 'operator'],
    expiresAt: null,
  })
  const products = await sql<{ shown: boolean; days: number }[]>`
    select in_shopfront as shown, (select count(distinct date)::integer from timeslots
      where product_id = products.id and date between current_date and current_date + 365) as days
    from products`
  t.ok(products.length >= 6)
  t.ok(products.some(({ shown }) => !shown))
  t.ok(
    products.some(({ shown, days }) => shown && days >= 365),
    'a year of timeslots',
  )
})

t.test('when the demo is seeded several times at once, it is made once', async (t) => {
  const { sql } = await createDatabase(t)
  const seeded = await Promise.all([1, 2, 3].map(() => seedDemo(sql, horizon)))
  t.equal(seeded.filter((result) => result !== null).length, 1)
  t.equal((await sql`select from accounts`).length, 2, 'the account and its test account')
  t.equal((await sql`select from api_keys`).length, 2)
  t.equal(await seedDemo(sql, horizon), null)
})

t.test('a database that has an account gets no demo', async (t) => {
  const { sql } = await createDatabase(t)
  await makeCaller(sql)
  t.equal(await seedDemo(sql, horizon), null)
  t.same(await sql`select from products`, [])
})

t.test(
  'when seeding fails at its last step, it leaves no data, and the next start seeds again',
  async (t) => {
    const { sql } = await createDatabase(t)
    await sql`alter table api_keys add constraint no_keys check (false)`
    await t.rejects(seedDemo(sql, horizon), /no_keys/)
    t.same(await sql`select from accounts`, [])
    t.same(await sql`select from products`, [])
    await sql`alter table api_keys drop constraint no_keys`
    t.ok(await seedDemo(sql, horizon))
  },
)

t.test(
  'the demo has sales on every channel and a full timeslot with a waitlist, and all its totals are right',
  async (t) => {
    const { sql } = await createDatabase(t)
    const { key } = (await seedDemo(sql, horizon))!
    await sellDemo(sql, key)
    const { accountId } = (await findCaller(sql, key))!
    const channels = await sql<{ channel: string; status: string }[]>`
    select distinct channel, status from bookings where account_id = ${accountId}`
    const seen = new Set(channels.map(({ channel, status }) => `${channel} ${status}`))
    for (const one of [
      'partner confirmed',
      'partner cancelled',
      'pos confirmed',
      'pos held',
      'online confirmed',
      'online held',
      'online waitlisted',
    ])
      t.ok(seen.has(one), one)
    t.same(await listCounterDifferences(sql, accountId), [])
    t.same(await auditUsage(sql, accountId, { from: '2020-01-01', to: '2099-12-31' }), [])
    t.equal((await sql`select from workflows`).length, 6)
    t.equal((await sql`select from tills where closed_at is null`).length, 1)
    t.equal((await sql`select from tills where closed_at < app_now() - interval '12 hours'`).length, 1)
    const [deposit] = await sql<
      { id: number }[]
    >`select basket_id as id from payments where amount_minor = 1000`
    t.equal((await listOwed(sql, accountId, [deposit!.id])).size, 1, 'a sale has a deposit and a balance')
    t.equal((await sql`select from booking_notes`).length, 1)
    t.same(
      await sql`
        select reference from payments where kind = 'payment' and reference is not null
        group by reference having count(*) > 1`,
      [],
      'each payment has its own reference',
    )
    t.ok(
      (await sql`select from bookings where commission_bp = 2000`).length > 0,
      'partners have sales with a commission',
    )
    t.same(
      (await sql<{ status: string }[]>`select status from refunds order by status`).map(
        ({ status }) => status,
      ),
      ['done', 'due', 'none'],
      'refunds that are due and done, and money that is kept',
    )
    t.same(
      await sql`select from products where not exists (
      select from refund_terms as terms where terms.account_id = products.account_id and product_id = products.id
    ) and account_id > 0`,
      [],
      'every product has refund terms',
    )
    t.equal((await sql`select from bookings where attendance = 'no-show'`).length, 1)
    t.equal((await sql`select from usage_thresholds`).length, 2)
    t.ok((await sql`select from events where type = 'usage.threshold-crossed'`).length > 0)
    t.ok((await sql`select from events where type = 'booking.moved'`).length > 0)
  },
)

t.test(
  'one demo booking lacks answers to required questions, and the demo’s waiver can be answered with No',
  async (t) => {
    const { sql } = await createDatabase(t)
    const { key } = (await seedDemo(sql, horizon))!
    await sellDemo(sql, key)
    const open = await sql`
    select distinct bookings.reference, channel from bookings
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = timeslot_id
    join questions on questions.account_id = bookings.account_id and questions.product_id = slot.product_id
    where bookings.status in ('confirmed', 'held') and required and not exists (
      select from jsonb_array_elements(answers) as answer where (answer ->> 'QuestionID')::bigint = questions.id)`
    t.match(open, [{ channel: 'pos' }], 'a sale at the desk lacks the answers')
    t.equal(open.length, 1)
    const waivers = await sql<{ type: string; options: string[] }[]>`
    select distinct type, options from questions
    join products on products.account_id = questions.account_id and products.id = product_id
    where label like '%own risk%' and in_shopfront`
    t.same(waivers, [{ type: 'select', options: ['Yes', 'No'] }])
  },
)

t.test('the demo has a museum, closed on Mondays, with visits of adults, children and seniors', async (t) => {
  const { sql } = await createDatabase(t)
  const { key } = (await seedDemo(sql, horizon))!
  await sellDemo(sql, key)
  const [museum] = await sql<{ cutoff: number; weekdays: number[]; maxPeriods: number }[]>`
    select booking_cutoff_minutes as cutoff, array_agg(distinct extract(isodow from date)::integer) as weekdays,
      max(jsonb_array_length(opening_hours)) as "maxPeriods"
    from timeslots join products on products.account_id = timeslots.account_id and products.id = product_id
    where opening_hours is not null and date <= '2029-12-31' and not timeslots.edited and schedule_id is not null
    group by products.id, 1`
  t.same(museum, { cutoff: 30, weekdays: [2, 3, 4, 5, 6, 7], maxPeriods: 2 })
  const visits = await sql<{ types: string[] }[]>`
    select array(select unit->>'type' from jsonb_array_elements(units) as unit order by 1) as types
    from bookings join timeslots as slot on slot.account_id = bookings.account_id and slot.id = timeslot_id
    where slot.opening_hours is not null and units is not null and bookings.status = 'confirmed'
    order by bookings.id`
  t.same(
    visits.map(({ types }) => types),
    [['ADULT', 'CHILD'], ['SENIOR'], ['ADULT']],
  )
})

t.test(
  'the demo has sold tickets of several types, at weekend prices too, and private tours that fill their boat',
  async (t) => {
    const { sql } = await createDatabase(t)
    const { key } = (await seedDemo(sql, horizon))!
    await sellDemo(sql, key)
    const units = await sql<{ type: string; prices: number[] }[]>`
      select unit->>'type' as type, array_agg(distinct (unit->>'priceMinor')::integer) as prices
      from bookings cross join jsonb_array_elements(units) as unit group by 1`
    const priceOf = new Map(units.map(({ type, prices }) => [type, prices]))
    t.same([...priceOf.keys()].sort(), ['ADULT', 'CHILD', 'FAMILY', 'INFANT', 'SENIOR'])
    t.ok(priceOf.get('CHILD')!.includes(1800), 'a child at the weekend')
    const [tickets] = await sql<{ parties: number; all: number; redeemed: number }[]>`
      select count(distinct booking_id)::integer as parties, count(*)::integer as all,
        count(redeemed_at)::integer as redeemed
      from tickets`
    t.same(tickets, { parties: 2, all: 8, redeemed: 2 }, 'tickets of two bookings, two of them redeemed')
    const tours = await sql<{ full: boolean }[]>`
      select slot.booked = slot.capacity as full
      from bookings join timeslots as slot on slot.account_id = bookings.account_id and slot.id = timeslot_id
      where takes_timeslot`
    t.same(tours, [{ full: true }, { full: true }])
  },
)

t.test(
  'at four different hours, the demo has sold a departure that is under way and a later one of the same day',
  async (t) => {
    const tomorrow = new Date(Date.now() + 24 * 3600 * 1000).toISOString().slice(0, 10)
    for (const at of ['00:05', '09:30', '22:40', '23:50']) {
      const instant = `${tomorrow}T${at}:00Z`
      const { sql } = await createDatabase(t, clockAt(instant))
      const { key } = (await seedDemo(sql, horizon))!
      await sellDemo(sql, key)
      const [today] = await sql`
      select count(*) filter (where starts_at <= app_now() and starts_at > app_now() - interval '1 hour') > 0 as now,
        count(*) filter (where starts_at > app_now()) > 0 as next
      from timeslots as slot
      where account_id > 0 and date = (app_now() at time zone 'Europe/Lisbon')::date and booked > 0`
      t.same(today, { now: true, next: true }, at)
    }
  },
)

t.test('the demo’s departures around now are on the same day, at times that are not taken', async (t) => {
  for (let now = 0; now < 24 * 60; now += 7) {
    const { begun, next } = departuresAround(now, [555, 600])
    t.ok(begun !== null && begun >= 0 && begun <= now && now - begun < 30, `${now}`)
    t.ok(now > 1436 || next.length > 0, `${now}`)
    t.ok(
      next.every((minutes) => minutes > now && minutes < 24 * 60),
      `${now}`,
    )
    t.notOk(
      [begun, ...next].some((minutes) => minutes === 555 || minutes === 600),
      `${now}`,
    )
  }
})

t.test('the demo adds a departure that has begun only at a free minute', (t) => {
  const now = 607
  const halfHour = Array.from({ length: 30 }, (_, ago) => now - ago)
  t.equal(departuresAround(now, [585, 600, 607]).begun, 606)
  t.equal(departuresAround(now, halfHour).begun, null)
  t.equal(departuresAround(0, [0]).begun, null)
  t.end()
})
