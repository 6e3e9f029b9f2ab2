/** Refunds and kept money in reports: the sums of the decisions. */
import t, { type Test } from 'tap'
import { dateIn } from '../../../src/platform/text/calendar.ts'
import { auditTotals, repairTotals } from '../../../src/reports/sales/totals/audit.ts'
import { createRandom } from '../../faults/random.ts'
import { makeProduct } from '../../helper.ts'
import { euros, refundDesk } from '../../sales/ledger/refund-fixtures.ts'
import { expectedRefunds, expectedTotals, settle, storedRefunds, storedTotals } from './fixtures.ts'

const seed = Number(process.env.REPORT_SEED ?? 21)
const timeZone = 'Europe/Lisbon'

type Amount = { Amount: string; Currency: string }
type Figures = Record<
  'Sold' | 'Cancelled' | 'Revenue' | 'Kept' | 'Income' | 'RefundsDecided' | 'PaidBack' | 'RefundsDue',
  Amount
> & { Bookings: number; Participants: number }

async function prepare(t: Test) {
  const desk = await refundDesk(t)
  const { sql, accountId, call } = desk
  const report = async (query: string) => (await call('GET', `/reports/sales?${query}`)).json().data
  const today = dateIn(timeZone, new Date())
  const days = { sold: `From=${today}&To=${today}`, travel: 'From=2030-06-15&To=2030-06-15&Basis=travel' }
  return {
    ...desk,
    report,
    days,
    figures: async (basis: 'sold' | 'travel' = 'sold'): Promise<Figures> =>
      (await report(days[basis])).Totals[0].Figures,
    /**
     * Counts the days that events have marked for counting, as a worker does, and compares the stored totals with
     * totals computed here from the bookings and refunds.
     */
    check: async (t: Test) => {
      await settle(sql)
      for (const basis of ['sold', 'travel'] as const) {
        t.same(
          await storedTotals(sql, accountId, basis),
          await expectedTotals(sql, { accountId, timeZone }, basis),
        )
        const expected = await expectedRefunds(sql, { accountId, timeZone }, basis)
        t.same(await storedRefunds(sql, accountId, basis), expected, basis)
      }
      t.same(await auditTotals(sql, accountId), [])
    },
  }
}

t.test('the decision about a cancelled booking is in the report, with the amount paid back', async (t) => {
  const { sell, act, listRefunds, markDone, figures, check } = await prepare(t)
  const { references } = await sell()
  await act(references[0]!, 'cancel', { Refund: { Amount: '30.00' } })
  await check(t)
  const decided = {
    ...{ Sold: euros('90.00'), Cancelled: euros('90.00'), Revenue: euros('0.00') },
    ...{ Kept: euros('60.00'), Income: euros('60.00'), RefundsDecided: euros('30.00') },
  }
  const due = { ...decided, PaidBack: euros('0.00'), RefundsDue: euros('30.00') }
  for (const basis of ['sold', 'travel'] as const) t.match(await figures(basis), due)
  await markDone((await listRefunds())[0]!)
  await check(t)
  const done = { ...decided, PaidBack: euros('30.00'), RefundsDue: euros('0.00') }
  for (const basis of ['sold', 'travel'] as const) t.match(await figures(basis), done)
})

t.test('a refund whose mark was undone does not count for its payment method', async (t) => {
  const { sell, act, listRefunds, markDone, call, report, days, check } = await prepare(t)
  const { references } = await sell()
  await act(references[0]!, 'cancel', { Refund: { Choice: 'full' } })
  const [due] = await listRefunds()
  await markDone(due!, { Method: 'card', Part: '40.00' })
  const wrong = await markDone(due!, { Method: 'cash', Amount: '50.00', Part: '10.00' })
  const undo = `/refunds/${wrong.json().data.RefundID}/undo`
  t.equal((await call('POST', undo, { Reason: 'The customer had gone.' })).statusCode, 200)
  await check(t)
  t.match((await report(`${days.sold}&Group=method`)).Groups, [
    {
      Name: 'card',
      Figures: { Bookings: 1, Sold: euros('90.00'), CancelledBookings: 1, Cancelled: euros('40.00') },
    },
  ])
})

t.test(
  'the kept part of an amended or moved booking counts too, and so does a decision to pay nothing back',
  async (t) => {
    const { sell, act, figures, check } = await prepare(t)
    const [amended, moved, lost] = [await sell(), await sell(), await sell()].map(
      ({ references }) => references[0]!,
    )
    await act(amended!, 'amend', { Participants: 1, Refund: { Amount: '25.00' } })
    await act(moved!, 'move', {
      Date: '2030-06-15',
      Time: '12:00',
      Participants: 1,
      Refund: { Choice: 'full' },
    })
    await act(lost!, 'cancel', { Refund: { Choice: 'none' } })
    await check(t)
    t.match(await figures(), {
      ...{ Sold: euros('180.00'), Cancelled: euros('90.00'), Revenue: euros('90.00') },
      ...{ Kept: euros('110.00'), Income: euros('200.00'), RefundsDecided: euros('70.00') },
    })
  },
)

t.test('the refund of an overpayment counts with the first booking of the sale', async (t) => {
  const { sell, post, report, days, figures, check, sql, accountId } = await prepare(t)
  const canoe = await makeProduct(sql, accountId, { name: 'Canoe', slots: { '2030-06-15 10:00': 8 } })
  const { basket } = await sell([{ ActivityID: canoe.activityId }, {}])
  await sql`
    insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor)
    values (${accountId}, ${basket.BasketID}, 'payment', 'card', 2000, 'EUR', 'key')`
  const answer = await post(`/baskets/${basket.BasketID}/refunds`)
  t.equal(answer.statusCode, 200, answer.body)
  await check(t)
  t.match(await figures(), { RefundsDecided: euros('20.00'), Kept: euros('0.00') })
  const { Groups } = await report(`${days.sold}&Group=product`)
  t.same(
    Groups.map(({ Name, Figures }: { Name: string; Figures: Figures }) => [Name, Figures.RefundsDecided]),
    [
      ['Canoe', euros('20.00')],
      ['Kayak', euros('0.00')],
    ],
  )
})

t.test(
  'a refund that belongs to a sale, not to one of its bookings, counts on the day of its decision; once the sale is confirmed, on the day of the confirmation',
  async (t) => {
    const { sql, hold, accountId, check } = await prepare(t)
    const basket = await hold()
    await sql`
    insert into refunds (account_id, basket_id, cause, amount_minor, kept_minor, currency, status, actor, decided_at)
    values (${accountId}, ${basket.BasketID}, 'overpaid', 700, 300, 'EUR', 'due', 'service', '2026-03-01T12:00:00Z')`
    await sql`
    insert into events (account_id, type, basket_id, actor, details)
    values (${accountId}, 'refund.due', ${basket.BasketID}, 'service', '{"Reason":"overpaid"}')`
    await check(t)
    t.match(await storedRefunds(sql, accountId, 'sold'), [/^2026-03-01 .* 1 700 0 300$/])
    await sql`update bookings set status = 'confirmed', confirmed_at = '2026-03-04T12:00:00Z' where account_id = ${accountId}`
    await sql`
    insert into events (account_id, type, booking_id, actor, details)
    select account_id, 'booking.confirmed', id, 'service', '{}' from bookings where account_id = ${accountId}`
    await check(t)
    t.match(await storedRefunds(sql, accountId, 'sold'), [/^2026-03-04 /])
  },
)

t.test(
  'the audit finds refund totals that were changed or deleted by hand, and its repair counts these totals again',
  async (t) => {
    const { sql, accountId, sell, act, check } = await prepare(t)
    const { references } = await sell()
    await act(references[0]!, 'cancel')
    await check(t)
    await sql`update sales_refund_totals set decided_minor = 1 where account_id = ${accountId} and basis = 'sold'`
    await sql`delete from sales_refund_totals where account_id = ${accountId} and basis = 'travel'`
    const found = await auditTotals(sql, accountId)
    t.match(found, [
      {
        table: 'sales_refund_totals',
        basis: 'sold',
        kept: { decided_minor: 1 },
        counted: { decided_minor: 4500 },
      },
      { table: 'sales_refund_totals', basis: 'travel', kept: null },
    ])
    await repairTotals(sql, accountId, found)
    await check(t)
  },
)

t.test(
  'events of the previous version, which have fewer details, are counted; unknown events of a later version do no harm',
  async (t) => {
    const { sql, accountId, sell, act, check, figures } = await prepare(t)
    const { basket, references } = await sell()
    const old = await sell()
    const event = (type: string, about: { basket?: number; booking?: string }, details: object = {}) => sql`
    insert into events (account_id, type, basket_id, booking_id, actor, details)
    values (${accountId}, ${type}, ${about.basket ?? null}, (
      select id from bookings where account_id = ${accountId} and reference = ${about.booking ?? ''}
    ), 'service', ${sql.json(details as never)})`
    // The previous version cancels like this: it stores in the row of the booking the amount that the refund terms
    // give, and makes no refund decision.
    await sql`update timeslots set booked = booked - 2 where id = (
    select timeslot_id from bookings where reference = ${old.references[0]!})`
    await sql`
    update bookings set status = 'cancelled', cancelled_at = now(), cancel_reason = 'operator', refund_minor = 4500
    where account_id = ${accountId} and reference = ${old.references[0]!}`
    await event('booking.cancelled', { booking: old.references[0]! }, { Override: true })
    await act(references[0]!, 'cancel', { Refund: { Choice: 'full' } })
    await sql`update events set details = '{}' where account_id = ${accountId} and type like 'refund.%'`
    await check(t)
    t.match(await figures(), {
      Cancelled: euros('180.00'),
      RefundsDecided: euros('90.00'),
      Kept: euros('0.00'),
    })
    await sql`update refunds set status = 'done', done_at = now() where account_id = ${accountId}`
    await event('refund.done', { basket: basket.BasketID })
    await check(t)
    const known = await figures()
    t.match(known, { PaidBack: euros('90.00') })
    await event('booking.of-a-later-version', { booking: references[0]! }, { Of: ['a', 'later', 'one'] })
    await event('refund.of-a-later-version', { basket: basket.BasketID })
    await event('refund.done', {})
    await event('refund.due', { basket: 987_654 }, { RefundID: 987_654 })
    await check(t)
    t.same(await figures(), known)
  },
)

t.test(`after any changes of sales, the figures of a report add up, seed ${seed}`, async (t) => {
  const desk = await prepare(t)
  const {
    sql,
    accountId,
    sell,
    act,
    post,
    read,
    sendPaymentEvent,
    listRefunds,
    markDone,
    report,
    days,
    figures,
    check,
  } = desk
  await sql`update timeslots set capacity = 5000`
  const { whole, pick } = createRandom(seed)
  const below = (n: number) => whole(0, n - 1)
  const text = (minor: number) => (minor / 100).toFixed(2)
  type Sale = Awaited<ReturnType<typeof sell>>
  const sales: Sale[] = []
  const open = async () => {
    const lines = Array.from({ length: 1 + below(2) }, () => ({
      ...{ Time: pick(['10:00', '12:00']), Participants: 1 + below(3) },
    }))
    const Amount = below(2) === 0 ? { Amount: text(100 + below(4000)) } : {}
    sales.push(await sell(lines, { Method: pick(['cash', 'card']), ...Amount }))
  }
  const refund = () =>
    pick([
      ...[
        {},
        { Refund: { Choice: 'full' } },
        { Refund: { Choice: 'none' } },
        { Refund: { Choice: 'terms' } },
      ],
      { Refund: { Amount: text(below(6000)) } },
    ])
  const acts: ((sale: Sale) => Promise<unknown>)[] = [
    open,
    (sale) => act(pick(sale.references), 'cancel', refund()),
    (sale) => act(pick(sale.references), 'amend', { Participants: 1 + below(4), ...refund() }),
    (sale) =>
      act(pick(sale.references), 'move', {
        ...{ Date: '2030-06-15', Time: pick(['10:00', '12:00']), Participants: 1 + below(3), ...refund() },
      }),
    ({ basket }) =>
      post(`/baskets/${basket.BasketID}/payments`, { Method: 'transfer', Amount: text(1 + below(5000)) }),
    ({ basket }) =>
      sendPaymentEvent(basket, { ID: `evt_${below(1_000_000)}`, Amount: text(1 + below(3000)) }),
    ({ basket }) => post(`/baskets/${basket.BasketID}/refunds`),
    async () => {
      const due = await listRefunds()
      if (due.length > 0) await markDone(pick(due), { Method: pick(['cash', 'transfer']) })
    },
    async () => {
      const due = await listRefunds()
      if (due.length > 0) await markDone(pick(due), { Method: 'card', Part: text(1 + below(3000)) })
    },
    async () => {
      const done = (await listRefunds('?Status=done')).filter(({ Source }) => Source === 'decision')
      if (done.length > 0) await post(`/refunds/${pick(done).RefundID}/undo`, { Reason: 'by mistake' })
    },
  ]
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 3; n++) await open()
    for (let n = 0; n < 25; n++) await pick(acts)(pick(sales))
    await check(t)
    const minor = ({ Amount }: Amount) => Math.round(Number(Amount) * 100)
    for (const basis of ['sold', 'travel'] as const) {
      const found = await figures(basis)
      const of = (name: keyof Figures) => minor(found[name] as Amount)
      t.equal(of('Revenue'), of('Sold') - of('Cancelled'), `${basis}: revenue`)
      t.equal(of('Income'), of('Revenue') + of('Kept'), `${basis}: income`)
      t.equal(of('RefundsDue'), of('RefundsDecided') - of('PaidBack'), `${basis}: due`)
    }
    const { Groups } = await report(`${days.sold}&Group=method`)
    const inHand = Groups.reduce(
      (sum: number, group: { Figures: Figures }) => sum + minor(group.Figures.Revenue),
      0,
    )
    const ledgers = await Promise.all(sales.map(async ({ basket }) => (await read(basket)).Ledger!))
    const owed = ledgers.reduce((sum, { Balance }) => sum + minor(Balance), 0)
    const found = await figures()
    t.equal(
      inHand,
      minor(found.Income) + minor(found.RefundsDue) - owed,
      'the money received is the income plus the refunds due, less what customers still owe',
    )
    const [rows] = await sql<{ decided: number; done: number; kept: number }[]>`
      select coalesce(sum(amount_minor), 0)::bigint as decided, coalesce(sum(kept_minor), 0)::bigint as kept,
        coalesce(sum(amount_minor) filter (where status = 'done'), 0)::bigint as done
      from refunds where account_id = ${accountId}`
    t.same(
      [found.RefundsDecided, found.PaidBack, found.Kept].map(minor),
      [rows!.decided, rows!.done, rows!.kept],
      'every decision is counted once',
    )
  }
  const [made] = await sql<{ due: number; done: number; kept: number }[]>`
    select count(*) filter (where status = 'due')::integer as due, count(*) filter (where status = 'done')::integer as done,
      count(*) filter (where kept_minor > 0)::integer as kept from refunds`
  t.ok(made!.due > 0 && made!.done > 0 && made!.kept > 0, JSON.stringify(made))
})
