/** Random changes of sales and their money: after each change, or each group of concurrent ones, the ledgers add up. */
import t from 'tap'
import { createRandom } from '../../faults/random.ts'
import { refundDesk } from './refund-fixtures.ts'

const seed = Number(process.env.LEDGER_SEED ?? 20)
const rounds = 4
const steps = 15
// How many steps run at the same time in every other round.
const atOnce = 12

const minor = ({ Amount }: { Amount: string }) => Math.round(Number(Amount) * 100)
const text = (minor: number) => (minor / 100).toFixed(2)

t.test(
  `after random changes of sales, their ledgers add up, seed ${seed}`,
  { timeout: 500_000 },
  async (t) => {
    const desk = await refundDesk(t)
    const { sell, act, post, call, read, sendPaymentEvent, sql, accountId } = desk
    await sql`update timeslots set capacity = 5000`
    const { whole, pick } = createRandom(seed)
    const below = (n: number) => whole(0, n - 1)
    type Sale = { BasketID: number; refs: string[]; paid: number }
    const sales: Sale[] = []
    let events = 0
    const succeeded = (what: string, answer: { statusCode: number; body: string }) => {
      if (answer.statusCode >= 500) t.fail(`${what}: ${answer.body}`)
      return answer.statusCode < 300
    }
    const refund = () =>
      pick([
        {},
        {},
        { Refund: { Choice: 'full' } },
        { Refund: { Choice: 'none' } },
        { Refund: { Choice: 'terms' } },
        { Refund: { Amount: text(below(9000)) } },
      ])
    const open = async () => {
      const lines = Array.from({ length: 1 + below(3) }, () => ({
        Time: pick(['10:00', '12:00']),
        Participants: 1 + below(3),
      }))
      const people = lines.reduce((sum, { Participants }) => sum + Participants, 0)
      const total = people * 4500
      const Reduction = below(5) === 0 ? { Percent: pick(['100', '33', '10']), Reason: 'x' } : undefined
      const Amount = below(3) === 0 && !Reduction ? text(below(total + 1)) : undefined
      const made = await sell(lines, {
        Method: pick(['cash', 'card']),
        ...(Amount && { Amount }),
        ...(Reduction && { Reduction }),
      })
      const sale = {
        BasketID: made.basket.BasketID,
        refs: made.references,
        paid: minor(made.basket.Ledger!.Paid),
      }
      // Some sales look as the previous version completed them: paid in full, without a row in payments.
      if (!Amount && below(3) === 0) await sql`delete from payments where basket_id = ${sale.BasketID}`
      sales.push(sale)
    }
    const step = async () => {
      const sale = pick(sales)
      const path = `/baskets/${sale.BasketID}`
      const ref = pick(sale.refs)
      const what = below(10)
      if (what === 0) return open()
      if (what === 1) {
        const Amount = text(1 + below(9000))
        if (
          succeeded('payment', await post(`${path}/payments`, { Method: pick(['cash', 'transfer']), Amount }))
        )
          sale.paid += Math.round(Number(Amount) * 100)
      }
      if (what === 2) {
        const Ledger = (await read(sale)).Ledger!
        if (minor(Ledger.Balance) > 0) {
          const Amount = Ledger.Balance.Amount
          if (succeeded('all', await post(`${path}/payments`, { Method: 'card', Amount })))
            sale.paid += Math.round(Number(Amount) * 100)
        }
      }
      if (what === 3) succeeded('cancel', await act(ref, 'cancel', { ...refund() }))
      if (what === 4 || what === 5)
        succeeded('amend', await act(ref, 'amend', { Participants: 1 + below(5), ...refund() }))
      if (what === 6)
        succeeded(
          'move',
          await act(ref, 'move', {
            Date: '2030-06-15',
            Time: pick(['10:00', '12:00']),
            ...(below(2) && { Participants: 1 + below(5) }),
            ...refund(),
          }),
        )
      if (what === 7) {
        const due = (await call('GET', '/refunds')).json().data
        if (due.length > 0) {
          const { RefundID } = pick(due as { RefundID: number }[])
          const key = `k${below(5)}-${RefundID}`
          const pay = () => post(`/refunds/${RefundID}/done`, { Method: 'cash' }, { 'idempotency-key': key })
          if (RefundID) for (const answer of await Promise.all([pay(), pay()])) succeeded('done', answer)
        }
      }
      if (what === 8) {
        const type = pick(['succeeded', 'succeeded', 'refunded', 'failed'])
        const ID = `evt_${++events}`
        const due = (await call('GET', '/refunds')).json().data as {
          BasketID: number
          Refund: { Amount: string }
        }[]
        const own = due.filter(({ BasketID }) => BasketID === sale.BasketID)
        const Amount = type === 'refunded' && own.length > 0 ? pick(own).Refund.Amount : text(1 + below(5000))
        const send = () => sendPaymentEvent(sale as never, { ID, Type: type, Amount, Currency: 'EUR' })
        const [one, two] = await Promise.all([send(), send()])
        succeeded(type, one!)
        if (one!.statusCode === 200) {
          t.same(one!.json().data, two!.json().data)
          if (type === 'succeeded' && one!.json().data.Outcome === 'completed')
            sale.paid += Math.round(Number(Amount) * 100)
        }
      }
      if (what === 9) succeeded('overpaid', await post(`${path}/refunds`, refund()))
    }
    const check = async (sale: Sale, when: string) => {
      const L = (await read(sale)).Ledger!
      const [paid, back, due, charged, kept, balance] = [
        L.Paid,
        L.PaidBack,
        L.RefundDue,
        L.Charged,
        L.Kept,
        L.Balance,
      ].map(minor) as [number, number, number, number, number, number]
      const facts = { seed, when, ...sale, ...{ paid, back, due, charged, kept, balance } }
      if (paid - back - due !== charged + kept - balance) t.fail('the ledger does not add up', facts as never)
      if (back + due > paid || back < 0 || due < 0) t.fail('more was paid back than was paid', facts as never)
      if (balance < 0) t.fail('the sale is overpaid', facts as never)
      if (paid !== sale.paid) t.fail('the paid amount is not the sum of the payments', facts as never)
    }
    for (let round = 0; round < rounds; round++) {
      sales.length = 0
      await open()
      await open()
      for (let n = 0; n < steps; n++) {
        await Promise.all(Array.from({ length: round % 2 === 0 ? 1 : atOnce }, step))
        for (const sale of sales) await check(sale, `${round}.${n}`)
        if (!t.passing()) return
      }
    }
    const [{ odd } = { odd: -1 }] = await sql<{ odd: number }[]>`
    select count(*)::int as odd from refunds where account_id = ${accountId} and status = 'done'
      and 1 <> (select count(*) from payments where payments.refund_id = refunds.id and payments.amount_minor = refunds.amount_minor)`
    t.equal(odd, 0, 'each refund that is done has exactly one payment of its amount')
  },
)
