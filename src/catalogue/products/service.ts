/**
 * Use cases of the operator's products. Each change locks the account, as an import does, so
 * the second of two changes sees the first.
 */
import { lockAccount } from '../../accounts/service.ts'
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import { requireVersion } from '../../http/versions.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { findTimeZone } from '../../platform/postgres/time-zones.ts'
import type { FieldError } from '../../platform/schema/validation.ts'
import { isTimeZone } from '../../platform/text/calendar.ts'
import { checkPrice } from '../../platform/text/money.ts'
import { refuseExcess } from '../limits.ts'
import { defaultRules, fromRow, leastPlaces, type ProductFields, ruleErrors, toRow } from '../model.ts'
import { listNetPricedPartners } from '../partner-terms/queries.ts'
import { changedEvents, madeEvents } from '../product-events.ts'
import * as queries from '../queries.ts'
import { getProduct } from '../reading.ts'
import { updateSaleFlags } from '../sale-flag-queries.ts'
import { makeMissing } from '../schedules/editing/applying.ts'
import type { NewProductRequest, ProductChange } from '../schemas.ts'
import { listStrandedTimeslots, lockTimeslots, writeTimeslots } from '../timeslots/service.ts'

export {
  insertProducts,
  listProductNames,
  listProducts,
  type Product,
  updateProducts,
} from '../queries.ts'
/**
 * Adds a product. It is in the shopfront only if the request sets `InShopfront`.
 * @throws Problem validation, also for a name that another product has; account-limit-reached.
 */
export async function createProduct(
  tx: Transaction,
  by: Authorship,
  request: NewProductRequest,
): Promise<queries.Product> {
  const { accountId } = by
  await lockAccount(tx, accountId)
  const fields = { InShopfront: false, ...request }
  const timeZone = await checkFields(tx, accountId, fields, { existing: null, given: request })
  const ids = await queries.insertProducts(tx, accountId, [{ ...toRow(fields), timeZone, activity: null }])
  await updateSaleFlags(tx, accountId, ids)
  await refuseExcess(tx, accountId)
  await appendEvents(tx, madeEvents(by, ids))
  return getProduct(tx, accountId, ids[0]!)
}

/**
 * Changes the given fields of a product. If the time zone changes, the timeslots keep their local times.
 * @param horizonDays how many days ahead schedules make timeslots. A change of the time zone makes missing
 * timeslots.
 * @param seen the version of the product that the caller has read, if it sends one.
 * @throws Problem not-found; edited-meanwhile; validation, also for a name that another product has, and for
 * a time zone whose clocks skip the local time of a timeslot.
 */
export async function changeProduct(
  tx: Transaction,
  by: Authorship,
  {
    id,
    change,
    horizonDays,
    seen,
  }: { id: number; change: ProductChange; horizonDays: number; seen?: string },
): Promise<queries.Product> {
  const { accountId } = by
  await lockAccount(tx, accountId)
  const existing = await getProduct(tx, accountId, id)
  requireVersion(seen, existing)
  const fields = { ...fromRow(existing), ...change }
  const timeZone = await checkFields(tx, accountId, fields, { existing, given: change })
  const changed = await queries.updateProducts(tx, accountId, [{ ...toRow(fields), timeZone, id }])
  await updateSaleFlags(tx, accountId, [id])
  await appendEvents(tx, changedEvents(by, changed))
  if (timeZone !== existing.timeZone) await keepLocalTimes(tx, by, id, horizonDays)
  return getProduct(tx, accountId, id)
}

/**
 * After a change of the time zone: computes the instants of the timeslots again, and makes missing timeslots.
 */
async function keepLocalTimes(tx: Transaction, by: Authorship, id: number, horizonDays: number) {
  const changes = {
    stated: [],
    scheduledProductIds: [],
    droppedScheduleIds: [],
    reclosedScheduleIds: [],
    movedProductIds: [id],
    rekeyedProductIds: [],
  }
  await lockTimeslots(tx, by.accountId, changes)
  await writeTimeslots(tx, by, changes)
  await makeMissing(tx, by, { productIds: [id] }, horizonDays)
}

/**
 * Checks the rules that a schema cannot express. Returns the name of the time zone as PostgreSQL writes it.
 * @throws Problem validation.
 */
async function checkFields(
  tx: Transaction,
  accountId: number,
  fields: ProductFields,
  { existing, given }: { existing: queries.Product | null; given: ProductChange },
): Promise<string> {
  const errors: FieldError[] = []
  const namesake = await queries.findProductByName(tx, accountId, fields.Name)
  if (fields.Name.trim() === '') errors.push({ field: 'Name', message: 'must not be blank' })
  if (namesake && namesake.id !== existing?.id)
    errors.push({
      field: 'Name',
      message: 'is already the Name of another product (upper and lower case count as the same)',
    })
  const price = checkPrice(fields.Price)
  if (price) errors.push({ field: `Price.${price.field}`, message: price.message })
  if (existing) {
    const partners = await listNetPricedPartners(tx, accountId, [existing.id])
    const becomes = { currency: fields.Price.Currency, pricedPerBooking: fields.PricedPer === 'booking' }
    errors.push(
      ...priceBasisErrors(
        existing,
        becomes,
        partners.map(({ name }) => name),
      ),
    )
  }
  const units = (existing?.units ?? []).map((unit) => ({ name: unit.name, leastPlaces: leastPlaces(unit) }))
  errors.push(...ruleErrors(given, existing ? fromRow(existing) : defaultRules, units))
  const timeZone = await findZone(tx, fields.TimeZone, existing)
  if (timeZone === null)
    errors.push({ field: 'TimeZone', message: 'must be an IANA time zone such as Europe/Lisbon' })
  else if (existing && timeZone !== existing.timeZone)
    errors.push(...(await checkZoneChange(tx, accountId, existing.id, timeZone)))
  if (errors.length > 0) throw problems.validation(errors)
  return timeZone!
}

/** The currency of a product, and whether its price is for each person or for the whole booking. */
type PriceBasis = Pick<queries.Product, 'currency' | 'pricedPerBooking'>

/**
 * The errors of a change of a product's price basis. The currency cannot change while units other than the
 * default unit, schedules, timeslots or partners have prices of the product, because the amounts of these
 * prices would stay the same in another currency. `pricedPerBooking` cannot change while schedules, timeslots
 * or partners have prices of the product, because a price for one person would become a price for a whole
 * booking, or the reverse.
 * @param partners the names of the partners that have net prices of the product.
 */
export function priceBasisErrors(
  {
    currency,
    pricedPerBooking,
    units,
    hasOwnPrices,
  }: PriceBasis & Pick<queries.Product, 'units' | 'hasOwnPrices'>,
  becomes: PriceBasis,
  partners: readonly string[],
): FieldError[] {
  const errors: FieldError[] = []
  const quoted = partners.map((name) => `“${name}”`).join(', ')
  if (becomes.currency !== currency && (hasOwnPrices || (units?.length ?? 0) > 1)) {
    const message = `cannot change while units, schedules or timeslots have prices in ${currency}: delete those first`
    errors.push({ field: 'Price.Currency', message })
  }
  if (becomes.currency !== currency && partners.length > 0) {
    const message = `cannot change while partners have net prices in ${currency}: remove those of ${quoted} first`
    errors.push({ field: 'Price.Currency', message })
  }
  if (becomes.pricedPerBooking !== pricedPerBooking && hasOwnPrices) {
    const message = 'cannot change while schedules or timeslots have prices of their own: delete those first'
    errors.push({ field: 'PricedPer', message })
  }
  if (becomes.pricedPerBooking !== pricedPerBooking && partners.length > 0) {
    const message = `cannot change while partners have net prices: remove those of ${quoted} first`
    errors.push({ field: 'PricedPer', message })
  }
  return errors
}

async function findZone(tx: Transaction, name: string, existing: queries.Product | null) {
  if (name === existing?.timeZone) return name
  return isTimeZone(name) ? findTimeZone(tx, name) : null
}

async function checkZoneChange(tx: Transaction, accountId: number, id: number, timeZone: string) {
  const stranded = await listStrandedTimeslots(tx, accountId, [{ id, timeZone }])
  return stranded.map(({ date, time }) => ({
    field: 'TimeZone',
    message: `cannot change: clocks there skip the time of the product’s timeslot on ${date} at ${time}`,
  }))
}
