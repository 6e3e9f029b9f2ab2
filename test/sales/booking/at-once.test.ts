/**
 * Bookings made by one SQL statement: which attempts the statement decides, which it leaves to the
 * transaction, and statements and transactions that run at the same time.
 */
import t, { type Test } from 'tap'
import { SetAside } from '../../../src/platform/async/lanes.ts'
import { listenForCommits } from '../../../src/platform/postgres/commit-notes.ts'
import { openDatabase, type Sql } from '../../../src/platform/postgres/database.ts'
import { claimFreeKeys } from '../../../src/platform/postgres/idempotency.ts'
import { reserveAtOnce } from '../../../src/sales/booking/at-once.ts'
import type { Attempt } from '../../../src/sales/booking/decision.ts'
import { reserve } from '../../../src/sales/booking/reservation.ts'
import { countWholeReads } from '../../whole-reads.ts'
import { holdUntil, kinds, openSlot } from './attempts.ts'
import { giveUnits, type UnitRow } from './unit-fixtures.ts'

/** Makes a timeslot at 10:00 and one at 11:00. `selling` is a pool for the statement. */
async function prepareSales(t: Test, capacity = 8) {
  const opened = await openSlot(t, { '2030-06-15 10:00': capacity, '2030-06-15 11:00': capacity })
  const { sql, url, accountId } = opened
  const openPool = async (poolSize = 2) => {
    const pool = openDatabase(url, { poolSize, applicationName: 'abs-test', genericPlans: true })
    t.teardown(() => pool.end())
    await pool`select`
    return pool
  }
  const selling = await openPool()
  /**
   * Runs the statement; returns the kind of each outcome, in order. The kind is undefined if the statement
   * leaves the attempt to the transaction.
   */
  const sell = async (attempts: Attempt[]) => {
    const outcomes = await reserveAtOnce(selling, attempts)
    return attempts.map((attempt) => outcomes.get(attempt)?.kind)
  }
  const claimOf = (key: string, byte = 0) => ({
    accountId,
    apiKeyId: 1,
    key,
    bodyHash: Buffer.alloc(32, byte),
  })
  const keys = async () => (await sql`select key from idempotency_keys order by key`).map(({ key }) => key)
  const setUnits = async (units: readonly UnitRow[]) => {
    const [product] = await sql<{ id: number }[]>`select id from products`
    await giveUnits(sql, accountId, product!.id, units)
  }
  /**
   * Makes the process learn that the account has products with many prices: units, own prices or partner terms.
   * The first statement leaves such products to the transaction.
   */
  const discover = async () => {
    if ((await sell([opened.attempt()]))[0] !== undefined) throw new Error('the product is sold at one price')
  }
  return { ...opened, openPool, selling, sell, claimOf, keys, setUnits, discover }
}

const countRows = async (sql: Sql) => {
  const [row] = await sql<{ bookings: number; events: number }[]>`
    select (select count(*) from bookings)::integer as bookings, (select count(*) from events)::integer as events`
  return { ...row! }
}

type PreparedSales = Awaited<ReturnType<typeof prepareSales>>

const manyPrices: Record<string, (opened: PreparedSales) => Promise<unknown>> = {
  ', also for the default unit of a product': ({ setUnits }) =>
    setUnits([{ name: 'Adult' }, { name: 'Child', priceMinor: 2500 }]),
  ', also at the price of a timeslot': async ({ sql }) => {
    await sql`update timeslots set unit_prices = ${sql.json({ 0: 9900 })}`
    await sql`update products set has_own_prices = true`
  },
  ', also under a partner’s commission': (opened) => storeTerms(opened, { commission: 2000 }),
  ', also at a partner’s net prices': (opened) => storeTerms(opened, { net: 3000 }),
}

/** Makes partner 7 and its terms for the product: a commission in basis points, or else a net price. */
async function storeTerms(
  { sql, accountId }: PreparedSales,
  { commission = null as number | null, net = 0 },
) {
  const netPrices = commission === null ? sql.json({ 0: net }) : null
  await sql`insert into partners (account_id, id, name) values (${accountId}, 7, 'Tours Online')`
  await sql`
    insert into partner_terms (account_id, partner_id, product_id, commission_bp, net_prices)
    select ${accountId}, 7, id, ${commission}, ${netPrices} from products`
  await sql`update products set has_partner_terms = true`
}

t.test(
  'on its pool, which avoids full scans, a sale makes none of bookings, events, products or timeslots',
  async (t) => {
    const { sql, openPool, attempt } = await prepareSales(t)
    await sql`vacuum analyze`
    const selling = await openPool(1)
    const tables = ['bookings', 'events', 'products', 'timeslots']
    const before = await countWholeReads(selling, tables)
    t.same(Object.keys(before), tables)
    for (let sold = 0; sold < 2; sold++) {
      const one = attempt()
      t.equal((await reserveAtOnce(selling, [one])).get(one)?.kind, 'made')
    }
    t.same(await countWholeReads(selling, tables), before)
  },
)

for (const [suffix, prepare] of [['', null] as const, ...Object.entries(manyPrices)]) {
  t.test(`the statement writes the same booking and event as the transaction${suffix}`, async (t) => {
    const opened = await prepareSales(t)
    const { sql, sell, attempt, discover } = opened
    if (prepare) await prepare(opened).then(discover)
    const [one, other] = [
      attempt({ participants: 2 }),
      attempt({ partnerId: 7, actor: { kind: 'partner', id: 7 } }),
    ]
    const columns = (row: Record<string, unknown>) => {
      const {
        id,
        reference,
        basket_id,
        booking_id,
        occurred_at,
        created_at,
        confirmed_at,
        updated_at,
        ...rest
      } = row
      return { ...rest, isConfirmedWhenMade: Number(created_at) === Number(confirmed_at) }
    }
    t.same(await sell([one, other]), ['made', 'made'])
    const again = [attempt({ participants: 2 }), attempt({ partnerId: 7, actor: { kind: 'partner', id: 7 } })]
    t.same(kinds(await reserve(sql, again)), ['made', 'made'])
    for (const rows of [
      await sql`select * from bookings order by id`,
      await sql`select * from events order by id`,
    ]) {
      t.equal(rows.length, 4)
      t.same(rows.slice(0, 2).map(columns), rows.slice(2).map(columns))
    }
    t.same(
      (await sql`select booking_id from events order by id`).map(({ booking_id }) => booking_id),
      [one, other, ...again].map(({ id }) => id),
    )
    t.same(await sql`select booked, held from timeslots order by time`, [
      { booked: 6, held: 0 },
      { booked: 0, held: 0 },
    ])
  })
}

t.test('the response of the statement is stored under its idempotency key, and replayed', async (t) => {
  const { sql, selling, attempt, claimOf } = await prepareSales(t)
  const claim = claimOf('k1')
  const keyed = attempt({ claim, paymentReference: 'P-1' })
  const outcome = (await reserveAtOnce(selling, [keyed, attempt()])).get(keyed)
  t.match(outcome, { kind: 'made', booking: { BookingReference: keyed.reference }, replayed: false })
  const [repeated] = await reserve(sql, [attempt({ claim })], { selling })
  t.same(repeated, { ...(outcome as object), replayed: true })
  t.match(await reserve(sql, [attempt({ claim: claimOf('k1', 1) })], { selling }), [{ kind: 'reused' }])
  t.same(await countRows(sql), { bookings: 2, events: 2 })
})

t.test('the stored response for a default unit is replayed unchanged after the unit changes', async (t) => {
  const { sql, selling, attempt, claimOf, setUnits, discover } = await prepareSales(t)
  await setUnits([{ name: 'Adult', type: 'ADULT' }])
  await discover()
  const claim = claimOf('k1')
  const keyed = attempt({ claim, participants: 2 })
  const outcome = (await reserveAtOnce(selling, [keyed])).get(keyed)
  t.match(outcome, { kind: 'made', booking: { Units: [{ Name: 'Adult', Quantity: 2 }] } })
  await sql`update units set name = 'Grown-up', position = null`
  await sql`update products set default_unit_id = null, price_minor = 1`
  const [repeated] = await reserve(sql, [attempt({ claim, participants: 2 })], { selling })
  t.same(repeated, { ...(outcome as object), replayed: true })
})

t.test(
  'if the bookings of a timeslot do not all fit, the statement makes none of them; other timeslots are sold',
  async (t) => {
    const { sql, sell, attempt, claimOf, keys } = await prepareSales(t, 2)
    const late = attempt({ time: '11:00' })
    const tooMany = [attempt({ claim: claimOf('k1') }), attempt({ participants: 2 })]
    t.same(await sell([...tooMany, late]), [undefined, undefined, 'made'])
    t.same(await keys(), [])
    t.same(await countRows(sql), { bookings: 1, events: 1 })
    t.same(kinds(await reserve(sql, tooMany)), ['made', 'refused'])
    t.same(await keys(), ['k1'])
  },
)

t.test(
  'an attempt for a sold-out or closed timeslot is refused at once, unless it has an idempotency key',
  async (t) => {
    const { sql, sell, attempt, claimOf } = await prepareSales(t, 1)
    const [made] = [attempt({ claim: claimOf('k1') })]
    t.same(await sell([made]), ['made'])
    await sql`update timeslots set status = 'closed' where time = '11:00'`
    const wanted = [
      attempt(),
      attempt({ claim: claimOf('k1') }),
      attempt({ time: '11:00' }),
      attempt({ time: '12:00' }),
    ]
    t.same(await sell(wanted), ['refused', undefined, 'refused', undefined])
    t.match(await reserve(sql, wanted), [
      { kind: 'refused', onSale: true },
      { kind: 'made', booking: { BookingReference: made.reference }, replayed: true },
      { kind: 'refused', onSale: false },
      { kind: 'refused', onSale: false },
    ])
  },
)

t.test(
  'a full timeslot with held places is left to the transaction, because the holds may have expired',
  async (t) => {
    const { sql, sell, attempt } = await prepareSales(t, 3)
    await sql`delete from timeslots where time = '11:00'`
    await holdUntil(sql, '2020-01-01', 3)
    t.same(await sell([attempt()]), [undefined])
  },
)

t.test(
  'the statement skips a timeslot or key that another transaction has locked, without waiting',
  async (t) => {
    const { sql, sell, attempt, claimOf, keys } = await prepareSales(t)
    await sql.begin(async (tx) => {
      await tx`select from timeslots where time = '11:00' for update`
      await claimFreeKeys(tx, 'booking.create', [claimOf('busy')], { wait: false })
      const wanted = [
        attempt({ claim: claimOf('busy') }),
        attempt({ time: '11:00' }),
        attempt({ claim: claimOf('free') }),
      ]
      t.same(await sell(wanted), [undefined, undefined, 'made'])
    })
    t.same(await keys(), ['busy', 'free'])
  },
)

t.test('two statements that use one key at the same time, on two pools, make one booking', async (t) => {
  const { sql, attempt, openPool, claimOf, booked } = await prepareSales(t, 1000)
  const pools = [await openPool(), await openPool()]
  for (let round = 0; round < 40; round++) {
    const twice = pools.map(async (selling) => {
      const one = attempt({ claim: claimOf(`k${round}`) })
      const [outcome] = await reserve(sql, [one], { selling })
      if (!(outcome instanceof SetAside)) return outcome
      // If the other statement has locked the key or the timeslot, the attempt is set aside.
      // The second call waits for both.
      return (await reserve(sql, [one], { waitsFor: 'key-and-timeslot' }))[0]
    })
    t.match(await Promise.all(twice), [{ kind: 'made' }, { kind: 'made' }])
  }
  t.equal(await booked(), 40)
  t.same(await countRows(sql), { bookings: 40, events: 40 })
})

t.test(
  'when statements on two pools and transactions sell a timeslot at the same time, each place is sold once',
  async (t) => {
    const { sql, url, attempt, openPool, booked } = await prepareSales(t, 1000)
    await sql`delete from timeslots where time = '11:00'`
    const wide = openDatabase(url, { poolSize: 6, applicationName: 'abs-test' })
    t.teardown(() => wide.end())
    const pools = [await openPool(), await openPool(), null]
    let made = 0
    await Promise.all(
      [...pools, ...pools].map(async (selling) => {
        for (let refused = false; !refused; ) {
          const attempts = Array.from({ length: 7 }, () => attempt())
          const options = selling ? { selling } : ({ waitsFor: 'timeslot' } as const)
          const outcomes = await reserve(wide, attempts, options)
          made += kinds(outcomes).filter((kind) => kind === 'made').length
          refused = kinds(outcomes).every((kind) => kind === 'refused')
        }
      }),
    )
    t.equal(made, 1000)
    t.equal(await booked(), 1000)
    const [row] = await sql`select sum(participants)::integer as participants from bookings`
    t.same(row, { participants: 1000 })
  },
)

t.test('nothing is sold to a client that disconnects before the statement is sent', async (t) => {
  const { sell, attempt, booked } = await prepareSales(t)
  t.same(await sell([attempt({ isAwaited: () => false }), attempt()]), [undefined, 'made'])
  t.equal(await booked(), 1)
})

t.test('without an idle connection the statement is not sent', async (t) => {
  const { url, attempt, booked } = await prepareSales(t)
  const pool = openDatabase(url, { poolSize: 1, applicationName: 'abs-test' })
  t.teardown(() => pool.end())
  t.equal((await reserveAtOnce(pool, [attempt()])).size, 0)
  t.equal(await booked(), 0)
  await pool`select`
  t.equal((await reserveAtOnce(pool, [attempt()])).size, 1)
})

t.test('if the response of the statement is lost, each booking is made once and is returned', async (t) => {
  const { sql, selling, attempt, claimOf, booked } = await prepareSales(t, 3)
  const losing = new Proxy(selling, {
    async apply(target, self, given) {
      await Reflect.apply(target, self, given)
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    },
  })
  // Only the statement that inserts events loses its response. Only the statement that inserts events loses its
  // response. SQL fragments are not sent by themselves, so they pass unchanged.
  const losingOne = new Proxy(losing, {
    apply: (target, self, given: [TemplateStringsArray, ...unknown[]]) =>
      given[0].join('').includes('insert into events')
        ? Reflect.apply(target, self, given)
        : Reflect.apply(selling, self, given),
  })
  const attempts = [attempt({ claim: claimOf('k1') }), attempt(), attempt()]
  t.match(await reserve(sql, attempts, { selling: losingOne as Sql }), [
    { kind: 'made', booking: { BookingReference: attempts[0]!.reference }, replayed: false },
    { kind: 'made', replayed: false },
    { kind: 'made', replayed: false },
  ])
  t.equal(await booked(), 3)
  t.same(await countRows(sql), { bookings: 3, events: 3 })
})

t.test(
  'a statement that arrives after the transaction has made its bookings makes nothing twice',
  async (t) => {
    const { sql, sell, attempt, claimOf, keys, booked } = await prepareSales(t)
    const attempts = [attempt(), attempt({ claim: claimOf('k1') })]
    t.same(kinds(await reserve(sql, attempts)), ['made', 'made'])
    const [plain, keyed] = attempts as [Attempt, Attempt]
    t.same(await sell([keyed]), [undefined])
    const late = sell([plain, attempt({ claim: claimOf('k2') }), attempt({ time: '11:00' })])
    await t.rejects(late, /bookings_pkey/)
    t.same(await keys(), ['k1'])
    t.equal(await booked(), 2)
    t.same(await countRows(sql), { bookings: 2, events: 2 })
  },
)

t.test('if the database refuses the data of one request, the rest of the batch is booked', async (t) => {
  const { sql, selling, attempt, booked } = await prepareSales(t)
  const batch = [attempt(), attempt({ answers: 'no JSON' }), attempt()]
  t.same(kinds(await reserve(sql, batch, { selling })), ['made', 'error', 'made'])
  t.equal(await booked(), 2)
})

t.test(
  'if a statement fails because a booking reference is taken, the booking gets another one',
  async (t) => {
    const { sql, selling, attempt, booked } = await prepareSales(t)
    const first = attempt()
    await reserve(sql, [first], { selling })
    const second = attempt({ reference: first.reference })
    t.same(kinds(await reserve(sql, [second], { selling })), ['made'])
    t.not(second.reference, first.reference)
    t.equal(await booked(), 2)
  },
)

t.test('a sale by the statement notifies listeners for commits, as a transaction does', async (t) => {
  const { selling, sell, attempt, accountId } = await prepareSales(t)
  const heard: unknown[] = []
  listenForCommits(selling, (notes) => heard.push(...notes))
  await sell([attempt(), attempt({ time: '12:00' })])
  t.same(heard, [
    { events: [{ accountId, type: 'booking.confirmed', actor: { kind: 'partner', id: null } }] },
  ])
})
