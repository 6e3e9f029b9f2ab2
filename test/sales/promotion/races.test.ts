/** Concurrent use of promotions: each use is taken once, and transactions do not deadlock. */
import t from 'tap'
import { sweepExpiredHolds } from '../../../src/inventory/expiry.ts'
import { countDeadlocks } from '../../deadlocks.ts'
import { buildOn } from '../../helper.ts'
import { openPromotions } from './fixtures.ts'

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))

t.test('two web processes that apply a code at the same time do not exceed its limit of uses', async (t) => {
  const { promote, hold, headers, url, app, sql, uses } = await openPromotions(t)
  const { app: other } = await buildOn(t, url)
  await sql`update timeslots set capacity = 100`
  await promote({ MaxUses: 3 })
  const baskets = await Promise.all(times(12, () => hold([{ Participants: 1 }])))
  const answers = await Promise.all(
    baskets.map(({ BasketID }, index) =>
      [app, other][index % 2]!.inject({
        method: 'PUT',
        url: `/api/v2/operator/baskets/${BasketID}/promotion`,
        headers,
        payload: { Code: 'SUMMER' },
      }),
    ),
  )
  const won = baskets.filter((_, index) => answers[index]!.statusCode === 200)
  const lost = answers.filter(({ statusCode }) => statusCode !== 200)
  t.equal(won.length, 3)
  t.ok(lost.every((answer) => answer.statusCode === 409 && answer.json().Reason === 'used-up'))
  t.same(
    await uses(),
    won.map(({ BasketID }) => BasketID).sort((one, other) => one - other),
  )
})

t.test(
  'baskets that are made with one code at the same time take no more uses than the code has',
  async (t) => {
    const { promote, post, line, sql, counters, uses } = await openPromotions(t)
    await sql`update timeslots set capacity = 100`
    await promote({ MaxUses: 2 })
    const wanted = (Participants: number) => ({
      Channel: 'pos',
      Lines: [line({ Participants })],
      PromotionCode: 'SUMMER',
    })
    const answers = await Promise.all(times(8, () => post('/baskets', wanted(1))))
    t.equal(answers.filter(({ statusCode }) => statusCode === 201).length, 2)
    t.equal((await uses()).length, 2)
    t.same(await counters(), { booked: 0, held: 2 }, 'nothing is held for the refused baskets')
  },
)

t.test(
  'a customer with one use who applies a code to several baskets at the same time uses it once',
  async (t) => {
    const { promote, hold, use, uses } = await openPromotions(t)
    await promote({ MaxUsesPerCustomer: 1 })
    const baskets = await Promise.all(times(5, () => hold([{ Participants: 1 }])))
    const answers = await Promise.all(baskets.map((basket) => use(basket)))
    t.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
    t.equal((await uses()).length, 1)
  },
)

t.test(
  'applying, changing and removing codes while their baskets are paid and expire never deadlocks',
  async (t) => {
    const { promote, hold, use, call, post, sendPaymentEvent, line, expireBasket, read, sql } =
      await openPromotions(t)
    await sql`update timeslots set capacity = 1000`
    const ids = [await promote({ MaxUses: 6 }), await promote({ Code: 'OTHER', MaxUses: 6 })]
    const codes = ['SUMMER', 'OTHER']
    const baskets = await Promise.all(
      times(12, (index) => hold(index % 2 ? [{}, { Time: '12:00' }] : [{ Time: '12:00' }, {}])),
    )
    const paths = baskets.map(({ BasketID }) => `/baskets/${BasketID}`)
    const acts = baskets.flatMap((basket, index) => [
      () => use(basket, codes[index % 2]),
      () => use(basket, codes[(index + 1) % 2]),
      () => post(`${paths[index]}/lines`, { Lines: [line({ Time: index % 2 ? '10:00' : '12:00' })] }),
      () => call('PATCH', `/promotions/${ids[index % 2]}`, { Percent: String(10 + index) }),
      () => call('PATCH', paths[index]!, { Customer: { Email: `c${index}@example.com` } }),
      async () => {
        if (index % 3 === 0) await expireBasket(basket)
        await sweepExpiredHolds(sql)
      },
      () => (index % 4 === 0 ? call('DELETE', `${paths[index]}/promotion`) : use(basket, codes[0])),
      () =>
        index % 2
          ? post(`${paths[index]}/pay`, { Method: 'cash' })
          : read(basket).then((now) => sendPaymentEvent(now, { ID: `evt_${index}` })),
    ])
    const results = await Promise.all(acts.map((act) => act()))
    const statusCodes = results.flatMap((answer) => (answer ? [answer.statusCode] : []))
    t.same(
      statusCodes.filter((status) => status >= 500),
      [],
    )
    const counted = await sql<{ uses: number }[]>`
    select count(promotion_uses.basket_id) as uses from promotions
    left join promotion_uses using (account_id) where promotion_id = promotions.id group by promotions.id`
    t.ok(counted.every(({ uses }) => uses <= 6))
    const wrong = await sql`
    select baskets.id, baskets.status from baskets
    left join promotion_uses as use on use.account_id = baskets.account_id and use.basket_id = baskets.id
    where (use.promotion_id is not distinct from baskets.promotion_id)
      <> (baskets.promotion_id is null or baskets.status in ('open', 'completed'))`
    t.same(wrong, [], 'only open and completed baskets have a use')
    t.equal(await countDeadlocks(sql), 0)
  },
)
