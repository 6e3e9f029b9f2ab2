/**
 * Random sales are paid, amended, cancelled, and refunded by hand and by their provider, in any order; each event is
 * sent twice. No refund is due that was already paid back, and all received money is accounted for.
 */
import fc from 'fast-check'
import t from 'tap'
import { auditTotals } from '../../../src/reports/sales/totals/audit.ts'
import type { RefundView } from '../../../src/sales/ledger/refund-schemas.ts'
import { settle } from '../../reports/sales/fixtures.ts'
import { refundDesk } from './refund-fixtures.ts'

const minor = fc.integer({ min: 1, max: 20_000 })
const line = fc.nat({ max: 1 })
const choice = fc.constantFrom('terms', 'full', 'none')
const amount = fc.oneof(minor, fc.constantFrom('first', 'all', 'half'))
const named = fc.boolean()
const step = fc.oneof(
  fc.record({ act: fc.constant('pay'), minor: fc.constantFrom(9000, 13_500, 5000) }),
  fc.record({ act: fc.constant('cancel'), line, choice }),
  fc.record({ act: fc.constant('amend'), line, people: fc.integer({ min: 1, max: 4 }), choice }),
  fc.record({ act: fc.constant('told'), amount, named }),
  fc.record({ act: fc.constant('told'), amount, named }),
  fc.record({ act: fc.constant('done'), Method: fc.constantFrom('cash', 'online') }),
  fc.record({ act: fc.constant('again') }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const minorOf = ({ Amount }: { Amount: string }) => Math.round(Number(Amount) * 100)
const text = (minor: number) => (minor / 100).toFixed(2)
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

t.test('all received money is due, paid back, kept or spent, and no refund is due twice', async (t) => {
  const { hold, sendPaymentEvent, act, post, call, read, sql, accountId } = await refundDesk(t)
  await sql`update timeslots set capacity = 20000`
  let events = 0
  const run = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (sequence) => {
    const basket = await hold([{}, { Participants: 1 }])
    const references = basket.Lines.map(({ BookingReference }) => BookingReference)
    const paymentEvent = (Amount: string) => {
      const ID = `evt_${++events}`
      return { ID, Type: 'succeeded', Amount, Reference: `ch_${ID}` }
    }
    const told: object[] = []
    let byHand = 0
    const listDue = async () => {
      const due: RefundView[] = (await call('GET', '/refunds?Limit=500')).json().data
      return due.filter(({ BasketID }) => BasketID === basket.BasketID)
    }
    const send = async (event: object) => {
      const answers = await Promise.all([
        sendPaymentEvent(basket, { ...event }),
        sendPaymentEvent(basket, { ...event }),
      ])
      for (const { statusCode, body } of answers) if (statusCode !== 200) throw new Error(body)
    }
    const refund = async (one: Step & { act: 'told' }) => {
      const due = (await listDue()).map(({ Refund }) => minorOf(Refund))
      const all = sum(due)
      const wanted = { first: due[0] ?? 0, all, half: Math.floor(all / 2) }
      const refundMinor =
        typeof one.amount === 'number' ? one.amount : wanted[one.amount as keyof typeof wanted]
      if (refundMinor === 0) return
      const [payment] = (await read(basket)).Payments.filter(({ Outcome }) => Outcome === 'refund-due')
      const Reference = one.named && payment?.Reference ? payment.Reference : undefined
      told.push({
        ID: `re_${++events}`,
        Type: 'refunded',
        Amount: text(refundMinor),
        ...(Reference && { Reference }),
      })
      await send(told.at(-1)!)
    }
    const markFirst = async (Method: string) => {
      const [own] = await listDue()
      if (!own) return
      const { RefundID, PaymentID, Refund } = own
      const answer =
        RefundID === null
          ? await post(`/baskets/${basket.BasketID}/refunded`, {
              Payments: [PaymentID],
              Amount: Refund.Amount,
            })
          : await post(`/refunds/${RefundID}/done`, { Method, Amount: Refund.Amount })
      if (answer.statusCode !== 200) throw new Error(answer.body)
      if (RefundID === null) byHand += minorOf(Refund)
    }
    const perform = async (one: Step) => {
      if ('minor' in one) return send(paymentEvent(text(one.minor)))
      if ('amount' in one) return refund(one as Step & { act: 'told' })
      if ('Method' in one) return markFirst(one.Method)
      if ('people' in one)
        await act(references[one.line]!, 'amend', {
          Participants: one.people,
          Refund: { Choice: one.choice },
        })
      else if ('line' in one) await act(references[one.line]!, 'cancel', { Refund: { Choice: one.choice } })
      else if (told[0]) await send(told[0])
    }
    await send(paymentEvent('135.00'))
    for (const one of sequence) {
      await perform(one)
      const { Ledger, Payments } = await read(basket)
      const due = await listDue()
      const dueOf = (source: string) =>
        sum(due.filter(({ Source }) => Source === source).map(({ Refund }) => minorOf(Refund)))
      const boughtNothing = Payments.filter(({ Outcome }) => Outcome === 'refund-due')
      const backOfPayments = sum(
        boughtNothing.map((payment) =>
          payment.RefundedAt ? minorOf(payment) : payment.PaidBack ? minorOf(payment.PaidBack) : 0,
        ),
      )
      const received = sum(boughtNothing.map(minorOf))
      const of = (name: 'Charged' | 'Kept' | 'Paid' | 'PaidBack' | 'RefundDue' | 'Balance') =>
        minorOf(Ledger![name])
      const [open] = await sql<{ unsettled: number; told: number; untold: number; setOff: number }[]>`
        select
          (select coalesce(sum(coalesce(unsettled_minor, case outcome when 'ignored' then
            round(amount::numeric * 100) else 0 end)), 0)::int from payment_events
            where basket_id = ${basket.BasketID} and type = 'refunded') as unsettled,
          (select coalesce(sum(case when told_minor is not null then told_minor when event_id is not null
            then amount_minor end), 0)::int from payments
            where basket_id = ${basket.BasketID} and kind = 'refund') as told,
          (select coalesce(sum(amount_minor - coalesce(told_minor, 0)), 0)::int from payments
            where basket_id = ${basket.BasketID} and kind = 'refund' and method = 'online' and event_id is null)
            as untold,
          (select coalesce(sum(set_off_minor), 0)::int from refunds where basket_id = ${basket.BasketID}) as "setOff"`
      const { unsettled, told: toldOfSale, untold, setOff } = open!
      const sent = sum((told as { Amount: string }[]).map(minorOf))
      const toldByHand = sent - unsettled - toldOfSale - (backOfPayments - byHand)
      const facts = JSON.stringify({
        sequence,
        one,
        Ledger,
        due,
        received,
        backOfPayments,
        open,
        sent,
        byHand,
      })
      const must = (is: boolean, what: string) => {
        if (!is) throw new Error(`${what}: ${facts}`)
      }
      must(
        dueOf('payment') + backOfPayments === received,
        'a payment that bought nothing is due or paid back',
      )
      must(
        of('RefundDue') + of('PaidBack') + of('Kept') + of('Charged') - of('Balance') === of('Paid'),
        'all payments of the sale are due, paid back, kept or spent',
      )
      must(dueOf('decision') === of('RefundDue'), 'the list and the ledger agree on what is due')
      must(of('RefundDue') + of('PaidBack') + of('Kept') <= of('Paid'), 'no more goes back than was paid')
      must(toldByHand >= 0 && toldByHand <= byHand, 'each part of an event settles one refund, or none yet')
      must(
        unsettled === 0 || due.length + untold + setOff === 0,
        'no refund can be matched while an event has unmatched money',
      )
      must(
        unsettled === 0 || of('Kept') === 0 || unsettled <= of('Charged'),
        'while money is kept, the unmatched money is at most the price of the active bookings',
      )
    }
  })
  await fc.assert(run, { numRuns: 15, seed: Number(process.env.LEDGER_SEED ?? 20) })
  await settle(sql)
  t.same(await auditTotals(sql, accountId), [], 'the audit of reports agrees')
})
