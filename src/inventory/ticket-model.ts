/** The pure rules that decide which tickets a booking has for the units and people that it has bought. */
import { type Bought, countUnits } from './bought.ts'
import { defaultUnitAlias } from './price-list.ts'

/** An existing ticket of a booking that changes. */
export type ExistingTicket = { number: number; unitId: number; isRedeemed: boolean; isVoid: boolean }

/**
 * The unit of a ticket, with its name and type at the time of the sale. For a product without units, both are
 * null.
 */
export type TicketUnit = { unitId: number; unitName: string | null; unitType: string | null }

/** A number of tickets of a unit. */
export type TicketCount = TicketUnit & { quantity: number }

/** A refused change: it would leave fewer tickets of a unit than have been redeemed. */
export type RedeemedShortage = { unitId: number; quantity: number; redeemed: number }

export type TicketPlan = {
  add: (TicketUnit & { number: number })[]
  void: number[]
  short: RedeemedShortage[]
}

/**
 * How many tickets of each unit a booking has: its quantity, also for a unit that takes no place. Without
 * units, it has a ticket for each person.
 */
export function countTickets({ units, participants }: Pick<Bought, 'units' | 'participants'>): TicketCount[] {
  if (!units) return [{ unitId: defaultUnitAlias, unitName: null, unitType: null, quantity: participants }]
  return countUnits(units).map(({ UnitID: unitId, Quantity: quantity }) => {
    const { name, type } = units.find(({ id }) => id === unitId)!
    return { unitId, unitName: name, unitType: type, quantity }
  })
}

/**
 * The changes that give a booking the tickets it needs. New tickets get the next numbers. If a unit has too
 * many tickets, those with the highest numbers become void, except redeemed tickets. Units with more redeemed
 * tickets than needed are in `short`.
 */
export function planTickets(wanted: readonly TicketCount[], tickets: readonly ExistingTicket[]): TicketPlan {
  const plan: TicketPlan = { add: [], void: [], short: [] }
  let last = Math.max(0, ...tickets.map(({ number }) => number))
  const valid = tickets.filter(({ isVoid }) => !isVoid)
  const gone = [...new Set(valid.map(({ unitId }) => unitId))]
    .filter((id) => wanted.every(({ unitId }) => unitId !== id))
    .map((unitId) => ({ unitId, unitName: null, unitType: null, quantity: 0 }))
  for (const { quantity, ...unit } of [...wanted, ...gone]) {
    const { unitId } = unit
    const own = valid.filter((ticket) => ticket.unitId === unitId)
    const redeemed = own.filter(({ isRedeemed }) => isRedeemed).length
    if (redeemed > quantity) plan.short.push({ unitId, quantity, redeemed })
    for (let count = own.length; count < quantity; count++) plan.add.push({ number: ++last, ...unit })
    const surplus = Math.max(0, own.length - quantity)
    const unused = own.filter(({ isRedeemed }) => !isRedeemed).map(({ number }) => number)
    plan.void.push(...unused.sort((one, other) => other - one).slice(0, surplus))
  }
  return plan
}
