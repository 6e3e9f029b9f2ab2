/** How much a process has under way: by endpoint, by account and in all. It bounds each. Pure. */
import type { DeliveryRoom, UnderWay } from './claim-queries.ts'
import type { ClaimedDelivery } from './model.ts'

const mostInAll = 1000
const mostOfAccount = 64
/** As many as one host has sockets. */
const mostOfEndpoint = 16

export function createUnderWay() {
  const byEndpoint = new Map<string, UnderWay>()
  const byAccount = new Map<number, number>()
  let inAll = 0

  function count({ accountId, endpointId: id }: ClaimedDelivery, difference: 1 | -1): void {
    const key = `${accountId} ${id}`
    const ofEndpoint = (byEndpoint.get(key)?.count ?? 0) + difference
    if (ofEndpoint === 0) byEndpoint.delete(key)
    else byEndpoint.set(key, { accountId, id, count: ofEndpoint })
    const ofAccount = (byAccount.get(accountId) ?? 0) + difference
    if (ofAccount === 0) byAccount.delete(accountId)
    else byAccount.set(accountId, ofAccount)
    inAll += difference
  }

  return {
    add: (delivery: ClaimedDelivery) => count(delivery, 1),
    remove: (delivery: ClaimedDelivery) => count(delivery, -1),
    /** For what there is room; null when there is none at all. */
    room(): Omit<DeliveryRoom, 'after'> | null {
      if (inAll >= mostInAll) return null
      const fullAccountIds = [...byAccount].flatMap(([id, used]) => (used >= mostOfAccount ? [id] : []))
      const underWay = [...byEndpoint.values()]
      return { underWay, fullAccountIds, most: mostOfEndpoint, mostOfFailing: 1 }
    },
  }
}
