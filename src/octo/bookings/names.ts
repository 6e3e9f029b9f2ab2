/** Finds the product, option, timeslot and units that the ids of a request name. */

import type { FieldError } from '../../platform/schema/validation.ts'
import type { Viewer } from '../../sales/booking/partner/queries.ts'
import type { RequestedItem } from '../../sales/reservation/model.ts'
import { octoErrors } from '../errors.ts'
import {
  defaultOption,
  isUuid,
  type LocalStart,
  parseAvailabilityId,
  parseProductId,
  parseUnitId,
  toAvailabilityId,
} from '../model.ts'
import { textOf, toContact } from './model.ts'
import type { NamedRow, RequestedName } from './named-queries.ts'
import type { GivenItem } from './request-schemas.ts'

/** The ids of a request. The timeslot is null if the request names none. */
export type GivenNames = { productId: string; optionId: string; availabilityId: string | null }

export type NamedPlaces = NamedRow & { productId: string; slot: LocalStart | null }

/**
 * Finds the product and timeslot that a request names. For a change of a reservation that the reseller has,
 * products that have left the shopfront are found too, and src/sales/ decides whether they can still be booked.
 * @throws the OCTO error for the first unknown id.
 */
export async function readNames(
  find: (asked: RequestedName) => Promise<NamedRow | undefined>,
  { accountId, partnerId }: Viewer,
  uuid: string,
  { productId, optionId, availabilityId }: GivenNames,
): Promise<NamedPlaces> {
  const activity = parseProductId(productId)
  if (activity === null) throw octoErrors.invalidProductId(productId)
  const slot = availabilityId === null ? null : parseAvailabilityId(availabilityId)
  const row = await find({ accountId, partnerId, activity, slot, uuid })
  if (!row || !(row.inShopfront || row.isKnown)) throw octoErrors.invalidProductId(productId)
  if (optionId !== defaultOption) throw octoErrors.invalidOptionId(optionId)
  if (availabilityId !== null) {
    const { startsAt, localStart } = row
    if (!startsAt || toAvailabilityId({ startsAt, localStart }) !== availabilityId)
      throw octoErrors.invalidAvailabilityId(availabilityId)
  }
  return { ...row, productId, slot }
}

/** An item of a booking: its uuid and its unit. */
type ExistingItem = { uuid: string; unitId: number }

/**
 * The items of a request, in order. The unit of an item that the booking already has may be left out.
 * @throws UNPROCESSABLE_ENTITY if there are no items; INVALID_UNIT_ID for the first unit that the option does
 * not have; BAD_REQUEST for a uuid that is not a UUID or is used twice.
 */
export function readItems(
  given: readonly GivenItem[],
  { units, isKnown }: Pick<NamedRow, 'units' | 'isKnown'>,
  existing: readonly ExistingItem[],
): RequestedItem[] {
  if (given.length === 0)
    throw octoErrors.unprocessable('unitItems must have at least one item.', 'validation')
  const choice = units?.filter(({ isSold }) => isSold || isKnown) ?? null
  const errors: FieldError[] = []
  const places = new Map<string, number>()
  const items = given.map((item, index): RequestedItem => {
    const uuid = textOf(item.uuid)?.toLowerCase() ?? null
    const field = `unitItems[${index}].uuid`
    if (uuid !== null && !isUuid(uuid)) errors.push({ field, message: 'must be a UUID' })
    else if (uuid !== null && places.has(uuid))
      errors.push({ field, message: `is the uuid of unitItems[${places.get(uuid)}]` })
    if (uuid !== null) places.set(uuid, index)
    const known = existing.find((one) => one.uuid === uuid)
    const unitId = item.unitId === undefined && known ? known.unitId : parseUnitId(item.unitId ?? '', choice)
    if (unitId === null) throw octoErrors.invalidUnitId(item.unitId ?? '')
    return {
      unitId,
      uuid,
      ...(item.resellerReference !== undefined && { resellerReference: textOf(item.resellerReference) }),
      ...(item.contact && { contact: toContact(item.contact) }),
    }
  })
  if (errors.length > 0) throw octoErrors.badRequest(inOneText(errors))
  return items
}

/** A message that names every failing field. */
export function inOneText(errors: readonly FieldError[]): string {
  return errors.map(({ field, message }) => `${field} ${message}`).join('; ')
}
