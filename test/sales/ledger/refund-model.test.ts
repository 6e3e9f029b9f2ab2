/** Rules for the amount that may be paid back, mostly tested with random values. */
import fc from 'fast-check'
import t from 'tap'
import { refundOf } from '../../../src/inventory/refund-terms.ts'
import {
  balanceAfter,
  chooseRefund,
  overpaidOptions,
  partsSetOff,
  type RefundChoice,
  refundOptions,
} from '../../../src/sales/ledger/refund-model.ts'

const minor = fc.bigInt({ min: 0n, max: 10n ** 12n })
const terms = fc.option(
  fc
    .tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 100 }))
    .map(([basisPoints, hoursBefore]) => ({
      steps: [{ basisPoints, hoursBefore }],
      msBefore: 50 * 3_600_000,
    })),
  { nil: null },
)
const choice = fc.option(
  fc.oneof(
    fc.constantFrom<RefundChoice>('terms', 'full', 'none'),
    minor.map((amountMinor): RefundChoice => ({ amountMinor })),
    fc.integer({ min: 1, max: 99 }).map((percent): RefundChoice => ({ basisPoints: percent * 100 })),
  ),
  { nil: null },
)
const isOperatorsOwn = fc.boolean()

t.test('however a sale becomes cheaper, no more is paid back than was paid', async () => {
  const drop = fc.record({ part: minor, terms, choice, isOperatorsOwn })
  fc.assert(
    fc.property(minor, minor, fc.array(drop), (total, paid, drops) => {
      let [charged, balance, back] = [total, total - paid, 0n]
      for (const { part, choice: chosen, ...about } of drops) {
        const droppedMinor = part < charged ? part : charged
        const options = refundOptions({ droppedMinor, balanceMinor: balance, backMinor: 0n, ...about })
        const amounts = chooseRefund(options, chosen) ?? chooseRefund(options, null)!
        balance = balanceAfter(balance, droppedMinor, amounts)
        charged -= droppedMinor
        back += amounts.amountMinor
      }
      // An initial overpayment is neither paid back nor kept: it does not come from a booking that became cheaper.
      const overpaid = paid > total ? paid - total : 0n
      return back + overpaid <= paid && (balance >= 0n || balance === -overpaid)
    }),
  )
})

t.test('the refund and the kept money add up to what was paid for the cancelled part', async () => {
  fc.assert(
    fc.property(minor, minor, terms, isOperatorsOwn, choice, (gone, owed, ownTerms, own, chosen) => {
      const about = {
        droppedMinor: gone,
        balanceMinor: owed,
        backMinor: 0n,
        terms: ownTerms,
        isOperatorsOwn: own,
      }
      const options = refundOptions(about)
      const amounts = chooseRefund(options, chosen)
      const isTooMuch =
        typeof chosen === 'object' &&
        chosen !== null &&
        'amountMinor' in chosen &&
        chosen.amountMinor > options.maxMinor
      if (!amounts) return isTooMuch
      const { amountMinor, keptMinor } = amounts
      return (
        !isTooMuch && amountMinor >= 0n && keptMinor >= 0n && amountMinor + keptMinor === options.maxMinor
      )
    }),
  )
})

t.test(
  'for any choice, a refund is at least the amount that was already paid back, up to the maximum refund',
  async () => {
    fc.assert(
      fc.property(
        minor,
        minor,
        minor,
        terms,
        choice,
        (droppedMinor, balanceMinor, backMinor, ownTerms, chosen) => {
          const about = { droppedMinor, balanceMinor, backMinor, terms: ownTerms, isOperatorsOwn: false }
          const options = refundOptions(about)
          const amounts = chooseRefund(options, chosen)
          if (!amounts) return typeof chosen === 'object' && chosen !== null && 'amountMinor' in chosen
          const { maxMinor } = options
          return amounts.amountMinor >= (backMinor < maxMinor ? backMinor : maxMinor)
        },
      ),
    )
  },
)

t.test('the set-off is the smaller of what the customer owes and the sum of the due refunds', async () => {
  const due = fc.array(fc.record({ amountMinor: fc.bigInt({ min: 1n, max: 1000n }) }))
  fc.assert(
    fc.property(due, fc.bigInt({ min: -500n, max: 3000n }), (refunds, owed) => {
      const sum = partsSetOff(refunds, owed).reduce((total, { partMinor }) => total + partMinor, 0n)
      const all = refunds.reduce((total, { amountMinor }) => total + amountMinor, 0n)
      const least = all < owed ? all : owed
      return sum === (least > 0n ? least : 0n)
    }),
  )
})

t.test('for a paid sale, the refund by the terms is exactly what the terms say', async () => {
  fc.assert(
    fc.property(minor, terms, (droppedMinor, ownTerms) => {
      const about = { droppedMinor, balanceMinor: 0n, backMinor: 0n, terms: ownTerms, isOperatorsOwn: false }
      const { byTermsMinor, proposedMinor } = refundOptions(about)
      if (!ownTerms) return byTermsMinor === null && proposedMinor === droppedMinor
      return byTermsMinor === refundOf(ownTerms.steps, droppedMinor, ownTerms.msBefore)
    }),
  )
})

t.test('a deposit is kept up to the part of the price that the terms keep', async (t) => {
  const half = { steps: [{ basisPoints: 5000, hoursBefore: 0 }], msBefore: 1 }
  const about = { droppedMinor: 100n, backMinor: 0n, terms: half, isOperatorsOwn: false }
  t.same(refundOptions({ ...about, balanceMinor: 70n }), {
    maxMinor: 30n,
    limit: 'paid',
    leastMinor: 0n,
    byTermsMinor: 0n,
    proposedMinor: 0n,
  })
  t.same(refundOptions({ ...about, balanceMinor: 20n }), {
    maxMinor: 80n,
    limit: 'paid',
    leastMinor: 0n,
    byTermsMinor: 30n,
    proposedMinor: 30n,
  })
  t.same(refundOptions({ ...about, balanceMinor: 100n }), {
    maxMinor: 0n,
    limit: 'paid',
    leastMinor: 0n,
    byTermsMinor: 0n,
    proposedMinor: 0n,
  })
  const closed = refundOptions({ ...about, balanceMinor: 70n, isOperatorsOwn: true })
  t.same(closed, { maxMinor: 30n, limit: 'paid', leastMinor: 0n, byTermsMinor: 0n, proposedMinor: 30n })
})

t.test('if no booking becomes cheaper, only an overpayment can be refunded', async (t) => {
  t.same(overpaidOptions(-500n, 0n), {
    maxMinor: 500n,
    limit: 'overpaid',
    leastMinor: 0n,
    byTermsMinor: null,
    proposedMinor: 500n,
  })
  for (const balance of [0n, 1n])
    t.same(overpaidOptions(balance, 0n), {
      maxMinor: 0n,
      limit: 'overpaid',
      leastMinor: 0n,
      byTermsMinor: null,
      proposedMinor: 0n,
    })
})
