/**
 * Random sales that become dearer and cheaper while their provider pays refunds in parts. The test compares the ledger
 * with sums that it computes from the tables.
 */
import fc from 'fast-check'
import t from 'tap'
import { refundDesk } from './refund-fixtures.ts'

const amount = fc.integer({ min: 1, max: 12_000 })
const line = fc.nat({ max: 1 })
const refund = fc.option(
  fc.oneof(
    fc.constantFrom('terms', 'full', 'none').map((Choice) => ({ Choice })),
    amount.map(inEuros),
  ),
  { nil: undefined },
)
const change = fc.oneof(
  fc.record({ act: fc.constant('amend'), line, people: fc.integer({ min: 1, max: 5 }), refund }),
  fc.record({
    act: fc.constant('move'),
    line,
    Time: fc.constantFrom('10:00', '12:00'),
    Price: fc.constantFrom('kept', 'current'),
    refund,
  }),
  fc.record({ act: fc.constant('cancel'), line, refund }),
  fc.record({ act: fc.constant('pay'), minor: amount }),
  fc.record({ act: fc.constant('decide'), refund }),
  fc.record({ act: fc.constant('done'), Method: fc.constantFrom('cash', 'online') }),
  fc.record({ act: fc.constant('told'), minor: fc.option(amount, { nil: null }) }),
)
/** A step is one change, or two at once. */
const steps = fc.array(fc.tuple(change, fc.option(change, { freq: 3, nil: null })), {
  minLength: 4,
  maxLength: 12,
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function inEuros(minor: number) {
  return { Amount: (minor / 100).toFixed(2) }
}

t.test('partial refund events add up after any changes, and each part is used at most once', async (t) => {
  const { sell, act, post, call, sendPaymentEvent, read, sql } = await refundDesk(t)
  await sql`update products set has_own_prices = true`
  await sql`
    update timeslots set capacity = 20000,
      unit_prices = case time when '12:00' then ${sql.json({ 0: 6100 })}::jsonb else ${sql.json({ 0: 4500 })}::jsonb end`
  let events = 0
  const run = fc.asyncProperty(steps, async (sequence) => {
    const { basket, references } = await sell([{}, { Participants: 1 }])
    const path = `/baskets/${basket.BasketID}`
    const perform = async (one: Change) => {
      const chosen = 'refund' in one && one.refund ? { Refund: one.refund } : {}
      if (one.act === 'amend' && 'people' in one)
        return [await act(references[one.line]!, 'amend', { Participants: one.people, ...chosen })]
      if ('Time' in one) {
        const { Time, Price } = one
        return [await act(references[one.line]!, 'move', { Date: '2030-06-15', Time, Price, ...chosen })]
      }
      if ('line' in one) return [await act(references[one.line]!, 'cancel', chosen)]
      if (one.act === 'decide') return [await post(`${path}/refunds`, chosen)]
      if (one.act === 'pay' && 'minor' in one)
        return [await post(`${path}/payments`, { Method: 'card', ...inEuros(one.minor!) })]
      const due: { RefundID: number; BasketID: number; Refund: { Amount: string } }[] = (
        await call('GET', '/refunds')
      ).json().data
      const [own] = due.filter(({ BasketID }) => BasketID === basket.BasketID)
      if ('Method' in one)
        return own ? [await post(`/refunds/${own.RefundID}/done`, { Method: one.Method })] : []
      const minor = 'minor' in one ? one.minor : null
      const Amount = minor === null ? own?.Refund.Amount : inEuros(minor).Amount
      if (!Amount) return []
      const ID = `re_${events++}`
      const send = () => sendPaymentEvent(basket, { ID, Type: 'refunded', Amount })
      return Promise.all([send(), send()])
    }
    for (const [one, other] of sequence) {
      const answers = await Promise.all([perform(one), other ? perform(other) : []])
      for (const { statusCode, body } of answers.flat())
        if (statusCode >= 500) throw new Error(`${statusCode} ${body}`)
      const [sums] = await sql<Record<string, number>[]>`
        select
          (select coalesce(sum(coalesce((
              select sum((unit ->> 'priceMinor')::int * (unit ->> 'quantity')::int)
              from jsonb_array_elements(units) as unit
            ), participants * unit_price_minor) - coalesce(discount_minor, 0)), 0)::int from bookings
            where basket_id = ${basket.BasketID} and status = 'confirmed') as charged,
          (select coalesce(sum(kept_minor), 0)::int from refunds where basket_id = ${basket.BasketID}) as kept,
          (select coalesce(sum(amount_minor), 0)::int from refunds
            where basket_id = ${basket.BasketID} and status = 'due') as due,
          (select coalesce(sum(amount_minor), 0)::int from refunds
            where basket_id = ${basket.BasketID} and status = 'done') as done,
          (select coalesce(sum(set_off_minor), 0)::int from refunds where basket_id = ${basket.BasketID}) as "setOff",
          (select coalesce(sum(amount_minor) filter (where kind = 'payment'), 0)::int from payments
            where basket_id = ${basket.BasketID}) as paid,
          (select coalesce(sum(amount_minor) filter (where kind = 'refund'), 0)::int from payments
            where basket_id = ${basket.BasketID}) as back,
          (select coalesce(sum(case when told_minor is not null then told_minor when event_id is not null
            then amount_minor end), 0)::int from payments
            where basket_id = ${basket.BasketID} and kind = 'refund') as told,
          (select coalesce(sum(amount_minor - coalesce(told_minor, 0)), 0)::int from payments
            where basket_id = ${basket.BasketID} and kind = 'refund' and method = 'online' and event_id is null)
            as "untold",
          (select coalesce(sum(round(amount::numeric * 100)), 0)::int from payment_events
            where basket_id = ${basket.BasketID} and type = 'refunded') as events,
          (select coalesce(sum(coalesce(unsettled_minor, case outcome when 'ignored' then
            round(amount::numeric * 100) else 0 end)), 0)::int from payment_events
            where basket_id = ${basket.BasketID} and type = 'refunded') as unsettled`
      const { Balance, Charged, PaidBack, RefundDue, Kept } = (await read(basket)).Ledger!
      const shown = [Balance, Charged, PaidBack, RefundDue, Kept].map((m) =>
        Math.round(Number(m.Amount) * 100),
      )
      const { charged, kept, due, done, setOff, paid, back, told, untold, events, unsettled } =
        sums as Required<typeof sums> & { [name: string]: number }
      const facts = JSON.stringify({ sums, shown })
      const must = (is: boolean, what: string) => {
        if (!is) throw new Error(`${what}: ${facts}`)
      }
      const balance = charged! + kept! - paid! + back! + due!
      must(
        [balance, charged, back, due, kept].every((sum, index) => sum === shown[index]),
        'the ledger agrees with the tables',
      )
      must(done === back, 'the refunds that are done add up to the money paid back')
      must(told! + unsettled! === events, 'each part of an event settles one refund, or is not matched yet')
      must(
        unsettled === 0 || due! + untold! + setOff! === 0,
        'no refund can be matched while an event has unmatched money',
      )
      must(back! + due! <= paid!, 'no more is paid back than was paid')
    }
  })
  await fc.assert(run, { numRuns: 15, seed: Number(process.env.LEDGER_SEED ?? 20) })
})
