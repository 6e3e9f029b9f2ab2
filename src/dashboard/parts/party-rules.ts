/** Checks the party of a form that has other errors, so that one response names all errors. */
import { listPriceLists } from '../../inventory/price-list-queries.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { type PartyRequest, priceParty, toParty } from '../../sales/booking/pricing.ts'

type PartyToCheck = {
  party: PartyRequest
  /** The errors of the form’s schema, which may include the fields of the party. */
  failing: readonly FieldError[]
  /** The timeslot whose rules apply; null if none is known. */
  findTimeslot: () => Promise<{ id: number; capacity: number } | null>
}

/**
 * The rules of a timeslot that the party of the form breaks. Empty if the form has no other errors, because
 * the sale or the waitlist then checks the party under its locks. Also empty if the fields of the party are
 * invalid, or if no timeslot is known.
 */
export async function findBrokenRules(
  sql: Queryable,
  accountId: number,
  { party, failing, findTimeslot }: PartyToCheck,
): Promise<FieldError[]> {
  if (failing.length === 0 || failing.some(({ field }) => /^(Units|Participants)/.test(field))) return []
  const slot = await findTimeslot()
  const list = slot && (await listPriceLists(sql, accountId, [slot.id])).get(slot.id)
  return (list && priceParty(toParty(party), list, slot.capacity).errors) ?? []
}
