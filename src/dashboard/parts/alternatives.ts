/**
 * The alternative timeslots that a problem lists if the requested timeslot has too few free places or is not
 * on sale.
 */
import { openingView } from '../../catalogue/opening-hours.ts'
import { findTimeslotAt } from '../../catalogue/timeslots/editing/service.ts'
import { type Alternative, Problem } from '../../http/problems.ts'
import type { Queryable } from '../../platform/postgres/database.ts'

export type ShownAlternative = Alternative & Partial<ReturnType<typeof openingView>>

export function alternativesOf(error: unknown): Alternative[] {
  const { Alternatives = [] } = error instanceof Problem ? error.extensions : {}
  return Alternatives as Alternative[]
}

/** The number of free places that a problem names if they are too few; null for every other error. */
export function availableOf(error: unknown): number | null {
  const { Available } = error instanceof Problem ? error.extensions : {}
  return typeof Available === 'number' ? Available : null
}

/** Adds `AllDay` and `OpeningHours` to each alternative. `OpeningHours` is empty unless the timeslot is all-day. */
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
