/** The pure rules of tickets: which ones a booking has for what it has bought. */
import { type Bought, countUnits } from './bought.ts'
import { defaultUnit } from './price-list.ts'

/** A ticket of a booking, as a change of the booking finds it. */
export type StandingTicket = { number: number; unitId: number; isRedeemed: boolean; isVoid: boolean }

/** What a ticket admits, as it was sold; without a name and a type for a product without units. */
export type TicketUnit = { unitId: number; unitName: string | null; unitType: string | null }

/** So many tickets of a unit. */
export type TicketCount = TicketUnit & { quantity: number }

/** Fewer than are redeemed: what cannot be. */
export type RedeemedShortage = { unitId: number; quantity: number; redeemed: number }

export type TicketPlan = {
  add: (TicketUnit & { number: number })[]
  void: number[]
  short: RedeemedShortage[]
}

/** How many tickets of which unit: one for each unit, also for one that takes no place; else one for each person. */
export function countTickets({ units, participants }: Pick<Bought, 'units' | 'participants'>): TicketCount[] {
  if (!units) return [{ unitId: defaultUnit, unitName: null, unitType: null, quantity: participants }]
  return countUnits(units).map(({ UnitID: unitId, Quantity: quantity }) => {
    const { name, type } = units.find(({ id }) => id === unitId)!
    return { unitId, unitName: name, unitType: type, quantity }
  })
}

/**
 * What makes the tickets of a booking those that it needs: new ones behind all others, and of a unit with too many the
 * last ones void. What is redeemed is never void; where more of a unit are redeemed than it needs, it is in `short`.
 */
export function planTickets(wanted: readonly TicketCount[], tickets: readonly StandingTicket[]): TicketPlan {
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
