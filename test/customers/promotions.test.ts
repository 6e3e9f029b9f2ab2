/** The data of customers who used a promotion code, or whose sale was reduced at the till. */
import t from 'tap'
import { exportCustomer } from '../../src/customers/exporting.ts'
import { toCustomerIdentifier } from '../../src/customers/model.ts'
import { listTraces, openHarbour, quill, quillIdentifier } from './fixtures.ts'

const cash = { Method: 'cash' }
const Reduction = { Amount: '5.00', Reason: 'Mrs Xyzzy waited' }

/** The operator `harbour` with a sale that used a promotion code and was reduced at the till. */
async function openWithUsedCode(t: Parameters<typeof openHarbour>[0]) {
  const harbour = await openHarbour(t)
  const { post, hold, sql } = harbour
  await post('/promotions', { Code: 'SUMMER', Percent: '10', MaxUsesPerCustomer: 1 })
  const basket = await hold([{}], { Customer: quill, PromotionCode: 'SUMMER' })
  const key = { 'idempotency-key': 'pay-1' }
  const paid = await post(`/baskets/${basket.BasketID}/pay`, { ...cash, Reduction }, key)
  t.equal(paid.statusCode, 200, paid.body)
  /** Whether each use of a code still has the hash of its customer. */
  const haveHashes = async () => {
    const rows = await sql<{ hash: Buffer | null }[]>`select customer_hash as hash from promotion_uses`
    return rows.map(({ hash }) => hash !== null)
  }
  return { ...harbour, basket, haveHashes }
}

t.test(
  'the exported document has the codes that a customer used, and the reductions at the till with their reasons',
  async (t) => {
    const { sql, accountId, call, basket } = await openWithUsedCode(t)
    const account = { id: accountId, slug: 'harbour' }
    t.match(await exportCustomer(sql, account, quillIdentifier), {
      Promotions: [{ Code: 'SUMMER', UsedAt: Date }],
      Bookings: [
        {
          Discount: { Amount: '14.00' },
          Reduction: { Amount: '5.00', Reason: 'Mrs Xyzzy waited' },
          Total: { Amount: '76.00' },
          History: [{}, { Details: { Reason: 'Mrs Xyzzy waited' } }, { Action: 'confirmed' }],
        },
      ],
    })
    const path = `/bookings/${basket.Lines[0]!.BookingReference}`
    await call('PATCH', path, { Customer: { Email: 'bob@example.com', Phone: '+351912000000' } })
    const former = await exportCustomer(sql, account, quillIdentifier)
    t.match(
      former,
      { Promotions: [{ Code: 'SUMMER' }], Bookings: [] },
      'also after the booking got another customer',
    )
    const stranger = await exportCustomer(sql, account, toCustomerIdentifier({ email: 'eve@example.com' }))
    t.same(stranger.Promotions, [])
  },
)

t.test(
  'erasing a customer erases who used a code and why a sale was reduced, and changes no amount',
  async (t) => {
    const { later, erase, call, sql, basket, haveHashes } = await openWithUsedCode(t)
    await erase(later)
    t.same(await listTraces(sql), [])
    t.same(await haveHashes(), [false])
    t.match((await call('GET', `/baskets/${basket.BasketID}`)).json().data, {
      Promotion: { Code: 'SUMMER', Discount: { Amount: '9.00' } },
      Reduction: { Amount: '5.00', Reason: null },
      Total: { Amount: '76.00' },
    })
  },
)

t.test(
  'an erasure by e-mail address clears the use of a code, even if the booking now belongs to another customer',
  async (t) => {
    const { later, erase, call, basket, haveHashes } = await openWithUsedCode(t)
    const path = `/bookings/${basket.Lines[0]!.BookingReference}`
    await call('PATCH', path, { Customer: { Email: 'bob@example.com', Phone: '+351912000000' } })
    await erase(later)
    t.same(await haveHashes(), [false])
  },
)
