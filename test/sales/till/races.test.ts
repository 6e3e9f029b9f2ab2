/** Concurrent use of tills: the expected cash at a closing is exactly the float and the cash that went in. */
import t, { type Test } from 'tap'
import { insertUser } from '../../../src/accounts/users/queries.ts'
import { withoutRequest } from '../../../src/http/idempotent-request.ts'
import { Problem } from '../../../src/http/problems.ts'
import { payAtTill } from '../../../src/sales/basket/paying.ts'
import { createBasket } from '../../../src/sales/basket/service.ts'
import { findTillFor } from '../../../src/sales/till/queries.ts'
import { closeTill, openTill, readTill, type TillUser } from '../../../src/sales/till/service.ts'
import { createDatabase, makeCaller, makeProduct } from '../../helper.ts'
import { until } from '../../until.ts'

async function makeDesk(t: Test) {
  const { sql } = await createDatabase(t)
  const { accountId } = await makeCaller(sql)
  const { activityId } = await makeProduct(sql, accountId, { slots: { '2030-06-15 10:00': 500 } })
  const userId = (await insertUser(sql, {
    accountId,
    email: 'a@quay.test',
    role: 'owner',
    passwordHash: '',
  }))!
  const user: TillUser = { accountId, userId, role: 'owner' }
  const by = { accountId, actor: { kind: 'user', id: userId } } as const
  const open = () => sql.begin((tx) => openTill(tx, user, { Currency: 'EUR', Float: '10.00' }))
  const hold = async () => {
    const line = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 1 }
    const once = withoutRequest('basket.create', by)
    const { answer } = await createBasket(sql, once, by, { Channel: 'pos', Lines: [line] })
    return answer.BasketID
  }
  const pay = (basketId: number) =>
    payAtTill(sql, withoutRequest('basket.pay', by), by, {
      basketId,
      payment: { Method: 'cash' },
    })
  const close = (id: number, Counted = '10.00') => sql.begin((tx) => closeTill(tx, user, id, { Counted }))
  return { sql, accountId, user, open, hold, pay, close }
}

t.test('of concurrent openings of a till, one succeeds', async (t) => {
  const { sql, open } = await makeDesk(t)
  const outcomes = await Promise.allSettled([open(), open(), open()])
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  t.equal(refused.length, 2)
  t.ok(refused.every((error) => error instanceof Problem && error.slug === 'till-open'))
  t.equal((await sql`select from tills`).length, 1)
})

t.test(
  'each payment at the same time as a closing is either in the expected cash or outside the till',
  async (t) => {
    const { sql, user, open, hold, pay, close } = await makeDesk(t)
    for (let round = 0; round < 5; round++) {
      const { TillID } = await open()
      const baskets = await Promise.all(Array.from({ length: 8 }, hold))
      const paying = baskets.map(pay)
      const closed = close(TillID)
      await Promise.all([...paying, closed])
      const till = await readTill(sql, user, TillID)
      const [{ taken, outside }] = await sql<[{ taken: number; outside: number }]>`
      select coalesce(sum(amount_minor) filter (where till_id = ${TillID}), 0)::bigint as taken,
        count(*) filter (where till_id is null) as outside
      from payments where basket_id = any(${baskets}::bigint[])`
      t.equal(Number(till.Expected.Amount) * 100, 1000 + taken)
      t.equal(taken / 4500 + outside, baskets.length, 'no cash is lost')
    }
  },
)

t.test('a closing waits for a payment that is under way, and counts it', async (t) => {
  const { sql, open, hold, pay, close } = await makeDesk(t)
  const { TillID } = await open()
  const basketId = await hold()
  let closing: ReturnType<typeof close> | undefined
  await sql.begin(async (tx) => {
    // This transaction takes the locks of a payment, and ends once the closing waits for them.
    const [till] = await tx<{ accountId: number; userId: number }[]>`
      select account_id as "accountId", user_id as "userId" from tills`
    const by = { accountId: till!.accountId, actor: { kind: 'user', id: till!.userId } } as const
    t.equal(await findTillFor(tx, by, { method: 'cash', currency: 'EUR' }), TillID)
    await tx`
      insert into payments (account_id, basket_id, kind, method, amount_minor, currency, actor, till_id)
      values (${till!.accountId}, ${basketId}, 'payment', 'cash', 500, 'EUR', 'user', ${TillID})`
    closing = close(TillID, '15.00')
    await until(async () => {
      const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
  })
  t.match(await closing, { Expected: { Amount: '15.00' }, Difference: { Amount: '0.00' } })
  await pay(basketId)
  const [late] = await sql`select till_id as till from payments order by id desc limit 1`
  t.same(late, { till: null })
})
