/**
 * The filter "still to be paid" of the list of bookings is exact, before and after the worker records which
 * bookings owe money.
 */
import { randomInt } from 'node:crypto'
import t, { type Test } from 'tap'
import { lockPlaces } from '../../../src/inventory/service.ts'
import { checkOwing } from '../../../src/sales/booking/desk/checking.ts'
import { listOwed } from '../../../src/sales/ledger/service.ts'
import { createRandom } from '../../faults/random.ts'
import { until } from '../../until.ts'
import { refundDesk } from '../ledger/refund-fixtures.ts'

const seed = Number(process.env.SEED ?? randomInt(2 ** 31))

async function prepare(t: Test) {
  const desk = await refundDesk(t)
  const { sql, accountId, call } = desk
  await sql`update timeslots set capacity = 20000`
  type Page = { references: string[]; link: string }
  const page = async (query = ''): Promise<Page> => {
    const answer = await call('GET', `/bookings?ToPay=true${query}`)
    const rows: { BookingReference: string }[] = answer.json().data
    return {
      references: rows.map(({ BookingReference }) => BookingReference),
      link: String(answer.headers.link ?? ''),
    }
  }
  const listed = async (limit = 200): Promise<string[]> => {
    const all: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { references, link } = await page(`&Limit=${limit}${cursor && `&Cursor=${cursor}`}`)
      all.push(...references)
      cursor = /[?&]Cursor=([^&>]+)/.exec(link)?.[1]
    }
    return all
  }
  /** The references of the bookings whose sale owes money according to its ledger, newest first. */
  const expected = async () => {
    const rows = await sql<{ reference: string; basketId: number }[]>`
      select reference, basket_id as "basketId" from bookings
      where account_id = ${accountId} and status = 'confirmed' order by created_at desc, id desc`
    const owed = await listOwed(
      sql,
      accountId,
      rows.map(({ basketId }) => basketId),
    )
    return rows.filter(({ basketId }) => owed.has(basketId)).map(({ reference }) => reference)
  }
  const countRecorded = async () =>
    (await sql`select from owing_bookings where account_id = ${accountId}`).length
  return { ...desk, page, listed, expected, countRecorded }
}

t.test(
  'after random changes, the filter lists exactly the bookings that owe money, checked by the worker or not',
  async (t) => {
    const { sell, act, post, sql, accountId, listed, expected, countRecorded, listRefunds, markDone } =
      await prepare(t)
    const { whole, pick: oneOf } = createRandom(seed)
    const below = (n: number) => whole(0, n - 1)
    const sales: { basketId: number; references: string[] }[] = []
    const sellAny = async () => {
      const lines = Array.from({ length: 1 + below(3) }, () => ({ Time: oneOf(['10:00', '12:00']) }))
      const Amount = oneOf(['0.00', '40.00', undefined])
      const { basket, references } = await sell(lines, { Method: 'cash', ...(Amount && { Amount }) })
      sales.push({ basketId: basket.BasketID, references })
    }
    const aReference = () => oneOf(oneOf(sales).references)
    const acts = [
      sellAny,
      () => act(aReference(), 'amend', { Participants: 1 + below(5) }),
      () => act(aReference(), 'cancel'),
      () => post(`/baskets/${oneOf(sales).basketId}/payments`, { Method: 'card', Amount: '50.00' }),
      () => post(`/baskets/${oneOf(sales).basketId}/payments`, { Method: 'card', Amount: '90.00' }),
      async () => {
        for (const refund of (await listRefunds()).slice(0, 1)) await markDone(refund)
      },
      // The previous version of the service changes rows with these two statements.
      () =>
        sql`update bookings set participants = 3 where reference = ${aReference()} and status = 'confirmed'`,
      () => sql`
      update bookings set status = 'cancelled', cancelled_at = now(), cancel_reason = 'operator'
      where reference = ${aReference()} and status = 'confirmed'`,
    ]
    for (let n = 0; n < 6; n++) await sellAny()
    for (let round = 0; round < 12; round++) {
      for (let n = 0; n < 3; n++) await oneOf(acts)()
      const owing = await expected()
      t.same(await listed(oneOf([1, 3, 200])), owing, `before the worker has checked, SEED=${seed}`)
      if (below(2) === 0) continue
      await checkOwing(sql)
      t.same(await listed(oneOf([1, 3, 200])), owing, `after the worker has checked, SEED=${seed}`)
      t.equal(await countRecorded(), owing.length, `the worker records no other booking, SEED=${seed}`)
    }
    t.equal((await sql`select from owing_bookings where account_id <> ${accountId}`).length, 0)
  },
)

t.test('a sale that changes while the worker checks it again is listed', async (t) => {
  const { sell, sql, listed } = await prepare(t)
  const { references } = await sell()
  await checkOwing(sql)
  t.same(await listed(), [])
  await sql.begin(async (tx) => {
    await tx`update bookings set participants = 5 where reference = ${references[0]!}`
    await checkOwing(sql)
  })
  t.same(await listed(), references)
  await checkOwing(sql)
  t.same(await listed(), references)
})

t.test('a sale that changes while the worker checks it for the first time is listed', async (t) => {
  const { sell, sql, listed } = await prepare(t)
  const { references } = await sell()
  await sql.begin(async (tx) => {
    await tx`update bookings set participants = 5 where reference = ${references[0]!}`
    await checkOwing(sql)
  })
  t.same(await listed(), references)
})

t.test('a change of all bookings of a sale updates each of its rows in owing_bookings once', async (t) => {
  const { sell, sql } = await prepare(t)
  const { basket } = await sell([{}, {}, {}], { Method: 'cash', Amount: '1.00' })
  await sql.begin(async (tx) => {
    const countUpdates = async () => {
      const [notes] = await tx<{ updated: number }[]>`
        select n_tup_upd::integer as updated from pg_stat_xact_user_tables where relname = 'owing_bookings'`
      return notes!.updated
    }
    const before = await countUpdates()
    await tx`update bookings set participants = 3 where basket_id = ${basket.BasketID}`
    t.equal((await countUpdates()) - before, 3)
  })
})

t.test(
  'sales older than the table owing_bookings are listed if they owe money, and are checked once',
  async (t) => {
    const { sell, sql, listed, countRecorded } = await prepare(t)
    const { references } = await sell([{}], { Method: 'cash', Amount: '1.00' })
    await sell()
    await sql`delete from owing_bookings`
    t.same(await listed(), references)
    await checkOwing(sql)
    t.equal(await countRecorded(), 1)
    t.same(await listed(), references)
    t.equal(await checkOwing(sql), 0, 'the worker checks nothing again')
  },
)

t.test(
  'the worker waits for a change of several sales, and the change does not wait for the worker',
  async (t) => {
    const { sell, sql, accountId, listed } = await prepare(t)
    const owing = [{ Method: 'cash', Amount: '1.00' }] as const
    const sales = [await sell([{}], ...owing), await sell([{}], ...owing)]
    const [first, second] = sales.map(({ references }) => references[0]!)
    await sql`delete from owing_bookings`
    let checking: Promise<number> | undefined
    await sql.begin(async (tx) => {
      // The closure of a timeslot locks both sales like this, and may then change the later sale first.
      const basketIds = sales.map(({ basket }) => basket.BasketID)
      await lockPlaces(tx, accountId, { timeslotIds: [], basketIds })
      await tx`set local lock_timeout = '500ms'`
      const grow = (reference: string) =>
        tx`update bookings set participants = 3 where reference = ${reference}`
      await grow(second!)
      checking = checkOwing(sql)
      await until(async () => {
        const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return waiting.length > 0
      })
      await grow(first!)
    })
    await checking
    t.same(await listed(), [second, first])
  },
)

t.test('the first page has a booking that owes money, although 6,000 newer bookings are paid', async (t) => {
  const { sell, sql, accountId, page } = await prepare(t)
  const { references: first } = await sell([{}], { Method: 'cash', Amount: '1.00' })
  const { references: paid } = await sell()
  await sql`
    insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants,
      unit_price_minor, currency, answers, created_at)
    select account_id, 10000000 + n, basket_id, timeslot_id, 'MANY' || n, 'pos', 'confirmed', 1, 0, 'EUR', '[]',
      app_now() + interval '1 hour'
    from bookings, generate_series(1, 6000) as n where account_id = ${accountId} and reference = ${paid[0]!}`
  while ((await checkOwing(sql)) > 0);
  t.same(await page(), { references: first, link: '' })
})
