/** Matching a provider's refund with decisions about a sale and with payments that bought nothing. */
import fc from 'fast-check'
import t from 'tap'
import {
  keptPaidBack,
  matchRefund,
  type RefundableMoney,
  sumRefundable,
} from '../../../src/sales/ledger/matching.ts'
import { type ProviderEvent, refundablePayments } from '../../../src/sales/ledger/provider-model.ts'

const amounts = fc.bigInt({ min: 1n, max: 1000n })
const money: fc.Arbitrary<RefundableMoney> = fc.oneof(
  fc.record({
    source: fc.constant('decision' as const),
    status: fc.constantFrom('due' as const, 'done' as const, 'set-off' as const, 'kept' as const),
    refundableMinor: amounts,
    reference: fc.constant(null),
  }),
  fc.record({
    source: fc.constant('payment' as const),
    status: fc.constantFrom('due' as const, 'done' as const),
    refundableMinor: amounts,
    reference: fc.constantFrom('ch_1', 'ch_2', null),
  }),
)
const reference = fc.constantFrom('ch_1', 'ch_3', null)

function sumParts(parts: readonly { partMinor: bigint }[]): bigint {
  return parts.reduce((sum, { partMinor }) => sum + partMinor, 0n)
}

t.test(
  'a provider’s refund is divided to the last minor unit, and no decision or payment gets two parts',
  async () => {
    fc.assert(
      fc.property(fc.array(money), amounts, reference, (asked, amountMinor, named) => {
        const { parts, overMinor } = matchRefund(asked, { amountMinor, reference: named })
        const isWithin = parts.every(
          ({ refund, partMinor }) => partMinor > 0n && partMinor <= refund.refundableMinor,
        )
        const isOnce = new Set(parts.map(({ refund }) => refund)).size === parts.length
        const all = sumRefundable(asked.filter(({ status }) => status !== 'kept'))
        const sum = sumParts(parts)
        return (
          isWithin &&
          isOnce &&
          sum + overMinor === amountMinor &&
          sum === (all < amountMinor ? all : amountMinor)
        )
      }),
    )
  },
)

t.test('the payment that a refund names is paid back before anything else', async () => {
  fc.assert(
    fc.property(fc.array(money), amounts, (asked, amountMinor) => {
      const isNamed = (one: RefundableMoney) => one.reference === 'ch_1'
      const { parts } = matchRefund(asked, { amountMinor, reference: 'ch_1' })
      const ofNamed = sumParts(parts.filter(({ refund }) => isNamed(refund)))
      const all = sumRefundable(asked.filter(isNamed))
      return ofNamed === (all < amountMinor ? all : amountMinor)
    }),
  )
})

t.test(
  'a provider’s refund reduces kept money only by what exceeds the price of active bookings',
  async () => {
    const some = fc.bigInt({ min: 0n, max: 1500n })
    fc.assert(
      fc.property(fc.array(money), amounts, some, some, (asked, overMinor, othersMinor, validTotalMinor) => {
        const matched = keptPaidBack(asked, { overMinor, othersMinor, validTotalMinor })
        const sum = sumParts(matched.parts)
        const beyond = overMinor + othersMinor - validTotalMinor
        return (
          matched.parts.every(
            ({ refund, partMinor }) => refund.status === 'kept' && partMinor <= refund.refundableMinor,
          ) &&
          sum + matched.overMinor === overMinor &&
          sum <= (beyond > 0n ? beyond : 0n)
        )
      }),
    )
  },
)

const event: ProviderEvent = {
  ...{ id: 'evt_1', type: 'succeeded', amount: '90.00', currency: 'EUR', reference: null },
  ...{ outcome: 'refund-due', refundedAt: null, refundedMinor: null, unsettledMinor: null },
}

t.test(
  'a payment that bought nothing is refundable for the amount that no refund event has covered',
  async (t) => {
    const marked = { ...event, refundedAt: new Date() }
    const refund = { ...event, id: 're_1', type: 'refunded', outcome: 'refunded' } as const
    const listRefundable = (events: ProviderEvent[], confirmedMinor = 0n) =>
      refundablePayments(events, { currency: 'EUR', reference: null, confirmedMinor }).map(
        ({ status, refundableMinor }) => `${status} ${refundableMinor}`,
      )
    t.same(listRefundable([event]), ['due 9000'])
    t.same(
      listRefundable([
        { ...event, refundedMinor: 4000n },
        { ...refund, amount: '40.00' },
      ]),
      ['due 5000'],
    )
    t.same(listRefundable([marked]), ['done 9000'])
    t.same(listRefundable([marked, refund]), [])
    t.same(listRefundable([marked, { ...refund, unsettledMinor: 5000n }]), ['done 5000'])
    t.same(listRefundable([marked, { ...refund, outcome: 'ignored' }]), ['done 9000'])
    t.same(
      listRefundable([marked, refund], 9000n),
      ['done 9000'],
      'the event confirmed a decided refund, not this mark',
    )
    t.same(
      listRefundable([
        { ...event, currency: 'USD' },
        { ...event, amount: '90.001' },
      ]),
      [],
    )
  },
)
