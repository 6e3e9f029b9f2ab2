/** The rules that a party breaks, of a form of which something else is wrong, too: one answer names it all. */
import { listPriceLists } from '../../inventory/price-list-queries.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { type PartyRequest, priceParty, toParty } from '../../sales/booking/pricing.ts'

type RefusedParty = {
  party: PartyRequest
  /** What is wrong with the form so far. */
  failing: readonly FieldError[]
  /** Null where there is none to hold the party against. */
  findTimeslot: () => Promise<{ id: number; capacity: number } | null>
}

/**
 * What the party of a form breaks on a timeslot. Nothing where the form is right otherwise, since the sale says it under its
 * locks; nor where its fields say no party.
 */
export async function findBrokenRules(
  sql: Queryable,
  accountId: number,
  { party, failing, findTimeslot }: RefusedParty,
): Promise<FieldError[]> {
  if (failing.length === 0 || failing.some(({ field }) => /^(Units|Participants)/.test(field))) return []
  const slot = await findTimeslot()
  const list = slot && (await listPriceLists(sql, accountId, [slot.id])).get(slot.id)
  return (list && priceParty(toParty(party), list, slot.capacity).errors) ?? []
}
