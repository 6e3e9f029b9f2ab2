/** Importing and exporting a catalogue file: one transaction each, and nothing changes on bad input. */
import { lockAccount } from '../../accounts/service.ts'
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import type { Sql, Transaction } from '../../platform/postgres/database.ts'
import { catalogueLimits, findExcess } from '../limits.ts'
import { activityUuid, fromRow, toActivityId, toRow } from '../model.ts'
import { changedEvents, madeEvents } from '../products/events.ts'
import { insertProducts, listProducts, updateProducts } from '../products/service.ts'
import { keepSaleFlags } from '../sale-flag-queries.ts'
import {
  applySchedules,
  listSchedules,
  type Schedule,
  writeSchedules,
} from '../schedules/editing/applying.ts'
import { fromPattern, toClosedDates, toPattern } from '../schedules/model.ts'
import { type KeptCapacity, listOwnTimeslots, lockTimeslots, writeTimeslots } from '../timeslots/service.ts'
import { checkRules, sortFaults } from './model.ts'
import { checkShape, type Fault, parseJson, sketch } from './parse.ts'
import * as queries from './queries.ts'
import type { CatalogueFile } from './schemas.ts'
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
  const isNew = new Set(created)
  const fieldsOf = new Map(updated.map(({ id, fields }) => [id, fields]))
  for (const { productId } of asked)
    if (!isNew.has(productId)) fieldsOf.set(productId, [...(fieldsOf.get(productId) ?? []), 'Questions'])
  const described = [...fieldsOf].map(([id, fields]) => ({ id, fields }))
  await appendEvents(tx, [...madeEvents(by, created), ...changedEvents(by, described)])

  const schedules = file.Products.flatMap(({ Schedules }, index) =>
    Schedules.map((schedule): Schedule => {
      const { Capacity: capacity, ClosedDates } = schedule
      const closedDates = ClosedDates ? toClosedDates(ClosedDates) : null
      return { ...toPattern(schedule), productId: ids[index]!, capacity, closedDates, unitPrices: null }
    }),
  )
  const { changedProducts, droppedIds, reclosed } = await writeSchedules(tx, accountId, ids, schedules)
  const stated = file.Products.flatMap(({ Timeslots }, index) =>
    Timeslots.map((slot, place) => ({
      productId: ids[index]!,
      date: slot.Date,
      time: slot.Time,
      startsAt: standing.instants.get(`/Products/${index}/Timeslots/${place}`)!,
      capacity: slot.Capacity,
    })),
  )
  const changes = {
    stated,
    scheduledProductIds: ids,
    droppedScheduleIds: droppedIds,
    reclosedScheduleIds: reclosed.map(({ id }) => id),
    movedProductIds,
  }
  const excess = await findExcess(tx, accountId)
  if (excess) {
    const message = `would give the account more than ${catalogueLimits[excess]} ${excess}`
    throw new CatalogueFileError([{ pointer: '/Products', message }])
  }
  await keepSaleFlags(tx, accountId, ids)
  await lockTimeslots(tx, accountId, changes)
  const single = await writeTimeslots(tx, by, changes)
  const scheduled = await applySchedules(tx, by, ids, { droppedIds, reclosed, horizonDays })

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

/**
 * The account's whole catalogue as a file that importCatalogue() takes, as it was at one instant. Timeslots
 * that a schedule made are left to the schedule.
 */
export function exportCatalogue(sql: Sql, accountId: number): Promise<CatalogueFile> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    const products = await listProducts(tx, accountId, {})
    const questions = groupByProduct(await queries.listQuestions(tx, accountId))
    const timeslots = groupByProduct(await listOwnTimeslots(tx, accountId))
    const schedules = groupByProduct(await listSchedules(tx, accountId))
    return {
      Products: products.map(({ id, activityId, ...row }) => ({
        ...fromRow(row),
        ActivityID: toActivityId(activityId),
        Questions: (questions.get(id) ?? []).map(({ productId, position, Options, ...question }) => {
          return Options.length > 0 ? { ...question, Options } : question
        }),
        Timeslots: (timeslots.get(id) ?? []).map(({ date, time, capacity }) => {
          return { Date: date, Time: time, Capacity: capacity }
        }),
        Schedules: (schedules.get(id) ?? []).map(({ capacity, closedDates, unitPrices, ...pattern }) => {
          return { ...fromPattern(pattern), Capacity: capacity, ClosedDates: closedDates }
        }),
      })),
    }
  })
}

function groupByProduct<T extends { productId: number }>(items: readonly T[]): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const item of items) {
    const group = groups.get(item.productId)
    if (group) group.push(item)
    else groups.set(item.productId, [item])
  }
  return groups
}
