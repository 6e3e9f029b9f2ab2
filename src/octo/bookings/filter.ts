/** Checks the filters of a request for a list of reservations. Pure. */
import { maxDays } from '../../catalogue/availability/model.ts'
import { daysBetween } from '../../platform/text/calendar.ts'
import { octoErrors } from '../errors.ts'
import { defaultOption, parseProductId } from '../model.ts'
import type { ReservationFilter } from './queries.ts'
import type { ListQuery } from './request-schemas.ts'

/** @throws BAD_REQUEST, INVALID_PRODUCT_ID or INVALID_OPTION_ID. */
export function filterOf(query: ListQuery): ReservationFilter {
  const { resellerReference = null, supplierReference = null, productId, optionId = defaultOption } = query
  const days = daysOf(query)
  if (resellerReference === null && supplierReference === null && days === null)
    throw octoErrors.badRequest(
      'One of resellerReference, supplierReference, localDate, or localDateStart and localDateEnd is required.',
    )
  const activity = productId === undefined ? null : parseProductId(productId)
  if (productId !== undefined && activity === null) throw octoErrors.invalidProductId(productId)
  if (optionId !== defaultOption) throw octoErrors.invalidOptionId(optionId)
  return { resellerReference, reference: supplierReference, days, activity }
}

function daysOf({ localDate, localDateStart = localDate, localDateEnd = localDate }: ListQuery) {
  if (localDateStart === undefined && localDateEnd === undefined) return null
  if (localDateStart === undefined)
    throw octoErrors.badRequest('localDateStart is required with localDateEnd.')
  if (localDateEnd === undefined) throw octoErrors.badRequest('localDateEnd is required with localDateStart.')
  const days = daysBetween(localDateStart, localDateEnd) + 1
  if (days < 1) throw octoErrors.badRequest('localDateEnd must not be before localDateStart.')
  if (days > maxDays)
    throw octoErrors.badRequest(`The range of dates must have at most ${maxDays} days, both ends included.`)
  return { from: localDateStart, to: localDateEnd }
}
