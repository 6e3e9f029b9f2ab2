/** The alternative timeslots in a refusal: the timeslot has too few places, or is not on sale. */
import { openingView } from '../../catalogue/opening-hours.ts'
import { findTimeslotAt } from '../../catalogue/timeslots/editing/service.ts'
import { type Alternative, Problem } from '../../http/problems.ts'
import type { Queryable } from '../../platform/postgres/database.ts'

export type ShownAlternative = Alternative & Partial<ReturnType<typeof openingView>>

export function alternativesOf(error: unknown): Alternative[] {
  const { Alternatives = [] } = error instanceof Problem ? error.extensions : {}
  return Alternatives as Alternative[]
}

/** The number of free places in a refusal for lack of places; null for every other error. */
export function availableOf(error: unknown): number | null {
  const { Available } = error instanceof Problem ? error.extensions : {}
  return typeof Available === 'number' ? Available : null
}

/** Alternatives of a product, with opening hours for all-day timeslots. */
export function withHours(
  sql: Queryable,
  accountId: number,
  productId: number,
  alternatives: readonly Alternative[],
): Promise<ShownAlternative[]> {
  return Promise.all(
    alternatives.map(async (one) => {
      const slot = await findTimeslotAt(sql, accountId, { productId, date: one.Date, time: one.Time })
      return { ...one, ...openingView(slot?.openingHours ?? null) }
    }),
  )
}
