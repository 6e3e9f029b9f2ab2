/**
 * Composes OCTO's notifications. A notification has the type and time of a change, and the ids and dates with
 * which the subscriber can read the changed booking, product or availability.
 */
import { toActivityId } from '../../catalogue/model.ts'
import type { ClaimedDelivery } from '../../messaging/webhooks/deliveries/model.ts'
import type { Composer } from '../../messaging/webhooks/deliveries/trying.ts'
import { defaultOption } from '../model.ts'
import { nameOf } from './model.ts'
import { listNotified, type NotifiedRow } from './queries.ts'

/** Composes webhook bodies of the kind `octo`. */
export const composeNotifications: Composer = async (sql, deliveries) => {
  const rows = await listNotified(sql, deliveries)
  return deliveries.map((delivery, place) => {
    const row = rows[place]!
    if (row.isExpired) return null
    const type = nameOf(delivery.type)
    const timestamp = delivery.occurredAt.toISOString()
    return JSON.stringify({ type, timestamp, data: dataOf(delivery, row) })
  })
}

/** The ids and dates that a subscriber needs to read the changed booking, product or availability. */
function dataOf({ productId }: ClaimedDelivery, { uuid, activity, from, to }: NotifiedRow): object {
  if (uuid !== null) return { uuid }
  if (activity === null) return {}
  const product = { productId: toActivityId(activity) }
  if (productId === null) return product
  return { ...product, optionId: defaultOption, localDateStart: from, localDateEnd: to }
}
