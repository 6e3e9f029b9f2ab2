/**
 * Fixtures for offers of the waitlist: the only booking of a timeslot is cancelled, so that the waiting customer gets
 * an offer.
 */
import type { Test } from 'tap'
import { takeEvent } from '../../../src/sales/payment/service.ts'
import { offerUrl } from '../../../src/sales/waitlist/model.ts'
import { makeDashboard, textOf } from '../../dashboard/fixtures.ts'
import { makeProduct } from '../../helper.ts'

const secret = 'a secret that is long enough for a test'
export const paymentPage =
  'https://pay.example/quay?order={BasketID}&amount={Amount}&currency={Currency}&back={ReturnURL}'

/** A timeslot of 2 places, which Ada has booked, and Grace on its waitlist. `offer` cancels Ada's booking. */
export async function makeOffered(t: Test, { priceMinor = 4500 } = {}) {
  const dashboard = await makeDashboard(t, { environment: { SECRET_KEY: secret } })
  const { app, sql, accountId, call, book } = dashboard
  const { activityId, id: productId } = await makeProduct(sql, accountId, {
    slots: { '2030-06-15 10:00': 2 },
  })
  await sql`update products set price_minor = ${priceMinor}`
  const first = await book(activityId)
  const party = { ActivityID: activityId, Date: '2030-06-15', Time: '10:00', Participants: 2 }
  const wait = async (FirstName: string) =>
    (
      await call('POST', '/waitlist', {
        ...party,
        Customer: { FirstName, LastName: 'Hopper', Email: `${FirstName}@example.com` },
      })
    ).data as { WaitlistID: number; BasketID: number; BookingReference: string }
  const entry = await wait('Grace')
  const link = new URL(offerUrl('http://booking.test', secret, { accountId, entryId: entry.WaitlistID }))
    .pathname
  const offer = () => call('POST', `/bookings/${first.reference}/cancel`, { By: 'operator' })
  const look = async () => textOf((await app.inject(link)).body)
  const press = (action: 'take' | 'leave') => app.inject({ method: 'POST', url: `${link}/${action}` })
  /** Takes a provider’s event of a payment that succeeded; returns its outcome. */
  const pay = (ID: string, Amount = '90.00') =>
    takeEvent(sql, accountId, {
      ...{ ID, Account: 'quay', Type: 'succeeded', BasketID: entry.BasketID, Amount, Currency: 'EUR' },
    })
  /** Makes the offer, or the time to pay, expire. */
  const runOut = () =>
    sql`update baskets set expires_at = now() - interval '1 second' where id = ${entry.BasketID}`
  const statusOf = async () => (await call('GET', `/waitlist/${entry.WaitlistID}`)).data
  return {
    ...dashboard,
    activityId,
    productId,
    party,
    wait,
    entry,
    link,
    offer,
    look,
    press,
    pay,
    runOut,
    statusOf,
  }
}
