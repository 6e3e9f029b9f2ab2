/** Extending reservations through OCTO, and their expiry. */
import t from 'tap'
import { sweepExpiredHolds } from '../../../src/inventory/expiry.ts'
import { openReseller } from './fixtures.ts'

const minutesLeft = ({ utcExpiresAt }: { utcExpiresAt: string | null }) =>
  Math.round((Date.parse(utcExpiresAt!) - Date.now()) / 60_000)

t.test('places are held for the requested time, up to the limit of the account', async (t) => {
  const { reserve, extend, update, sql } = await openReseller(t)
  await sql`update accounts set hold_minutes = 10, hold_limit_minutes = 45`
  t.equal(minutesLeft(await reserve()), 10)
  const booking = await reserve({ expirationMinutes: 20 })
  t.equal(minutesLeft(booking), 20)
  t.equal(minutesLeft(await reserve({ expirationMinutes: 500 })), 45)
  t.equal(minutesLeft(await extend(booking.uuid, { expirationMinutes: 31 })), 31)
  t.equal(minutesLeft(await update(booking.uuid, { expirationMinutes: 40 })), 40)
  t.equal(minutesLeft(await extend(booking.uuid, { expirationMinutes: 500 })), 45)
  t.equal(minutesLeft(await extend(booking.uuid)), 45, 'an extension never shortens the hold')
})

t.test('a reservation is EXPIRED after its time, before and after its places are freed', async (t) => {
  const { reserve, read, refused, runOut, taken, sql } = await openReseller(t)
  const { uuid } = await reserve()
  await runOut()
  const before = await read(uuid)
  t.match(before, { status: 'EXPIRED', utcExpiresAt: /Z$/, cancellable: false, cancellation: null })
  t.match(before.unitItems, [{ status: 'EXPIRED' }, { status: 'EXPIRED' }])
  await sweepExpiredHolds(sql)
  const after = await read(uuid)
  t.match(after, { status: 'EXPIRED', utcExpiresAt: /Z$/, cancellable: false, unitItems: before.unitItems })
  t.match(await taken(), { '2030-06-15 10:00': '0+0' })
  for (const [method, action, body] of [
    ['POST', '/extend', {}],
    ['POST', '/confirm', {}],
    ['PATCH', '', { notes: 'x' }],
  ] as const)
    t.match(await refused(method, `/bookings/${uuid}${action}`, body), {
      error: 'INVALID_BOOKING_UUID',
      uuid,
    })
})

t.test('every place of an expired reservation can be reserved again', async (t) => {
  const { reserve, runOut, read, places } = await openReseller(t)
  const all = Array.from({ length: 8 }, () => ({ unitId: '0' }))
  const first = await reserve({ ...places, unitItems: all })
  await runOut()
  const second = await reserve({ ...places, unitItems: all })
  t.match(second, { status: 'ON_HOLD' })
  t.match(await read(first.uuid), { status: 'EXPIRED' })
})

t.test('a confirmed or cancelled booking cannot be extended', async (t) => {
  const { reserve, confirm, cancel, refused } = await openReseller(t)
  for (const end of [confirm, cancel]) {
    const { uuid } = await reserve()
    await end(uuid)
    t.match(await refused('POST', `/bookings/${uuid}/extend`, { expirationMinutes: 30 }), {
      error: 'UNPROCESSABLE_ENTITY',
    })
  }
})
