/** Confirmations that share a transaction. */
import t from 'tap'
import { createConfirmations } from '../../../src/sales/reservation/confirming.ts'
import { findReserved } from '../../../src/sales/reservation/queries.ts'
import { contact, openReservations } from './fixtures.ts'

t.test('each confirmation of a batch stays in the trace of its own request', async (t) => {
  const { sql, viator, reserve } = await openReservations(t, 12)
  const reserved = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const { uuid } = await reserve()
      return (await findReserved(sql, { accountId: viator.accountId, resellerId: viator.partnerId!, uuid }))!
    }),
  )
  let batches = 0
  const observe = () => () => {
    batches++
  }
  const confirmations = createConfirmations(sql, { observe })
  const traceOf = (index: number) => `00-${String(index + 1).repeat(32)}-${'a'.repeat(16)}-01`
  const outcomes = await Promise.all(
    reserved.map((one, index) =>
      confirmations.add({
        reserved: one,
        actor: { kind: 'partner', id: viator.partnerId },
        given: { contact, resellerReference: null, notes: null },
        traceContext: traceOf(index),
        isAwaited: () => true,
      }),
    ),
  )
  t.same(outcomes, ['done', 'done', 'done', 'done'])
  t.ok(batches < reserved.length, 'some confirmations shared a transaction')
  const stored = await sql<{ bookingId: number; traceContext: string }[]>`
    select booking_id as "bookingId", trace_context as "traceContext" from events where type = 'booking.confirmed'`
  const traces = new Map(stored.map(({ bookingId, traceContext }) => [bookingId, traceContext]))
  for (const [index, { id }] of reserved.entries()) t.equal(traces.get(id), traceOf(index))
})
