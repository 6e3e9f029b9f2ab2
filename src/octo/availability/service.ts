/** The use cases of OCTO's availability. */
import type { Caller } from '../../accounts/service.ts'
import type { Read } from '../../platform/postgres/replica.ts'
import type { Capabilities } from '../capabilities.ts'
import { octoErrors } from '../errors.ts'
import { toAvailabilityId } from '../model.ts'
import type { OctoProduct } from '../products/queries.ts'
import { getOctoProduct } from '../products/service.ts'
import { calendarDay } from './calendar.ts'
import { datesOf, maxSlots, rangeOf, refuseTooMany, subjectOf } from './dates.ts'
import { toAskedUnits } from './model.ts'
import { listOctoSlots, type OctoSlot } from './queries.ts'
import type { AvailabilityBody, OctoAvailability, OctoCalendarBody, OctoCalendarDay } from './schemas.ts'
import { availabilityView } from './view.ts'

type Reseller = Pick<Caller, 'accountId' | 'partnerId'>

/**
 * Timeslots by dates or by ids, in the order of their starts. Ids without a timeslot are left out.
 * @throws Problem as readSubject(), subjectOf() and refuseTooMany(); also for an id of another form.
 */
export async function checkAvailability(
  read: Read,
  reseller: Reseller,
  body: AvailabilityBody,
  capabilities: Capabilities,
): Promise<OctoAvailability[]> {
  const { product, asked } = await readSubject(read, reseller, body)
  const subject = subjectOf(body)
  const slots = await readSlots(read, reseller, product, subject)
  const ids = 'ids' in subject ? new Set(subject.ids) : null
  return slots
    .filter((slot) => !ids || ids.has(toAvailabilityId(slot)))
    .map((slot) => availabilityView(product, slot, capabilities, asked))
}

/** One entry for each day of the range. */
export async function listOctoCalendar(
  read: Read,
  reseller: Reseller,
  body: OctoCalendarBody,
  capabilities: Capabilities,
): Promise<OctoCalendarDay[]> {
  const { product, asked } = await readSubject(read, reseller, body)
  const range = rangeOf(body.localDateStart, body.localDateEnd)
  const days = new Map<string, OctoSlot[]>(datesOf(range).map((date) => [date, []]))
  for (const slot of await readSlots(read, reseller, product, range)) days.get(slot.date)!.push(slot)
  return [...days].map(([date, slots]) => calendarDay(product, { date, slots }, capabilities, asked))
}

/**
 * The product and the units that a request names. @throws Problem for an id or a currency that is not the product's.
 */
async function readSubject(read: Read, reseller: Reseller, { productId, units, currency }: OctoCalendarBody) {
  const product = await getOctoProduct(read, reseller, productId)
  if (currency !== undefined && currency !== product.currency)
    throw octoErrors.badRequest(`currency must be ${product.currency}, the only one of this product.`)
  return { product, asked: toAskedUnits(product, units) }
}

async function readSlots(
  read: Read,
  { accountId }: Reseller,
  product: OctoProduct,
  subject: ReturnType<typeof subjectOf>,
): Promise<OctoSlot[]> {
  const productId = product.id
  if ('ids' in subject)
    return read((sql) => listOctoSlots(sql, accountId, { productId, starts: subject.starts }))
  const most = maxSlots(product)
  const slots = await read((sql) => listOctoSlots(sql, accountId, { productId, ...subject, limit: most + 1 }))
  refuseTooMany(slots.length, most)
  return slots
}
