/** Rules of the balance of a sale. */
import fc from 'fast-check'
import t from 'tap'
import type { Bought } from '../../../src/inventory/service.ts'
import { firstPaymentOf, rowsOfDecision, sumLedger } from '../../../src/sales/ledger/model.ts'

const booking = (costs: number, status: 'held' | 'confirmed' | 'cancelled' | 'waitlisted' = 'confirmed') => {
  const bought: Bought = {
    ...{ places: 1, participants: 1, units: null, unitPriceMinor: costs, currency: 'EUR' },
    ...{
      pricedPerBooking: true,
      takesTimeslot: false,
      discountMinor: '0',
      commissionBp: null,
      netMinor: null,
    },
  }
  return { ...bought, status }
}
const paid = (amountMinor: bigint) => ({ kind: 'payment' as const, amountMinor })
const paidBack = (amountMinor: bigint) => ({ kind: 'refund' as const, amountMinor })
const completed = { status: 'completed', paymentMethod: 'cash' }

t.test('the balance is the price of held and confirmed bookings minus the payments', async (t) => {
  const bookings = [
    booking(9000),
    booking(1000, 'held'),
    booking(500, 'cancelled'),
    booking(70, 'waitlisted'),
  ]
  t.match(sumLedger(bookings, [paid(4000n)], []), { charged: 10_000n, paid: 4000n, balance: 6000n })
})

t.test(
  'a refund decision makes the balance of a cancelled sale zero, whether the refund is due or done',
  async (t) => {
    const bookings = [booking(9000, 'cancelled')]
    const due = { status: 'due' as const, amountMinor: 6000n, keptMinor: 3000n }
    t.equal(sumLedger(bookings, [paid(9000n)], []).balance, -9000n)
    t.match(sumLedger(bookings, [paid(9000n)], [due]), { kept: 3000n, due: 6000n, balance: 0n })
    const done = { ...due, status: 'done' as const }
    const sums = sumLedger(bookings, [paid(9000n), paidBack(6000n)], [done])
    t.match(sums, { paidBack: 6000n, due: 0n, balance: 0n })
  },
)

t.test('a completed sale without a stored payment counts as paid in full', async (t) => {
  const sums = sumLedger([booking(9000)], [], [])
  t.equal(firstPaymentOf(completed, [], sums), 9000n)
  t.equal(firstPaymentOf(completed, [paid(100n)], sums), 0n, 'a sale with a payment does not')
  t.equal(
    firstPaymentOf({ ...completed, paymentMethod: null }, [], sums),
    0n,
    'a sale without a payment method does not',
  )
  t.equal(
    firstPaymentOf({ ...completed, status: 'open' }, [], sums),
    0n,
    'a sale that is not completed does not',
  )
})

const amount = fc.integer({ min: 0, max: 1_000_000_000 })
const bookingsOf = fc.array(
  amount.map((costs) => booking(costs)),
  { maxLength: 8 },
)
const moves = fc.array(fc.tuple(fc.boolean(), fc.bigInt(1n, 10n ** 12n)), { maxLength: 8 })
const moved = moves.map((all) => all.map(([back, minor]) => (back ? paidBack(minor) : paid(minor))))
const statuses = fc.constantFrom('due', 'done', 'none')
const decided = fc.array(
  fc.record({
    status: statuses,
    amountMinor: fc.bigInt(0n, 10n ** 12n),
    keptMinor: fc.bigInt(0n, 10n ** 12n),
  }),
  { maxLength: 8 },
)

t.test('a payment of the balance makes the balance zero, after any history', async () => {
  fc.assert(
    fc.property(bookingsOf, moved, decided, (bookings, moved, refunds) => {
      const { balance } = sumLedger(bookings, moved, refunds)
      return balance <= 0n || sumLedger(bookings, [...moved, paid(balance)], refunds).balance === 0n
    }),
  )
})

t.test('marking a due refund as done does not change the balance', async () => {
  fc.assert(
    fc.property(bookingsOf, moved, fc.bigInt(1n, 10n ** 12n), (bookings, moved, minor) => {
      const due = { status: 'due' as const, amountMinor: minor, keptMinor: 0n }
      const before = sumLedger(bookings, moved, [due])
      const after = sumLedger(bookings, [...moved, paidBack(minor)], [{ ...due, status: 'done' }])
      return before.balance === after.balance
    }),
  )
})

t.test('the assumed first payment of a completed sale leaves nothing to pay', async () => {
  fc.assert(
    fc.property(bookingsOf, decided, (bookings, refunds) => {
      const sums = sumLedger(bookings, [], refunds)
      const first = firstPaymentOf(completed, [], sums)
      const all = first > 0n ? [paid(first)] : []
      return sumLedger(bookings, all, refunds).balance <= 0n
    }),
  )
})

t.test('two refunds of kept money by the provider at the same moment count as separate decisions', (t) => {
  const decidedAt = new Date('2030-06-15T10:00:00Z')
  const row = (id: number, cause: string) => ({ id, bookingId: 1, cause, decidedAt })
  const rows = [row(1, 'cancelled'), row(2, 'cancelled'), row(3, 'provider'), row(4, 'provider')]
  t.same(rowsOfDecision(rows, 1), rows.slice(0, 2))
  t.same(rowsOfDecision(rows, 4), [rows[3]])
  t.end()
})
