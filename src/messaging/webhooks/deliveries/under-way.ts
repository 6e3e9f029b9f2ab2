/**
 * Counts the deliveries that a process has under way, and limits them for each endpoint, for each account and
 * in total.
 */
import type { DeliveryRoom, UnderWay } from './claim-queries.ts'
import type { ClaimedDelivery } from './model.ts'

const maxInAll = 1000
const maxOfAccount = 64
/** The same as the sender's limit of sockets for an origin (socketsPerOrigin in sender.ts). */
const maxOfEndpoint = 16

export function createUnderWay() {
  const byEndpoint = new Map<string, UnderWay>()
  let inAll = 0

  function count({ accountId, endpointId: id }: ClaimedDelivery, difference: 1 | -1): void {
    const key = `${accountId} ${id}`
    const ofEndpoint = (byEndpoint.get(key)?.count ?? 0) + difference
    if (ofEndpoint === 0) byEndpoint.delete(key)
    else byEndpoint.set(key, { accountId, id, count: ofEndpoint })
    inAll += difference
  }

  return {
    add: (delivery: ClaimedDelivery) => count(delivery, 1),
    remove: (delivery: ClaimedDelivery) => count(delivery, -1),
    /** The room for more deliveries; null when there is none. */
    room(): Omit<DeliveryRoom, 'after'> | null {
      if (inAll >= maxInAll) return null
      return { underWay: [...byEndpoint.values()], maxOfAccount, most: maxOfEndpoint, maxOfFailing: 1 }
    },
  }
}
