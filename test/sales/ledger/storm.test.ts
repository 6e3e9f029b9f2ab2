/**
 * Through two applications on one database, sales are paid, cancelled, made smaller, closed and refunded at the same
 * time, while tills open and close. Afterwards all ledgers are exact, and no refund was paid twice.
 */
import t, { type Test } from 'tap'
import { insertUser } from '../../../src/accounts/users/queries.ts'
import { byUser } from '../../../src/events/actor.ts'
import { withoutRequest } from '../../../src/http/idempotent-request.ts'
import { Problem } from '../../../src/http/problems.ts'
import { payBalance } from '../../../src/sales/basket/paying.ts'
import { payBack } from '../../../src/sales/ledger/paying-back.ts'
import { sign } from '../../../src/sales/payment/model.ts'
import { closeTill, openTill } from '../../../src/sales/till/service.ts'
import { buildOn } from '../../helper.ts'
import { operatorPath, secretKey } from '../basket/fixtures.ts'
import { refundDesk } from './refund-fixtures.ts'

type Answer = { statusCode: number; body: string }

/**
 * A refund desk with two applications on one database, and a user who opens and closes tills. Each response must have
 * the status 200, 409 or 422.
 */
async function stormDesk(t: Test) {
  const desk = await refundDesk(t)
  const { sql, url, headers, accountId, event, secret } = desk
  await sql`update timeslots set capacity = 5000`
  const other = await buildOn(t, url, { SECRET_KEY: secretKey })
  const apps = [desk.app, other.app]
  let calls = 0
  const next = () => apps[++calls % 2]!
  const checkAnswer = (answer: Answer) => {
    t.ok([200, 409, 422].includes(answer.statusCode), answer.body)
    return answer.statusCode
  }
  const post = async (path: string, payload: object = {}) =>
    checkAnswer(await next().inject({ method: 'POST', url: operatorPath + path, headers, payload }))
  const sendEvent = async (basket: Parameters<typeof event>[0], changes: object) => {
    const payload = JSON.stringify(event(basket, { ...changes }))
    const signature = sign(secret, Math.floor(Date.now() / 1000), Buffer.from(payload))
    const signed = { 'content-type': 'application/json', 'payment-signature': signature }
    const url = '/api/v2/payments/events'
    return checkAnswer(await next().inject({ method: 'POST', url, headers: signed, payload }))
  }
  const email = 'till@quay.test'
  const userId = (await insertUser(sql, { accountId, email, role: 'owner', passwordHash: '' }))!
  const user = { accountId, userId, role: 'owner' } as const
  const by = byUser({ accountId, userId })
  /** Waits for the work, and ignores its refusal (a `Problem`). */
  const attempt = async (work: Promise<unknown>) => {
    await work.catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
    })
  }
  const openAndCloseTill = async () => {
    await attempt(sql.begin((tx) => openTill(tx, user, { Currency: 'EUR', Float: '10.00' })))
    const [till] = await sql<{ id: number }[]>`select id from tills where closed_at is null`
    if (till) await attempt(sql.begin((tx) => closeTill(tx, user, till.id, { Counted: '10.00' })))
  }
  const payAsUser = (basketId: number, Amount: string) => {
    const payment = { basketId, payment: { Method: 'cash', Amount } } as const
    return attempt(payBalance(sql, withoutRequest('basket.payment', by), by, payment))
  }
  const markAsUser = (refundId: number, Method: 'cash' | 'online') =>
    attempt(payBack(sql, withoutRequest('refund.done', by), by, { refundId, paid: { Method } }))
  /** Checks the stored refunds, payments and tills. */
  const checkBooks = async (t: Test) => {
    t.same(
      await sql`
        select id from refunds where status = 'done'
          and 1 <> (select count(*) from payments where refund_id = refunds.id and payments.amount_minor = refunds.amount_minor)
          or status <> 'done' and exists (select from payments where refund_id = refunds.id)`,
      [],
      'each refund that is done was paid back once, and no other refund was paid back',
    )
    t.same(
      await sql`
        select payments.event_id from payments
        join payment_events on payment_events.event_id = payments.event_id
        where kind = 'refund' group by payments.event_id, payment_events.amount, unsettled_minor
        having sum(amount_minor) + coalesce(unsettled_minor, 0) > payment_events.amount::numeric * 100`,
      [],
      'no event of the provider paid back more than it says',
    )
    t.same(
      await sql`
        select basket_id from payments group by basket_id
        having sum(amount_minor) filter (where kind = 'refund') > sum(amount_minor) filter (where kind = 'payment')`,
      [],
      'no sale was refunded more than was paid',
    )
    t.same(
      await sql`
        select id from tills where closed_at is not null and expected_minor <> float_minor + coalesce((
          select sum(case kind when 'payment' then amount_minor else -amount_minor end) from payments
          where till_id = tills.id and made_at <= closed_at
        ), 0)`,
      [],
      'the expected cash of each closed till is its float plus its payments minus its refunds',
    )
    t.same(await sql`select id from tills where expected_minor < 0`, [], 'no till paid more than was in it')
  }
  return { ...desk, post, sendEvent, openAndCloseTill, payAsUser, markAsUser, checkBooks }
}

const minor = ({ Amount }: { Amount: string }) => Math.round(Number(Amount) * 100)

t.test('concurrent changes of one sale leave its ledger exact', { timeout: 300_000 }, async (t) => {
  const { sell, post, sendEvent, openAndCloseTill, payAsUser, markAsUser, checkBooks, read, sql } =
    await stormDesk(t)
  for (let round = 0; round < 4; round++) {
    const lines = Array.from({ length: 6 }, (_, index) => ({ Time: index % 2 ? '10:00' : '12:00' }))
    const { basket, references } = await sell(lines, { Method: 'cash', Amount: '300.00' })
    const path = `/baskets/${basket.BasketID}`
    const id = (n: number) => `re_${round}_${n}`
    const markAll = async () => {
      const due = await sql<{ id: number }[]>`select id from refunds where status = 'due'`
      await Promise.all(due.flatMap(({ id }) => [markAsUser(id, 'cash'), markAsUser(id, 'online')]))
    }
    await Promise.all([
      ...references
        .slice(0, 4)
        .flatMap((reference, n) => [
          post(`/bookings/${reference}/cancel`, { Refund: { Choice: n % 2 ? 'full' : 'terms' } }),
          post(`/bookings/${reference}/amend`, { Participants: 1 }),
          sendEvent(basket, { ID: id(n), Type: 'refunded', Amount: n % 2 ? '90.00' : '45.00' }),
          sendEvent(basket, { ID: id(n), Type: 'refunded', Amount: n % 2 ? '90.00' : '45.00' }),
        ]),
      ...[50, 60, 70, 80].map((amount) =>
        post(`${path}/payments`, { Method: 'card', Amount: `${amount}.00` }),
      ),
      ...[5, 6, 7].map((amount) => payAsUser(basket.BasketID, `${amount}.00`)),
      ...Array.from({ length: 4 }, openAndCloseTill),
      ...Array.from({ length: 4 }, markAll),
    ])
    await markAll()
    const ledger = (await read(basket)).Ledger!
    t.ok(minor(ledger.Balance) >= 0, 'nothing is overpaid')
    t.equal(
      minor(ledger.Paid) - minor(ledger.PaidBack) - minor(ledger.RefundDue),
      minor(ledger.Charged) + minor(ledger.Kept) - minor(ledger.Balance),
    )
  }
  await checkBooks(t)
})

t.test(
  'after concurrent closures and cancellations of many sales, every ledger is settled',
  { timeout: 300_000 },
  async (t) => {
    const { sell, post, sendEvent, openAndCloseTill, payAsUser, markAsUser, checkBooks, read, sql } =
      await stormDesk(t)
    const sales = []
    for (let sale = 0; sale < 16; sale++) {
      const payment = sale % 3 ? { Method: 'card' } : { Method: 'cash', Amount: '70.00' }
      sales.push(await sell([{ Time: '10:00' }, { Time: '12:00' }], payment))
    }
    const slots = await sql<{ id: number }[]>`select id from timeslots`
    const close = ({ id }: { id: number }) => post('/closures', { TimeslotID: id, Action: 'cancel' })
    const markAll = async () => {
      const due = await sql<{ id: number }[]>`select id from refunds where status = 'due'`
      await Promise.all(due.map(({ id }) => markAsUser(id, 'cash')))
    }
    await Promise.all([
      ...sales.flatMap(({ basket, references }, n) => [
        post(`/bookings/${references[n % 2]}/cancel`, { Refund: { Choice: 'full' } }),
        post(`/bookings/${references[0]}/amend`, { Participants: 1 }),
        payAsUser(basket.BasketID, '20.00'),
        sendEvent(basket, { ID: `re_${n}`, Type: 'refunded', Amount: '90.00' }),
      ]),
      ...[...slots, ...slots].map(close),
      ...Array.from({ length: 4 }, openAndCloseTill),
      ...Array.from({ length: 4 }, markAll),
    ])
    await post('/closures', { Date: '2030-06-15', Action: 'cancel' })
    await markAll()
    for (const { basket } of sales) {
      const ledger = (await read(basket)).Ledger!
      t.match(ledger, {
        Charged: { Amount: '0.00' },
        RefundDue: { Amount: '0.00' },
        Balance: { Amount: '0.00' },
      })
      t.equal(minor(ledger.Paid), minor(ledger.PaidBack) + minor(ledger.Kept))
    }
    await checkBooks(t)
  },
)
