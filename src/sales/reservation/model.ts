/** Pure rules of reservations: what a reseller's list of units asks for, and what it makes of the tickets there are. */
import type { Contact } from '../../inventory/hold-model.ts'
import { defaultUnit } from '../../inventory/price-list.ts'
import type { Party } from '../booking/pricing.ts'

/** One unit that is asked for: the default unit where the product has none. What is undefined stays as it is. */
export type Item = {
  unitId: number
  /** By which the reseller knows its ticket; null where it has no name for it. */
  uuid: string | null
  resellerReference?: string | null
  contact?: Contact
}

/** What units come to: people, where the product has no units. */
export function partyOf(items: readonly Pick<Item, 'unitId'>[]): Party {
  if (items.every(({ unitId }) => unitId === defaultUnit)) return { participants: items.length, units: null }
  const quantities = new Map<number, number>()
  for (const { unitId } of items) quantities.set(unitId, (quantities.get(unitId) ?? 0) + 1)
  const units = [...quantities].map(([UnitID, Quantity]) => ({ UnitID, Quantity }))
  return { participants: null, units }
}

/** A valid ticket, by the uuid that its reseller knows. */
export type KnownTicket = { number: number; unitId: number; uuid: string }

export type TicketMatch<Ticket = KnownTicket, Wanted = Item> = {
  kept: { ticket: Ticket; item: Wanted }[]
  added: Wanted[]
  /** Tickets that no item asks for any more. */
  dropped: Ticket[]
}

/**
 * Which ticket each item is about: that of its uuid, if it is of the same unit. Where the tickets are not used yet, an item
 * without a uuid is about the first of its unit that no other item is about. Each other item is a new ticket, for somebody else.
 */
export function matchTickets<
  Ticket extends Pick<KnownTicket, 'unitId' | 'uuid'>,
  Wanted extends Pick<Item, 'unitId' | 'uuid'>,
>(
  tickets: readonly Ticket[],
  items: readonly Wanted[],
  { areUsed }: { areUsed: boolean },
): TicketMatch<Ticket, Wanted> {
  const free = new Set(tickets)
  const found = new Map<Wanted, Ticket>()
  const take = (item: Wanted, isIt: (ticket: Ticket) => boolean) => {
    const ticket = [...free].find((ticket) => ticket.unitId === item.unitId && isIt(ticket))
    if (!ticket) return
    free.delete(ticket)
    found.set(item, ticket)
  }
  for (const item of items) if (item.uuid !== null) take(item, ({ uuid }) => uuid === item.uuid)
  if (!areUsed) for (const item of items) if (item.uuid === null) take(item, () => true)
  return {
    kept: [...found].map(([item, ticket]) => ({ ticket, item })),
    added: items.filter((item) => !found.has(item)),
    dropped: [...free],
  }
}
