/**
 * Pure rules of reservations: the party that a list of units asks for, which existing tickets it keeps, and
 * which data of a reseller a change affects.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Contact, ContactMore } from '../../inventory/hold-model.ts'
import { defaultUnitAlias } from '../../inventory/price-list.ts'
import type { Customer } from '../../inventory/service.ts'
import type { Answers } from '../booking/answers.ts'
import type { Party } from '../booking/pricing.ts'

/**
 * A requested unit; the default unit for a product without units. A field that is undefined changes nothing.
 */
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

/** Whether two lists have the same number of each unit. */
export function haveSameUnits(
  some: readonly Pick<RequestedItem, 'unitId'>[],
  others: readonly Pick<RequestedItem, 'unitId'>[],
): boolean {
  const idsOf = (list: typeof some) => list.map(({ unitId }) => unitId).sort((one, other) => one - other)
  return isDeepStrictEqual(idsOf(some), idsOf(others))
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
 * Finds the ticket of each item: the ticket with its uuid, if that is for the same unit. Unless `matchByUuidOnly`,
 * an item without a uuid gets the first ticket of its unit that no other item has. Every other item gets a new
 * ticket.
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

/** The data about a booking that its reseller can change, apart from its places. */
export type ResellerData = Customer & {
  resellerReference: string | null
  notes: string | null
  emailReceipt: boolean
  /** The contact data that has no column of its own. */
  more: ContactMore | null
  answers: Answers
  /** The valid tickets: the number of each, and its reference and contact. */
  tickets: { number: number; data: unknown[] }[]
}

const fieldNames = {
  firstName: 'Customer.FirstName',
  lastName: 'Customer.LastName',
  email: 'Customer.Email',
  phone: 'Customer.Phone',
  more: 'Contact',
  answers: 'Answers',
  resellerReference: 'PaymentReference',
  notes: 'Notes',
  emailReceipt: 'EmailReceipt',
} as const

/**
 * The names of the fields that differ. The history stores these names, and not the values, which may be
 * personal data.
 * @param options `onlyKept`: compares only the tickets that exist before and after the change.
 */
export function changedData(
  from: ResellerData,
  to: ResellerData,
  { onlyKept }: { onlyKept: boolean },
): string[] {
  const keys = Object.keys(fieldNames) as (keyof typeof fieldNames)[]
  const fields: string[] = keys
    .filter((key) => !isDeepStrictEqual(from[key], to[key]))
    .map((key) => fieldNames[key])
  const numbers = (tickets: ResellerData['tickets']) => new Set(tickets.map(({ number }) => number))
  const [before, after] = [numbers(from.tickets), numbers(to.tickets)]
  const compared = (tickets: ResellerData['tickets']) =>
    onlyKept ? tickets.filter(({ number }) => before.has(number) && after.has(number)) : tickets
  return isDeepStrictEqual(compared(from.tickets), compared(to.tickets)) ? fields : [...fields, 'Tickets']
}
