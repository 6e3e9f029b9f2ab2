/** Imports a catalogue file in one transaction. A file with errors changes nothing. */
import { lockAccount } from '../../accounts/service.ts'
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { activityUuid, toRow } from '../model.ts'
import { toPeriods } from '../opening-hours.ts'
import { changedEvents, madeEvents, ownPricesChanged } from '../product-events.ts'
import { insertProducts, listProducts, updateProducts } from '../products/service.ts'
import { toSteps } from '../refund-steps.ts'
import { insertRefundTerms } from '../refund-terms/queries.ts'
import { updateSaleFlags } from '../sale-flag-queries.ts'
import { applySchedules, type Schedule, writeSchedules } from '../schedules/editing/applying.ts'
import { toClosedDates, toPattern } from '../schedules/model.ts'
import { type KeptCapacity, lockTimeslots, writeTimeslots } from '../timeslots/service.ts'
import { replaceTranslations } from '../translation-queries.ts'
import { toTranslations } from '../translations/model.ts'
import { rekeyPrices, writeUnits } from '../units/service.ts'
import type { ExistingCatalogue } from './existing.ts'
import { completeFields } from './model.ts'
import * as queries from './queries.ts'
import { readCatalogue } from './reading.ts'
import type { CatalogueFile, FileProduct } from './schemas.ts'
import { draftsOf, ownPricesFrom } from './selling.ts'

export { CatalogueFileError } from './reading.ts'

export type ImportReport = {
  created: number
  updated: number
  unchanged: number
  timeslotsMade: number
  capacitiesChanged: number
  /**
   * Timeslots whose capacity stays above the capacity in the file, because so many places are sold or held.
   */
  kept: (Omit<KeptCapacity, 'productId'> & { name: string })[]
  /**
   * How many timeslots were withdrawn because their schedule has closed the date. A timeslot with ended
   * bookings is closed; any other one is removed.
   */
  timeslotsWithdrawn: number
  /** Timeslots that stay on a closed date, with the reason. */
  left: { name: string; date: string; time: string; reason: string }[]
  /** The names of the partners that lost a net price, because its unit is no longer sold. */
  partnersWithLoss: string[]
}

/** Runs importCatalogueWithin() in its own transaction, and then updates the planner's statistics. */
export async function importCatalogue(
  sql: Sql,
  by: Authorship,
  text: string,
  options: { horizonDays: number },
): Promise<ImportReport> {
  const report = await sql.begin((tx) => importCatalogueWithin(tx, by, text, options))
  // After a large import, PostgreSQL's statistics are obsolete, and autovacuum would update them only a
  // minute later.
  await queries.analyzeCatalogue(sql)
  return report
}

/**
 * Adds and updates the products of a catalogue file. It matches products by name. Products and fields that
 * the file leaves out stay as they are. Schedules make timeslots up to `horizonDays` from today. Importing
 * the same file again changes nothing. Until the transaction ends, other changes of the account's products
 * and schedules wait, and so do sales on timeslots that the import may change. Other sales do not wait.
 * @throws CatalogueFileError with all errors, including exceeded limits of the account. Then nothing is
 * changed.
 */
export async function importCatalogueWithin(
  tx: Transaction,
  by: Authorship,
  text: string,
  { horizonDays }: { horizonDays: number },
): Promise<ImportReport> {
  const { accountId } = by
  await lockAccount(tx, accountId)
  const { file, existing } = await readCatalogue(tx, accountId, text)
  const { ids, created, updated, movedProductIds } = await writeProducts(tx, accountId, file, existing)
  const idsWith = (field: keyof FileProduct) =>
    ids.filter((_, index) => file.Products[index]![field] !== undefined)
  const questions = file.Products.flatMap(({ Questions = [] }, index) =>
    Questions.map((question, position) => ({ Options: [], ...question, productId: ids[index]!, position })),
  )
  const changedQuestions = await queries.replaceQuestions(tx, accountId, idsWith('Questions'), questions)
  const terms = file.Products.flatMap(({ RefundTerms }, index) =>
    RefundTerms ? [{ productId: ids[index]!, steps: toSteps(RefundTerms) }] : [],
  )
  const changedTerms = await insertRefundTerms(tx, accountId, terms)
  const isNew = new Set(created)
  const fieldsOf = new Map(updated.map(({ id, fields }) => [id, fields]))
  const noteField = (id: number, field: string) => {
    if (!isNew.has(id)) fieldsOf.set(id, [...(fieldsOf.get(id) ?? []), field])
  }
  for (const { productId } of changedQuestions) noteField(productId, 'Questions')
  const {
    changed: changedUnits,
    rekeying,
    partnersWithLoss,
  } = await writeFileUnits(tx, by, ids, file, existing)
  for (const id of changedUnits) noteField(id, 'Units')
  for (const id of changedTerms) noteField(id, 'RefundTerms')
  const translationLists = file.Products.flatMap(({ Translations }, index) =>
    Translations ? [{ productId: ids[index]!, translations: toTranslations(Translations) }] : [],
  )
  for (const id of await replaceTranslations(tx, accountId, translationLists)) noteField(id, 'Translations')
  const described = [...fieldsOf].map(([id, fields]) => ({ id, fields }))
  await appendEvents(tx, [...madeEvents(by, created), ...changedEvents(by, described)])

  const sold = new Map((await listProducts(tx, accountId, { ids })).map((product) => [product.id, product]))
  const schedules = file.Products.flatMap(({ Schedules = [] }, index) =>
    Schedules.map((schedule): Schedule => {
      const { Capacity: capacity, ClosedDates } = schedule
      const unitPrices = ownPricesFrom(schedule.UnitPrices, sold.get(ids[index]!)!)
      const closedDates = ClosedDates ? toClosedDates(ClosedDates) : null
      const openingHours = toPeriods(schedule.OpeningHours)
      return {
        ...toPattern(schedule),
        ...{ productId: ids[index]!, capacity, openingHours, closedDates, unitPrices },
      }
    }),
  )
  const written = await writeSchedules(tx, accountId, idsWith('Schedules'), schedules)
  const { changedProducts, droppedIds, reclosed, repricedProducts } = written
  const stated = file.Products.flatMap(({ Timeslots = [] }, index) =>
    Timeslots.map((slot, place) => ({
      productId: ids[index]!,
      date: slot.Date,
      time: slot.Time,
      startsAt: existing.instants.get(`/Products/${index}/Timeslots/${place}`)!,
      capacity: slot.Capacity,
      openingHours: slot.OpeningHours ? (toPeriods(slot.OpeningHours) ?? []) : null,
      unitPrices: ownPricesFrom(slot.UnitPrices, sold.get(ids[index]!)!),
    })),
  )
  const changes = {
    stated,
    scheduledProductIds: ids,
    droppedScheduleIds: droppedIds,
    reclosedScheduleIds: reclosed.map(({ id }) => id),
    movedProductIds,
    rekeyedProductIds: rekeying.productIds,
  }
  await lockTimeslots(tx, accountId, changes)
  await rekeyPrices(tx, accountId, 'timeslots', rekeying)
  const single = await writeTimeslots(tx, by, changes)
  const scheduled = await applySchedules(tx, by, ids, { droppedIds, reclosed, horizonDays })
  await updateSaleFlags(tx, accountId, ids, single.pricedProducts)
  const repriced = repricedProducts.filter((id) => !isNew.has(id))
  await appendEvents(tx, ownPricesChanged(by, repriced))

  const changed = new Set([...fieldsOf.keys(), ...changedProducts.filter((id) => !isNew.has(id))])
  const nameOf = new Map(file.Products.map(({ Name }, index) => [ids[index], Name]))
  return {
    created: created.length,
    updated: changed.size,
    unchanged: ids.length - created.length - changed.size,
    timeslotsMade: single.made + scheduled.made,
    capacitiesChanged: single.resized + scheduled.resized,
    kept: [...single.kept, ...scheduled.kept].map(({ productId, ...slot }) => {
      return { name: nameOf.get(productId)!, ...slot }
    }),
    timeslotsWithdrawn: scheduled.withdrawn,
    left: scheduled.left.map(({ productId, date, time, reason }) => {
      return { name: nameOf.get(productId)!, date, time, reason }
    }),
    partnersWithLoss,
  }
}

/**
 * Writes the units of the products that have the field Units in the file, also if it is empty. Returns the
 * same as writeUnits().
 */
function writeFileUnits(
  tx: Transaction,
  by: Authorship,
  ids: number[],
  file: CatalogueFile,
  existing: ExistingCatalogue,
) {
  const lists = file.Products.flatMap((product, index) => {
    if (!product.Units) return []
    const stored = existing.existingProducts.get(`/Products/${index}`) ?? null
    const { priceMinor } = toRow(completeFields(product, stored))
    const { units = null, hasOwnPrices = false } = stored ?? {}
    const owner = { id: ids[index]!, units, priceMinor, hasOwnPrices }
    return [{ product: owner, units: draftsOf(product.Units, stored) }]
  })
  return writeUnits(tx, by, lists)
}

/**
 * Adds and updates products. `ids` are the ids of all products of the file, in its order, and
 * `movedProductIds` those whose time zone changed.
 */
async function writeProducts(
  tx: Transaction,
  accountId: number,
  file: CatalogueFile,
  existing: ExistingCatalogue,
) {
  const rows = file.Products.map((product, index) => {
    const pointer = `/Products/${index}`
    const { id, timeZone } = existing.products.get(pointer)!
    const fields = completeFields(product, existing.existingProducts.get(pointer)!)
    const row = { ...toRow(fields), timeZone: existing.zones.get(product.TimeZone)! }
    const activity = product.ActivityID ? activityUuid(product.ActivityID) : null
    return { row, id, activity, moved: id !== null && timeZone !== row.timeZone }
  })
  const known = rows.flatMap(({ row, id }) => (id === null ? [] : [{ ...row, id }]))
  const updated = await updateProducts(tx, accountId, known)
  const missing = rows.flatMap(({ row, id, activity }) => (id === null ? [{ ...row, activity }] : []))
  await insertProducts(tx, accountId, missing)

  const names = file.Products.map(({ Name }) => Name)
  const ids = (await queries.listProductsByName(tx, accountId, names)).map(({ id }) => id!)
  return {
    ids,
    created: ids.filter((_, index) => rows[index]!.id === null),
    updated,
    movedProductIds: ids.filter((_, index) => rows[index]!.moved),
  }
}
