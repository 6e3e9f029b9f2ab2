/**
 * Checks a catalogue file against the database: names, ActivityIDs, rules, units and prices, translations,
 * time zones, local times that clock changes skip, and the limits of the account. It only reads.
 */

import { groupBy } from '../../platform/collections/group-by.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { findTimeZones } from '../../platform/postgres/time-zones.ts'
import { catalogueLimits, findExcess } from '../limits.ts'
import { activityUuid, toActivityId } from '../model.ts'
import { listNetPricedPartners } from '../partner-terms/queries.ts'
import { countCatalogue, listProducts, type Product } from '../queries.ts'
import { listInstants, listStrandedTimeslots } from '../timeslots/service.ts'
import type { Fault, Sketch } from './parse.ts'
import * as queries from './queries.ts'
import { sellingFaults } from './selling.ts'
import { checkFileTranslations } from './translating.ts'

/**
 * The errors of a file, and existing data for its parts. The keys of maps are pointers, except those of
 * `zones`.
 */
export type ExistingCatalogue = {
  faults: Fault[]
  /** For each product of the file, the row of its name; the row's id is null for a new product. */
  products: Map<string, queries.NamedProductRow>
  /** The existing product with all its fields and units; null for a new product. */
  existingProducts: Map<string, Product | null>
  /** Time zones as the database writes them, by their spelling in the file. */
  zones: Map<string, string>
  /** The instants at which the timeslots of the file begin, as text. */
  instants: Map<string, string>
}

/**
 * Checks the sketches of a file against the account's catalogue. Returns the errors, and existing data for
 * the import.
 * @param sketches the products of the file, without the parts in which errors have already been found.
 */
export async function readExisting(
  tx: Transaction,
  accountId: number,
  sketches: Sketch[],
): Promise<ExistingCatalogue> {
  const named = sketches.filter(({ fields }) => fields.Name !== undefined)
  const rows = await queries.listProductsByName(
    tx,
    accountId,
    named.map(({ fields }) => fields.Name!),
  )
  const products = new Map(rows.map((row, index) => [named[index]!.pointer, row]))
  const sameName = rows.flatMap(({ place, firstPlace }) => {
    if (place === firstPlace) return []
    const message = `is already the Name of ${named[firstPlace]!.pointer} (upper and lower case count as the same)`
    return [{ pointer: `${named[place]!.pointer}/Name`, message }]
  })
  const existing = await readProducts(tx, accountId, rows)
  const existingIds = existing.flatMap((product) => product?.id ?? [])
  const partners = groupBy(await listNetPricedPartners(tx, accountId, existingIds), 'productId')
  const zones = await readZones(tx, sketches)
  const { faults, instants } = await readInstants(tx, sketches, zones.names)
  return {
    products,
    existingProducts: new Map(existing.map((product, index) => [named[index]!.pointer, product])),
    zones: zones.names,
    instants,
    faults: [
      ...sameName,
      ...(await checkActivities(tx, accountId, named, products)),
      ...named.flatMap((sketch, index) => {
        const product = existing[index]!
        return sellingFaults(
          sketch,
          product,
          (partners.get(product?.id ?? 0) ?? []).map(({ name }) => name),
        )
      }),
      ...(await checkFileTranslations(tx, accountId, named, existing)),
      ...zones.faults,
      ...faults,
      ...(await checkZoneChanges(tx, accountId, named, products, zones.names)),
      ...(await checkLimits(tx, accountId, named, rows)),
    ],
  }
}

/** The existing products with these names; null for a name that no product has. */
async function readProducts(
  tx: Transaction,
  accountId: number,
  rows: queries.NamedProductRow[],
): Promise<(Product | null)[]> {
  const ids = rows.flatMap(({ id }) => id ?? [])
  const products = await listProducts(tx, accountId, { ids })
  const byId = new Map(products.map((product) => [product.id, product]))
  return rows.map(({ id }) => byId.get(id ?? 0) ?? null)
}

async function checkActivities(
  tx: Transaction,
  accountId: number,
  named: Sketch[],
  products: ExistingCatalogue['products'],
): Promise<Fault[]> {
  const given = named.flatMap(({ pointer, fields }) => {
    if (!fields.ActivityID) return []
    return [{ pointer, activity: activityUuid(fields.ActivityID), product: products.get(pointer) }]
  })
  const activities = given.map(({ activity }) => activity)
  const owners = await queries.listActivityOwners(tx, accountId, activities)
  const ownerOf = new Map(owners.map((owner) => [owner.activity, owner]))
  return given.flatMap(({ pointer, activity, product }) => {
    const at = `${pointer}/ActivityID`
    const owner = ownerOf.get(activity)
    if (product?.activity && product.activity !== activity) {
      return [
        { pointer: at, message: `must be ${toActivityId(product.activity)}, the ActivityID of the product` },
      ]
    }
    if (!owner || product?.activity === activity) return []
    return [{ pointer: at, message: `belongs to the product ${JSON.stringify(owner.name)}` }]
  })
}

async function readZones(tx: Transaction, sketches: Sketch[]) {
  const given = sketches.flatMap(({ fields }) => fields.TimeZone ?? [])
  const names = await findTimeZones(tx, given)
  const faults = sketches.flatMap(({ pointer, fields: { TimeZone } }) => {
    if (TimeZone === undefined || names.has(TimeZone)) return []
    return [{ pointer: `${pointer}/TimeZone`, message: 'must be a time zone that PostgreSQL knows' }]
  })
  return { names, faults }
}

async function readInstants(tx: Transaction, sketches: Sketch[], zones: Map<string, string>) {
  const local = sketches.flatMap(({ fields, timeslots }) => {
    const timeZone = zones.get(fields.TimeZone ?? '')
    if (timeZone === undefined) return []
    return timeslots.map(({ pointer, value }) => ({ pointer, date: value.Date, time: value.Time, timeZone }))
  })
  const faults: Fault[] = []
  const instants = new Map<string, string>()
  for (const [index, instant] of (await listInstants(tx, local)).entries()) {
    const { pointer, date, time, timeZone } = local[index]!
    if (instant !== null) instants.set(pointer, instant)
    else faults.push({ pointer: `${pointer}/Time`, message: skipped(date, time, timeZone) })
  }
  return { faults, instants }
}

/**
 * Checks that the local times of existing timeslots exist in the new time zone of their product, because
 * timeslots keep their local times.
 */
async function checkZoneChanges(
  tx: Transaction,
  accountId: number,
  named: Sketch[],
  products: ExistingCatalogue['products'],
  zones: Map<string, string>,
): Promise<Fault[]> {
  const moves = named.flatMap(({ pointer, fields }) => {
    const product = products.get(pointer)
    const timeZone = zones.get(fields.TimeZone ?? '')
    if (!product?.id || timeZone === undefined || timeZone === product.timeZone) return []
    return [{ pointer: `${pointer}/TimeZone`, id: product.id, timeZone }]
  })
  if (moves.length === 0) return []
  const stranded = await listStrandedTimeslots(tx, accountId, moves)
  return stranded.map(({ id, date, time }) => {
    const { pointer, timeZone } = moves.find((move) => move.id === id)!
    return {
      pointer,
      message: `cannot change: the product has a timeslot on ${date} at ${time}, a local time that clocks in ${timeZone} skip`,
    }
  })
}

/**
 * Checks that the account stays within its limits. In an import, the account is locked, so nothing is added
 * after the count. A check and a preview do not lock the account, so a later import may still exceed a limit.
 */
async function checkLimits(
  tx: Transaction,
  accountId: number,
  named: Sketch[],
  rows: queries.NamedProductRow[],
): Promise<Fault[]> {
  const replaced = rows.flatMap(({ id }, index) => (named[index]!.replacesSchedules && id) || [])
  const counts = await countCatalogue(tx, accountId, replaced)
  const excess = findExcess({
    products: counts.products + rows.filter(({ id }) => id === null).length,
    schedules: counts.schedules + named.reduce((sum, { schedules }) => sum + schedules.length, 0),
  })
  if (!excess) return []
  const message = `would give the account more than ${catalogueLimits[excess]} ${excess}`
  return [{ pointer: '/Products', message }]
}

function skipped(date: string, time: string, timeZone: string): string {
  return `does not exist on ${date} at ${time} in ${timeZone}, whose clocks skip that time`
}
