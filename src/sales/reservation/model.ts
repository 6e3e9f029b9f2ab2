/** Pure rules of reservations: the party that a list of units asks for, and which existing tickets it keeps. */
import type { Contact } from '../../inventory/hold-model.ts'
import { defaultUnitAlias } from '../../inventory/price-list.ts'
import type { Party } from '../booking/pricing.ts'

/** A requested unit; the default unit for a product without units. Undefined members stay as they are. */
export type RequestedItem = {
  unitId: number
  /** The reseller's uuid of the ticket; null if it has none. */
  uuid: string | null
  resellerReference?: string | null
  contact?: Contact
}

/** The party of a list of units; a number of people for a product without units. */
export function partyOf(items: readonly Pick<RequestedItem, 'unitId'>[]): Party {
  if (items.every(({ unitId }) => unitId === defaultUnitAlias))
    return { participants: items.length, units: null }
  const quantities = new Map<number, number>()
  for (const { unitId } of items) quantities.set(unitId, (quantities.get(unitId) ?? 0) + 1)
  const units = [...quantities].map(([UnitID, Quantity]) => ({ UnitID, Quantity }))
  return { participants: null, units }
}

/** A valid ticket, with the uuid that its reseller uses. */
export type KnownTicket = { number: number; unitId: number; uuid: string }

export type TicketMatch<Ticket = KnownTicket, Wanted = RequestedItem> = {
  kept: { ticket: Ticket; item: Wanted }[]
  added: Wanted[]
  /** Tickets that no item keeps. */
  dropped: Ticket[]
}

/**
 * Finds the ticket of each item: the ticket with its uuid, if that is for the same unit. Unless `matchByUuidOnly`, an item
 * without a uuid gets the first ticket of its unit that no other item has. Every other item gets a new ticket.
 */
export function matchTickets<
  Ticket extends Pick<KnownTicket, 'unitId' | 'uuid'>,
  Wanted extends Pick<RequestedItem, 'unitId' | 'uuid'>,
>(
  tickets: readonly Ticket[],
  items: readonly Wanted[],
  { matchByUuidOnly }: { matchByUuidOnly: boolean },
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
  if (!matchByUuidOnly) for (const item of items) if (item.uuid === null) take(item, () => true)
  return {
    kept: [...found].map(([item, ticket]) => ({ ticket, item })),
    added: items.filter((item) => !found.has(item)),
    dropped: [...free],
  }
}
