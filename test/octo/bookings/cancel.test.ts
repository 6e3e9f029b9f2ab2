/** Cancelling reservations and bookings through OCTO, and which of them cannot be cancelled. */
import t from 'tap'
import { clockAt } from '../../clock.ts'
import { openReseller } from './fixtures.ts'

t.test('cancelling a reservation frees its places at once', async (t) => {
  const { reserve, cancel, taken } = await openReseller(t)
  const held = await reserve()
  const booking = await cancel(held.uuid, { reason: 'The customer is ill.' })
  t.match(booking, {
    status: 'CANCELLED',
    utcExpiresAt: null,
    utcConfirmedAt: null,
    cancellable: false,
    cancellation: { refund: 'FULL', reason: 'The customer is ill.', utcCancelledAt: /Z$/ },
    voucher: { deliveryOptions: [] },
  })
  t.match(
    booking.unitItems,
    held.unitItems.map(({ uuid }) => ({ uuid, status: 'CANCELLED' })),
  )
  t.match(await taken(), { '2030-06-15 10:00': '0+0' })
})

t.test('a cancelled booking keeps its time of confirmation, and has no tickets', async (t) => {
  const { reserve, confirm, cancel, taken } = await openReseller(t)
  const { uuid } = await reserve()
  await confirm(uuid)
  const booking = await cancel(uuid)
  t.match(booking, { status: 'CANCELLED', utcConfirmedAt: /Z$/, cancellation: { reason: null } })
  t.match(booking.unitItems, [{ ticket: { deliveryOptions: [] } }, { ticket: { deliveryOptions: [] } }])
  t.equal(booking.unitItems.length, 2)
  t.match(await taken(), { '2030-06-15 10:00': '0+0' })
})

t.test('a repeated cancellation gets the first response again, and DELETE cancels too', async (t) => {
  const { reserve, confirm, cancel, get, refused } = await openReseller(t)
  const { uuid } = await reserve()
  await confirm(uuid)
  const first = await get('DELETE', `/bookings/${uuid}`, { reason: 'ill', force: true })
  t.match(first, { status: 'CANCELLED', cancellation: { reason: 'ill' } })
  t.same(await cancel(uuid, { reason: 'another' }), first)
  t.same(await get('DELETE', `/bookings/${uuid}`), first)
  t.match(await refused('DELETE', `/bookings/${uuid}`, { reason: 7 }), {
    error: 'BAD_REQUEST',
    errorMessage: /reason/,
  })
})

t.test('cancelling an expired reservation returns it as EXPIRED', async (t) => {
  const { reserve, cancel, runOut } = await openReseller(t)
  const { uuid } = await reserve()
  await runOut()
  t.match(await cancel(uuid), { status: 'EXPIRED' })
})

t.test(
  'after the cut-off, cancelling a booking is refused, but a reservation can still be cancelled',
  async (t) => {
    const { reserve, confirm, refused, cancel, taken, sql } = await openReseller(
      t,
      clockAt('2030-06-15T07:00:00Z'),
    )
    const { uuid } = await reserve()
    t.match(await confirm(uuid), { cancellable: true })
    await sql`update products set cancel_cutoff_minutes = 180`
    const held = await reserve()
    t.match(await refused('POST', `/bookings/${uuid}/cancel`, { force: true }), {
      error: 'UNPROCESSABLE_ENTITY',
    })
    t.match(await confirm(uuid), { cancellable: false, status: 'CONFIRMED' })
    t.match(await cancel(held.uuid), { status: 'CANCELLED' })
    t.match(await taken(), { '2030-06-15 10:00': '2+0' })
  },
)

t.test('the refund follows the refund terms of the product', async (t) => {
  const { reserve, confirm, cancel, sql, accountId, id } = await openReseller(
    t,
    clockAt('2030-06-14T20:00:00Z'),
  )
  const cases: [object[], string][] = [
    [[{ basisPoints: 10_000, hoursBefore: 1 }], 'FULL'],
    [[{ basisPoints: 5000, hoursBefore: 1 }], 'PARTIAL'],
    [[{ basisPoints: 10_000, hoursBefore: 100 }], 'NONE'],
  ]
  for (const [steps, refund] of cases) {
    await sql`
      insert into refund_terms (account_id, product_id, since, steps)
      values (${accountId}, ${id}, app_now(), ${JSON.stringify(steps)}::text::jsonb)`
    const { uuid } = await reserve()
    await confirm(uuid)
    t.match(await cancel(uuid), { cancellation: { refund } })
  }
})

t.test('the operator’s note about a cancellation is not shown to resellers', async (t) => {
  const { reserve, confirm, read, operate } = await openReseller(t)
  const { uuid, supplierReference } = await reserve()
  await confirm(uuid)
  await operate(`/bookings/${supplierReference}/cancel`, { Reason: 'This reseller never pays.' })
  t.match(await read(uuid), { status: 'CANCELLED', cancellation: { reason: null } })
})

t.test('a redeemed booking cannot be cancelled', async (t) => {
  const { reserve, confirm, refused, operate, read } = await openReseller(t)
  const { uuid } = await reserve()
  const { unitItems } = await confirm(uuid)
  await operate(`/tickets/${unitItems[0]!.ticket.deliveryOptions[0]!.deliveryValue}/redeem`)
  t.match(await refused('POST', `/bookings/${uuid}/cancel`), { error: 'UNPROCESSABLE_ENTITY' })
  t.match(await read(uuid), { status: 'REDEEMED', cancellable: false })
})
