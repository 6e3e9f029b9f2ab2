/** Fixtures for tests of OCTO notifications: a reseller that can make subscriptions, and the work of a worker. */
import type { Test } from 'tap'
import { webhookEnvironment } from '../../messaging/webhooks/fixtures.ts'
import { pumpEvents } from '../../pump.ts'
import { until } from '../../until.ts'
import { openReseller } from '../bookings/fixtures.ts'

export const subscriptions = '/notifications/subscriptions'
export const everyType = ['PRODUCT_UPDATE', 'AVAILABILITY_UPDATE', 'BOOKING_UPDATE']

export async function openSubscriber(t: Test) {
  const reseller = await openReseller(t, { environment: webhookEnvironment, isOwn: true })
  const { sql, services, ask } = reseller
  return {
    ...reseller,
    async subscribe(url: string, changes: object = {}): Promise<string> {
      const { status, body } = await ask('POST', subscriptions, {
        body: { url, notificationTypes: everyType, ...changes },
      })
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body.id
    },
    /** Numbers all events and sends all notifications, including the delayed ones about availability. */
    async deliver() {
      await pumpEvents(sql)
      await services.webhooks.run()
      await sql`update webhook_deliveries set next_try_at = app_now() where status = 'pending' and lease is null`
      await services.webhooks.run()
      await until(async () => {
        const rows = await sql`select from webhook_deliveries where status = 'pending' limit 1`
        return rows.length === 0
      })
    },
  }
}
