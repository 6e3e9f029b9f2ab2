/** The page of a cancelled booking for its customer: the refund, its method and its day. */
import t, { type Test } from 'tap'
import { ticketsUrl } from '../../../src/sales/ticket/links.ts'
import { textOf } from '../../dashboard/fixtures.ts'
import { secretKey } from '../basket/fixtures.ts'
import { refundDesk } from '../ledger/refund-fixtures.ts'

async function openCustomerPage(t: Test) {
  const desk = await refundDesk(t)
  const { app, accountId, sell, act, listRefunds } = desk
  const pathOf = (reference: string) =>
    new URL(ticketsUrl('http://booking.test', secretKey, { accountId, reference })).pathname
  const look = async (reference: string, language = 'en') =>
    textOf((await app.inject(`${pathOf(reference)}?lang=${language}`)).body)
  /** Sells the lines and cancels the first; returns the sale, and its refund if one is due. */
  const sellAndCancel = async (request: object, lines?: object[]) => {
    const sale = await sell(lines)
    const reference = sale.references[0]!
    const answer = await act(reference, 'cancel', { Override: true, ...request })
    t.equal(answer.statusCode, 200, answer.body)
    return { ...sale, reference, refund: (await listRefunds())[0]! }
  }
  return { ...desk, look, sellAndCancel }
}

t.test(
  'the customer of a cancelled booking sees the refund that is due, and the amount that is kept',
  async (t) => {
    const { look, sellAndCancel } = await openCustomerPage(t)
    const { reference } = await sellAndCancel({ Refund: { Choice: 'terms' } })
    const text = await look(reference)
    t.match(text, 'This booking is cancelled: there are no tickets.')
    t.match(text, 'harbour pays back €45.00. This page will say when and how it was paid back.')
    t.match(text, '€45.00 of what you paid is not paid back.')
  },
)

t.test(
  'the customer sees the day and the method of a refund that was paid back, in their language',
  async (t) => {
    const { look, sellAndCancel, markDone } = await openCustomerPage(t)
    const { reference, refund } = await sellAndCancel({ Refund: { Choice: 'full' } })
    t.equal((await markDone(refund, { Method: 'transfer', Reference: 'SEPA-77' })).statusCode, 200)
    const text = await look(reference)
    t.match(text, /€90\.00 was paid back on \d+ \w+ 20\d\d|€90\.00 was paid back on \w+ \d+ \w+ 20\d\d/)
    t.match(text, '(bank transfer).')
    t.notMatch(text, /pays back|is not paid back|SEPA-77/)
    t.match(await look(reference, 'pt'), /Devolvido: 90,00.* \(.*, transferência/)
  },
)

t.test('after the mark of a refund is undone, the page says again that it will be paid back', async (t) => {
  const { look, sellAndCancel, markDone, post } = await openCustomerPage(t)
  const { reference, refund } = await sellAndCancel({ Refund: { Choice: 'full' } })
  await markDone(refund, { Method: 'transfer' })
  const undone = await post(`/refunds/${refund.RefundID}/undo`, { Reason: 'Another customer' })
  t.equal(undone.statusCode, 200, undone.body)
  const text = await look(reference)
  t.match(text, 'harbour pays back €90.00.')
  t.notMatch(text, 'was paid back on')
})

t.test('the page of a booking without a refund says that nothing is paid back', async (t) => {
  const { look, sellAndCancel } = await openCustomerPage(t)
  const { reference } = await sellAndCancel({ Refund: { Choice: 'none' } })
  const text = await look(reference)
  t.match(text, '€90.00 of what you paid is not paid back.')
  t.notMatch(text, 'pays back')
})

t.test('the page of a booking does not show refunds of other bookings in the same sale', async (t) => {
  const { look, sellAndCancel, act } = await openCustomerPage(t)
  const { references } = await sellAndCancel({ Refund: { Choice: 'full' } }, [{}, { Time: '12:00' }])
  t.match(await look(references[0]!), 'harbour pays back €90.00.')
  await act(references[1]!, 'cancel', { Override: true, Refund: { Amount: '10.00' } })
  const text = await look(references[1]!)
  t.match(text, 'harbour pays back €10.00.')
  t.match(text, '€80.00 of what you paid is not paid back.')
  t.notMatch(text, '€90.00')
})
