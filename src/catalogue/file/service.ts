/** Importing and exporting a catalogue file: one transaction each, and nothing changes on bad input. */
import { lockAccount } from '../../accounts/service.ts'
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { catalogueLimits, findExcess } from '../limits.ts'
import { activityUuid, toRow } from '../model.ts'
import { toPeriods } from '../opening-hours.ts'
import { changedEvents, madeEvents, ownPricesChanged } from '../product-events.ts'
import { insertProducts, listProducts, updateProducts } from '../products/service.ts'
import { toSteps } from '../refund-steps.ts'
import { insertRefundTerms } from '../refund-terms/queries.ts'
import { keepSaleFlags } from '../sale-flag-queries.ts'
import { applySchedules, type Schedule, writeSchedules } from '../schedules/editing/applying.ts'
import { toClosedDates, toPattern } from '../schedules/model.ts'
import { type KeptCapacity, lockTimeslots, writeTimeslots } from '../timeslots/service.ts'
import { rekeyPrices, writeUnits } from '../units/service.ts'
import { checkRules, sortFaults } from './model.ts'
import { checkShape, type Fault, parseJson, sketch } from './parse.ts'
import * as queries from './queries.ts'
import type { CatalogueFile } from './schemas.ts'
import { draftsOf, ownPricesFrom } from './selling.ts'
import { readStanding, type StandingCatalogue } from './standing.ts'

/** A catalogue file that cannot be imported, with everything that is wrong in it. */
export class CatalogueFileError extends Error {
  readonly faults: Fault[]

  constructor(faults: Fault[]) {
    super(`the catalogue file has ${faults.length} faults`)
    this.faults = faults
  }
}

export type ImportReport = {
  created: number
  updated: number
  unchanged: number
  timeslotsMade: number
  capacitiesChanged: number
  /** Timeslots whose capacity stayed above what the file says, because the places are sold or held. */
  kept: (Omit<KeptCapacity, 'productId'> & { name: string })[]
  /** Timeslots that went because their date is closed now. */
  timeslotsWithdrawn: number
  /** Timeslots that stay on a closed date, and why. */
  left: { name: string; date: string; time: string; reason: string }[]
}

/**
 * Makes the account's catalogue what the text of a catalogue file says, as importCatalogueWithin() does, in a
 * transaction of its own.
 */
export async function importCatalogue(
  sql: Sql,
  by: Authorship,
  text: string,
  options: { horizonDays: number },
): Promise<ImportReport> {
  const report = await sql.begin((tx) => importCatalogueWithin(tx, by, text, options))
  // A first catalogue changes what PostgreSQL knows of its tables; autovacuum would see that a minute later.
  await queries.analyzeCatalogue(sql)
  return report
}

/**
 * Makes the account's catalogue what the text of a catalogue file says: products are known again by name,
 * and those that the file leaves out stay as they are. Schedules make timeslots up to `horizonDays` from
 * today. The same file again changes nothing. Other imports into the account wait; sales go on.
 * @throws CatalogueFileError, with every fault there is, or for an account that would hold too much: nothing is changed.
 */
export async function importCatalogueWithin(
  tx: Transaction,
  by: Authorship,
  text: string,
  { horizonDays }: { horizonDays: number },
): Promise<ImportReport> {
  const { accountId } = by
  await lockAccount(tx, accountId)
  const { file, standing } = await readCatalogue(tx, accountId, text)
  const { ids, created, updated, movedProductIds } = await writeProducts(tx, accountId, file, standing)
  const questions = file.Products.flatMap(({ Questions }, index) =>
    Questions.map((question, position) => ({ Options: [], ...question, productId: ids[index]!, position })),
  )
  const asked = await queries.replaceQuestions(tx, accountId, ids, questions)
  const terms = file.Products.flatMap(({ RefundTerms }, index) =>
    RefundTerms ? [{ productId: ids[index]!, steps: toSteps(RefundTerms) }] : [],
  )
  const refunded = await insertRefundTerms(tx, accountId, terms)
  const isNew = new Set(created)
  const fieldsOf = new Map(updated.map(({ id, fields }) => [id, fields]))
  const noteField = (id: number, field: string) => {
    if (!isNew.has(id)) fieldsOf.set(id, [...(fieldsOf.get(id) ?? []), field])
  }
  for (const { productId } of asked) noteField(productId, 'Questions')
  const { changed: resold, rekeying } = await writeFileUnits(tx, accountId, ids, file, standing)
  for (const id of resold) noteField(id, 'Units')
  for (const id of refunded) noteField(id, 'RefundTerms')
  const described = [...fieldsOf].map(([id, fields]) => ({ id, fields }))
  await appendEvents(tx, [...madeEvents(by, created), ...changedEvents(by, described)])

  const sold = new Map((await listProducts(tx, accountId, { ids })).map((product) => [product.id, product]))
  const schedules = file.Products.flatMap(({ Schedules }, index) =>
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
  const written = await writeSchedules(tx, accountId, ids, schedules)
  const { changedProducts, droppedIds, reclosed, repricedProducts } = written
  const stated = file.Products.flatMap(({ Timeslots }, index) =>
    Timeslots.map((slot, place) => ({
      productId: ids[index]!,
      date: slot.Date,
      time: slot.Time,
      startsAt: standing.instants.get(`/Products/${index}/Timeslots/${place}`)!,
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
  const excess = await findExcess(tx, accountId)
  if (excess) {
    const message = `would give the account more than ${catalogueLimits[excess]} ${excess}`
    throw new CatalogueFileError([{ pointer: '/Products', message }])
  }
  await lockTimeslots(tx, accountId, changes)
  await rekeyPrices(tx, accountId, 'timeslots', rekeying)
  const single = await writeTimeslots(tx, by, changes)
  const scheduled = await applySchedules(tx, by, ids, { droppedIds, reclosed, horizonDays })
  await keepSaleFlags(tx, accountId, ids, single.pricedProducts)
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
  }
}

async function readCatalogue(
  tx: Transaction,
  accountId: number,
  text: string,
): Promise<{ file: CatalogueFile; standing: StandingCatalogue }> {
  const parsed = parseJson(text)
  if (parsed.fault) throw new CatalogueFileError([parsed.fault])
  const { document } = parsed
  const shape = checkShape(document)
  const rules = checkRules(sketch(document, shape))
  const standing = await readStanding(tx, accountId, sketch(document, shape.concat(rules)))
  const faults = shape.concat(rules, standing.faults)
  if (faults.length > 0) throw new CatalogueFileError(sortFaults(faults))
  return { file: document as CatalogueFile, standing }
}

/** Writes the units of the products that the file gives some of, or none. Returns those it changed. */
function writeFileUnits(
  tx: Transaction,
  accountId: number,
  ids: number[],
  file: CatalogueFile,
  standing: StandingCatalogue,
) {
  const lists = file.Products.flatMap((product, index) => {
    if (!product.Units) return []
    const stands = standing.sold.get(`/Products/${index}`) ?? null
    const { priceMinor } = toRow(product)
    const { units = null, hasOwnPrices = false } = stands ?? {}
    const owner = { id: ids[index]!, units, priceMinor, hasOwnPrices }
    return [{ product: owner, units: draftsOf(product.Units, stands) }]
  })
  return writeUnits(tx, accountId, lists)
}

/** Adds and updates products. `ids` has one for each product of the file, in its order. */
async function writeProducts(
  tx: Transaction,
  accountId: number,
  file: CatalogueFile,
  standing: StandingCatalogue,
) {
  const rows = file.Products.map((product, index) => {
    const { id, timeZone } = standing.products.get(`/Products/${index}`)!
    const row = { ...toRow(product), timeZone: standing.zones.get(product.TimeZone)! }
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
