/** Checks of schedules: the rules that a schema cannot express. */
import { problems } from '../../../http/problems.ts'
import type { Queryable } from '../../../platform/postgres/database.ts'
import type { FieldError } from '../../../platform/schema/validation.ts'
import { checkDaily, mergeDaily, toPeriods } from '../../opening-hours.ts'
import { ownPricesView } from '../../units/own-prices.ts'
import { fromPattern, type ScheduleFields, toClosedDates, toPattern } from '../model.ts'
import type { ScheduleRow } from '../queries.ts'
import type { ScheduleChange } from '../schemas.ts'
import * as queries from './queries.ts'

/** The fields of a schedule after a change. */
export function mergeSchedule(existing: ScheduleRow, change: ScheduleChange): ScheduleFields {
  const { capacity, closedDates, unitPrices, ...pattern } = existing
  const fields = fromPattern(pattern)
  return {
    ...fields,
    ...{ Capacity: capacity, ClosedDates: closedDates, UnitPrices: ownPricesView(unitPrices) },
    ...change,
    ...mergeDaily(fields, change),
  }
}

/**
 * Checks the rules that a schema cannot express. Returns the schedule as the database stores it.
 * @throws Problem validation.
 */
export async function checkSchedule(
  sql: Queryable,
  { accountId, productId }: { accountId: number; productId: number },
  { id, fields, priceErrors }: { id: number | null; fields: ScheduleFields; priceErrors: FieldError[] },
): Promise<queries.DraftPattern> {
  const errors = [...checkDaily(fields), ...priceErrors]
  if (fields.To < fields.From)
    errors.unshift({ field: 'To', message: `must not be before From, ${fields.From}` })
  if (errors.length > 0) throw problems.validation(errors)
  const pattern = toPattern(fields)
  const twin = await queries.findSamePattern(sql, accountId, { id, productId, pattern })
  if (twin) {
    const message = `must differ from those of schedule ${twin.id}, which has the same From, To and Weekdays`
    throw problems.validation([{ field: fields.OpeningHours?.length ? 'OpeningHours' : 'Times', message }])
  }
  return {
    ...pattern,
    capacity: fields.Capacity,
    openingHours: toPeriods(fields.OpeningHours),
    closedDates: toClosedDates(fields.ClosedDates ?? []),
  }
}

const required = ['From', 'To', 'Weekdays', 'Capacity'] as const

/**
 * Checks that a preview of a new schedule has the fields that a new schedule needs.
 * @throws Problem validation.
 */
export function requireFields(fields: ScheduleChange): ScheduleFields {
  const missing = required.flatMap((field): FieldError[] =>
    fields[field] === undefined ? [{ field, message: 'is required' }] : [],
  )
  const errors = [...missing, ...checkDaily(fields)]
  if (errors.length > 0) throw problems.validation(errors)
  return fields as ScheduleFields
}
