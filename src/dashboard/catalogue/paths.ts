/**
 * The common options of the catalogue's pages, and the paths of these pages. In a path, `new` takes the place
 * of the id of a question, unit or schedule that does not exist yet.
 */

import { idInPathSchema } from '../../catalogue/schemas.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { Type } from '../../platform/schema/typebox.ts'

export type CataloguePageOptions = { sql: Sql; horizonDays: number }

const idOrNew = Type.String({ pattern: '^(new|[1-9]\\d{0,15})$', errorMessage: 'must be a positive integer' })

export const questionPathSchema = Type.Object({ ProductID: idInPathSchema, QuestionID: idOrNew })
export const unitPathSchema = Type.Object({ ProductID: idInPathSchema, UnitID: idOrNew })
/** A path without `new`, for actions on a question or unit that already exists. */
export const existingQuestionPathSchema = Type.Object({
  ProductID: idInPathSchema,
  QuestionID: idInPathSchema,
})
export const existingUnitPathSchema = Type.Object({ ProductID: idInPathSchema, UnitID: idInPathSchema })
export const schedulePathSchema = Type.Object({ ProductID: idInPathSchema, ScheduleID: idOrNew })

/** The id in a path; null for `new`. */
export function idOrNull(text: string): number | null {
  return text === 'new' ? null : Number(text)
}

export function productPath(productId: number): string {
  return `/dashboard/catalogue/${productId}`
}
