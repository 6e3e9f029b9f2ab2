/**
 * Composes the bodies of webhooks: the event, the ids of its subject, and in full bodies also the current data of
 * the subject. A body is composed for each try, so it has no data of a customer who was erased after the event.
 */
import { testModeView } from '../../../accounts/test-mode-view.ts'
import { listTimeslotEntries } from '../../../catalogue/availability/service.ts'
import { toActivityId } from '../../../catalogue/model.ts'
import { changedProductView, ownProductView } from '../../../catalogue/products/views.ts'
import { listProducts } from '../../../catalogue/queries.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { listRecords } from '../../../sales/booking/desk/service.ts'
import { listOwnViews } from '../../../sales/booking/partner/service.ts'
import type { ClaimedDelivery } from '../deliveries/model.ts'
import type { Composer } from '../deliveries/trying.ts'
import { availabilityChanged } from '../endpoints/model.ts'
import { type DeliveredEvent, listDeliveredEvents } from './queries.ts'

/** Bodies of the kinds `thin` and `full`. */
export const composeBodies: Composer = async (sql, deliveries) => {
  const rows = await listDeliveredEvents(sql, deliveries)
  const about = deliveries.map((delivery, place) => ({ delivery, row: rows[place]! }))
  const subjects = await readSubjects(
    sql,
    about.filter(({ delivery }) => delivery.body === 'full'),
  )
  return about.map(({ delivery, row }) => {
    if (row.isExpired) return null
    const data = { ...eventView(delivery, row), ...subjects.get(delivery), ...testModeView(delivery) }
    return JSON.stringify({ type: delivery.type, timestamp: delivery.occurredAt.toISOString(), data })
  })
}

/**
 * The event and the ids of its subject. Only endpoints of the account get the actor, and the ids that partners do not
 * know.
 */
function eventView({ eventNumber, partnerId, type }: ClaimedDelivery, row: DeliveredEvent) {
  const ids = {
    Number: eventNumber,
    BookingReference: row.bookingReference,
    ProductID: row.productId,
    ActivityID: row.activity && toActivityId(row.activity),
    TimeslotID: row.timeslotId,
    Date: row.date,
    Time: row.time,
    BasketID: partnerId === null ? row.basketId : null,
    WaitlistID: partnerId === null ? row.waitlistEntryId : null,
    EmailID: partnerId === null ? row.emailId : null,
  }
  const known = Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null))
  // A null date means all days of the product.
  if (type === availabilityChanged) known.Date = row.date
  const actor = partnerId === null && row.actor !== null && { Actor: { Kind: row.actor, ID: row.actorId } }
  return { ...known, ...(row.details && { Details: row.details }), ...actor }
}

type About = { delivery: ClaimedDelivery; row: DeliveredEvent }

/**
 * The current data of the subjects of deliveries, in the form in which the API shows them to the owner of the
 * endpoint.
 */
async function readSubjects(sql: Sql, about: readonly About[]): Promise<Map<ClaimedDelivery, object>> {
  const subjects = new Map<ClaimedDelivery, object>()
  await Promise.all([
    readBookings(sql, about, subjects),
    readProducts(sql, about, subjects),
    readTimeslots(sql, about, subjects),
  ])
  return subjects
}

async function readBookings(sql: Sql, about: readonly About[], subjects: Map<ClaimedDelivery, object>) {
  const ofBookings = about.filter(({ row }) => row.bookingId !== null)
  for (const isPartner of [false, true]) {
    const some = ofBookings.filter(({ delivery }) => (delivery.partnerId !== null) === isPartner)
    if (some.length === 0) continue
    const keys = some.map(({ delivery, row }) => ({ accountId: delivery.accountId, id: row.bookingId! }))
    const views: Map<string, object> = await (isPartner ? listOwnViews : listRecords)(sql, keys)
    for (const { delivery, row } of some) {
      const Booking = views.get(`${delivery.accountId} ${row.bookingId}`)
      if (Booking) subjects.set(delivery, { Booking })
    }
  }
}

async function readProducts(sql: Sql, about: readonly About[], subjects: Map<ClaimedDelivery, object>) {
  const ofProducts = about.filter(({ delivery }) => delivery.type.startsWith('product.'))
  for (const accountId of new Set(ofProducts.map(({ delivery }) => delivery.accountId))) {
    const some = ofProducts.filter(({ delivery }) => delivery.accountId === accountId)
    const ids = [...new Set(some.flatMap(({ row }) => row.productId ?? []))]
    const products = new Map((await listProducts(sql, accountId, { ids })).map((one) => [one.id, one]))
    for (const { delivery, row } of some) {
      const product = products.get(row.productId!)
      const view = delivery.partnerId === null ? ownProductView : changedProductView
      if (product) subjects.set(delivery, { Product: view(product) })
    }
  }
}

/**
 * Reads the timeslots of the day of each change of availability. If all days of a product changed, the body
 * has no timeslots, and the receiver reads the days that it needs.
 */
async function readTimeslots(sql: Sql, about: readonly About[], subjects: Map<ClaimedDelivery, object>) {
  const ofDays = about.filter(
    ({ delivery, row }) => delivery.type === availabilityChanged && delivery.date !== null && row.activity,
  )
  if (ofDays.length === 0) return
  const asked = ofDays.map(({ delivery, row }) => {
    return { accountId: delivery.accountId, activity: row.activity!, date: delivery.date! }
  })
  const days = await listTimeslotEntries(sql, asked)
  for (const [place, { delivery }] of ofDays.entries())
    subjects.set(delivery, { Timeslots: days[place] ?? [] })
}
