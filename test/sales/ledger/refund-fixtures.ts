/** Fixtures for tests of refunds: sales of the `harbour` fixture, their refunds, and requests about them. */
import type { Test } from 'tap'
import type { BasketView } from '../../../src/sales/basket/schemas.ts'
import type { RefundView } from '../../../src/sales/ledger/refund-schemas.ts'
import { harbour } from '../basket/fixtures.ts'

export const euros = (Amount: string) => ({ Amount, Currency: 'EUR' })

/**
 * The `harbour` fixture with functions for refunds. By default, its product refunds half of the price until the start,
 * and `sell()` sells a booking of 2 people for 90.00, paid by card.
 */
export async function refundDesk(t: Test, { terms = [{ Percent: '50', HoursBefore: 0 }] as object[] } = {}) {
  const desk = await harbour(t)
  const { app, headers, id, call, post, hold, sendPaymentEvent, accountId, sql } = desk
  if (terms.length > 0) {
    const url = `/api/v2/operator/products/${id}/refund-terms`
    const answer = await app.inject({ method: 'PUT', url, headers, payload: { RefundTerms: terms } })
    t.equal(answer.statusCode, 200, answer.body)
  }
  /** Sells the lines; returns the basket and the references of its lines. */
  const sell = async (lines: object[] = [{}], payment: object = { Method: 'card' }) => {
    const { BasketID } = await hold(lines.map((line) => ({ ...line })))
    const answer = await post(`/baskets/${BasketID}/pay`, { ...payment })
    t.equal(answer.statusCode, 200, answer.body)
    const basket: BasketView = answer.json().data
    return { basket, references: basket.Lines.map(({ BookingReference }) => BookingReference) }
  }
  const act = (reference: string, action: string, payload: object = {}, more: object = {}) =>
    post(`/bookings/${reference}/${action}`, { ...payload }, { ...more })
  const listRefunds = async (query = ''): Promise<RefundView[]> =>
    (await call('GET', `/refunds${query}`)).json().data
  /** Marks a refund, or a `Part` of it, as paid back. With a part, the request also names the amount of the refund. */
  const markDone = (refund: RefundView, payload: object = { Method: 'cash' }, more: object = {}) =>
    'Part' in payload
      ? post(`/refunds/${refund.RefundID}/parts`, { Amount: refund.Refund.Amount, ...payload }, { ...more })
      : post(`/refunds/${refund.RefundID}/done`, { ...payload }, { ...more })
  /** Sends a refund event of the provider; returns its outcome. */
  const sendRefund = async (basket: BasketView, ID: string, Amount = '45.00', more: object = {}) => {
    const answer = await sendPaymentEvent(basket, { ID, Type: 'refunded', Amount, ...more })
    t.equal(answer.statusCode, 200, answer.body)
    return answer.json().data.Outcome as string
  }
  const rows = () => sql`
    select cause, by_terms_minor, amount_minor, kept_minor, status from refunds where account_id = ${accountId} order by id`
  return { ...desk, sell, act, listRefunds, markDone, sendRefund, rows }
}
