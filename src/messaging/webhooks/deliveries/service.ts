/** Use cases of deliveries: listing them, sending events again, and sending a test. */
import { readPage, readPosition } from '../../../http/paging.ts'
import { problems } from '../../../http/problems.ts'
import type { Sql, Transaction } from '../../../platform/postgres/database.ts'
import type { EndpointOwner } from '../endpoints/model.ts'
import { getEndpoint, lockEndpoint } from '../endpoints/service.ts'
import { noteDeliveries } from '../wake-up.ts'
import { maxUnfinishedInAll } from './model.ts'
import * as queries from './queries.ts'

export {
  type DeliveryRow,
  type DeliveryStatus,
  deleteOldDeliveries,
  deliveryStatuses,
  listNeeded,
} from './queries.ts'

export type DeliveriesQuery = {
  Status?: queries.DeliveryStatus
  Limit?: number
  Cursor?: string
}

/**
 * Deliveries of an endpoint, newest first: those that are unfinished, and those that finished in the last 30
 * days. `next` is the cursor of the next page; null if there is none.
 * @throws Problem not-found for the endpoint; validation for an invalid cursor.
 */
export async function browseDeliveries(
  sql: Sql,
  owner: EndpointOwner,
  endpointId: number,
  { Status, Limit, Cursor }: DeliveriesQuery,
): Promise<{ deliveries: queries.DeliveryRow[]; next: string | null }> {
  await getEndpoint(sql, owner, endpointId)
  const [before] = readPosition(Cursor, ['number']) ?? [null]
  const { rows, next } = await readPage(
    Limit,
    (limit) => queries.listDeliveries(sql, owner.accountId, endpointId, { status: Status, before, limit }),
    ({ id }) => [id],
  )
  return { deliveries: rows, next }
}

/** The ids of the given deliveries that cannot be sent again, because their events have expired. */
export async function findExpired(
  sql: Sql,
  { accountId }: EndpointOwner,
  deliveries: readonly queries.DeliveryRow[],
): Promise<Set<number>> {
  const numbers = deliveries.flatMap(({ eventNumber }) => eventNumber ?? [])
  const expired = new Set<number | null>(await queries.listExpired(sql, accountId, numbers))
  return new Set(deliveries.filter(({ eventNumber }) => expired.has(eventNumber)).map(({ id }) => id))
}

/** Where a replay begins: at the number of an event, or at an instant. */
export type ReplayFrom = { number: number } | { since: Date }

const firstInstant = Date.parse('0001-01-01T00:00:00Z')
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Sets the position of an endpoint back, so that it gets the events of its types again, with the same ids. Changes of
 * availability get new ids. Expired events are left out.
 * @returns the number of events between the new and the old position, of all types, and the new position.
 * @throws Problem not-found; validation for an instant that does not exist, or that the database cannot
 * store.
 */
export async function replay(
  tx: Transaction,
  owner: EndpointOwner,
  endpointId: number,
  from: ReplayFrom,
): Promise<{ events: number; position: number }> {
  const { accountId } = owner
  if ('since' in from && !(from.since.getTime() >= firstInstant && from.since.getTime() <= lastInstant))
    throw problems.validation([
      { field: 'FromTime', message: 'must be a valid instant in the years 1 to 9999' },
    ])
  await lockEndpoint(tx, owner, endpointId)
  const first = 'number' in from ? from.number : await queries.findFirstNumberSince(tx, accountId, from.since)
  if (first !== null) noteDeliveries(tx, [accountId])
  return queries.setBack(tx, accountId, endpointId, Math.max(0, (first ?? Number.MAX_SAFE_INTEGER) - 1))
}

/**
 * Sends a finished delivery once more, as a new delivery with the same id.
 * @throws Problem not-found for the endpoint, if it has no finished delivery with this id, or if the event of
 * the delivery has expired; webhook-paused; rate-limited while the endpoint has too many unfinished deliveries.
 */
export async function redeliver(
  tx: Transaction,
  owner: EndpointOwner,
  { endpointId, deliveryId }: { endpointId: number; deliveryId: number },
): Promise<queries.DeliveryRow> {
  await lockActive(tx, owner, endpointId)
  const delivery = await queries.repeatDelivery(tx, owner.accountId, endpointId, deliveryId)
  if (!delivery) throw problems.webhookDeliveryNotFound()
  if (delivery.isExpired) throw problems.webhookEventExpired()
  noteDeliveries(tx, [owner.accountId])
  return delivery
}

/** Sends an endpoint a test. @throws Problem not-found; webhook-paused; rate-limited as redeliver(). */
export async function sendTest(
  tx: Transaction,
  owner: EndpointOwner,
  endpointId: number,
): Promise<queries.DeliveryRow> {
  await lockActive(tx, owner, endpointId)
  noteDeliveries(tx, [owner.accountId])
  return queries.insertTest(tx, owner.accountId, endpointId)
}

async function lockActive(tx: Transaction, owner: EndpointOwner, id: number): Promise<void> {
  const { status, unfinished } = await lockEndpoint(tx, owner, id)
  if (status === 'paused') throw problems.webhookPaused()
  if (unfinished >= maxUnfinishedInAll) throw problems.webhookBacklog(unfinished)
}
