/**
 * Use cases of the units of a product. The account must be locked while units are written, as for all changes
 * of products: replaceUnits() locks it, and callers of writeUnits() have locked it.
 */
import { lockAccount } from '../../accounts/service.ts'
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import { requireVersion } from '../../http/versions.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { Unit } from '../model.ts'
import { changedEvents } from '../product-events.ts'
import type { Product } from '../queries.ts'
import { getProduct } from '../reading.ts'
import { updateSaleFlags } from '../sale-flag-queries.ts'
import { checkUnits, toDrafts, type UnitDraft } from './model.ts'
import * as queries from './queries.ts'
import type { StatedUnit } from './schemas.ts'

export { rekeyPrices } from './queries.ts'

/**
 * The units that a product sells, in the operator's order; empty for a product without units.
 * @throws Problem not-found.
 */
export async function readUnits(sql: Queryable, accountId: number, productId: number): Promise<Unit[]> {
  return (await getProduct(sql, accountId, productId)).units ?? []
}

/**
 * Replaces a product's units. A unit that is left out is no longer sold; its bookings keep it. The price of
 * the default unit becomes the price of the product.
 * @param seen the version of the list that the caller has read, if it sends one.
 * @returns the new units, and the names of the partners that lost a net price, because its unit is no longer
 * sold.
 * @throws Problem not-found; edited-meanwhile; validation, with an error for each broken rule.
 */
export async function replaceUnits(
  tx: Transaction,
  by: Authorship,
  { productId, units, seen }: { productId: number; units: StatedUnit[]; seen?: string },
): Promise<{ units: Unit[]; partnersWithLoss: string[] }> {
  const { accountId } = by
  await lockAccount(tx, accountId)
  const product = await getProduct(tx, accountId, productId)
  const existing = product.units ?? []
  requireVersion(seen, existing)
  const ids = existing.map(({ id }) => id)
  const errors = checkUnits(units, product, ids)
  if (errors.length > 0) throw problems.validation(errors)
  const written = await writeUnits(tx, by, [{ product, units: toDrafts(units) }])
  const { changed, rekeying, partnersWithLoss } = written
  if (rekeying.productIds.length > 0) await queries.lockPriced(tx, accountId, productId)
  await queries.rekeyPrices(tx, accountId, 'timeslots', rekeying)
  await updateSaleFlags(tx, accountId, changed)
  const replaced = await getProduct(tx, accountId, productId)
  const fields = [...(replaced.priceMinor === product.priceMinor ? [] : ['Price']), 'Units']
  await appendEvents(
    tx,
    changedEvents(
      by,
      changed.map((id) => ({ id, fields })),
    ),
  )
  return { units: replaced.units ?? [], partnersWithLoss }
}

/** The new units of a product. */
export type UnitsOfProduct = {
  product: Pick<Product, 'id' | 'units' | 'priceMinor' | 'hasOwnPrices'>
  units: UnitDraft[]
}

/**
 * Replaces the units of products. The caller has locked the account, and calls updateSaleFlags() afterwards.
 * In the schedules of the products, it deletes the own prices of units that are left out. A product without
 * units may have an own price for a place: when the product gets units, that price becomes the own price of
 * the default unit, and when its last unit is removed, the own price of the default unit becomes that of a
 * place. The same applies to the net prices of partners, and each partner whose terms change gets an event.
 * @returns the ids of the changed products; the changes of the keys of the own prices of their timeslots; and
 * the names of the partners that lost a net price. The caller locks these timeslots and then passes the
 * changes to rekeyPrices().
 */
export async function writeUnits(
  tx: Transaction,
  by: Authorship,
  lists: UnitsOfProduct[],
): Promise<{ changed: number[]; rekeying: queries.Rekeying; partnersWithLoss: string[] }> {
  const { accountId } = by
  const newUnits = lists.flatMap(({ units }) => units).filter(({ id }) => id === null)
  const newIds = (await queries.drawUnitIds(tx, newUnits.length)).values()
  const identified = lists.map(({ product, units }) => {
    const ids = units.map(({ id }) => id ?? newIds.next().value!)
    return { product, units, ids, defaultIndex: units.findIndex(({ isDefault }) => isDefault) }
  })
  const rows = identified.flatMap(({ product, units, ids }) =>
    units.map(({ currency, isDefault, priceMinor, accompaniedBy, ...unit }, position) => ({
      ...{ ...unit, id: ids[position]!, productId: product.id, position },
      price: isDefault ? null : priceMinor,
      accompaniedBy: accompaniedBy.map((place) => ids[place]!),
    })),
  )
  const productIds = lists.map(({ product }) => product.id)
  const rewritten = await queries.writeUnits(tx, accountId, productIds, rows)
  const moved = identified.filter(({ product, units, ids, defaultIndex }) => {
    const price = units[defaultIndex]?.priceMinor ?? product.priceMinor
    return price !== product.priceMinor || (ids[defaultIndex] ?? null) !== defaultOf(product)
  })
  await queries.writeDefaults(
    tx,
    accountId,
    moved.map(({ product, units, ids, defaultIndex }) => {
      const priceMinor = units[defaultIndex]?.priceMinor ?? null
      return { productId: product.id, unitId: ids[defaultIndex] ?? null, priceMinor }
    }),
  )
  const changed = new Set([...rewritten, ...moved.map(({ product }) => product.id)])
  const priced = identified.filter(({ product }) => product.hasOwnPrices && changed.has(product.id))
  const rekeying = { productIds: priced.map(({ product }) => product.id), keys: priced.flatMap(keyChanges) }
  await queries.rekeyPrices(tx, accountId, 'schedules', rekeying)
  const partners = await queries.rekeyNetPrices(tx, accountId, {
    productIds: [...changed],
    keys: identified.flatMap(netKeyChanges),
  })
  await appendEvents(
    tx,
    partners.map(({ id }) => ({ ...by, type: 'partner-terms.changed', details: { PartnerID: id } })),
  )
  await queries.touchProducts(tx, accountId, [...changed])
  const partnersWithLoss = partners.filter(({ hasLost }) => hasLost).map(({ name }) => name)
  return { changed: [...changed], rekeying, partnersWithLoss }
}

function defaultOf({ units }: Pick<Product, 'units'>): number | null {
  return units?.find(({ isDefault }) => isDefault)?.id ?? null
}

type IdentifiedUnits = { product: UnitsOfProduct['product']; ids: number[]; defaultIndex: number }

/**
 * The old and the new key of each own price that is not deleted. The key of the default unit is 0, and the
 * key of another unit is its id.
 */
function keyChanges({ product, ids, defaultIndex }: IdentifiedUnits): queries.KeyChange[] {
  const [from, to] = [defaultOf(product), ids[defaultIndex] ?? null]
  const keyOf = (id: number, byDefault: number | null) => (id === byDefault ? '0' : String(id))
  const kept = (product.units ?? []).filter(({ id }) => ids.includes(id))
  const keys = kept.map(({ id }) => ({ productId: product.id, was: keyOf(id, from), becomes: keyOf(id, to) }))
  // Without units, the key 0 has the own price of a place. This price becomes the own price of the default
  // unit when a product gets its first units, and becomes the own price of a place when its last unit is
  // removed.
  return from === null || to === null ? [...keys, { productId: product.id, was: '0', becomes: '0' }] : keys
}

/**
 * The old and the new key of each net price that is not deleted. Its key is the id of its unit; the default
 * unit, or a place of a product without units, may also have the key 0.
 */
function netKeyChanges({ product, ids, defaultIndex }: IdentifiedUnits): queries.KeyChange[] {
  const [from, to] = [defaultOf(product), ids[defaultIndex] ?? null]
  const kept = (product.units ?? []).filter(({ id }) => ids.includes(id))
  const keys = kept.map(({ id }) => ({ productId: product.id, was: String(id), becomes: String(id) }))
  const isPlace = from === null || to === null
  if (isPlace || from === to) keys.push({ productId: product.id, was: '0', becomes: '0' })
  else if (ids.includes(from)) keys.push({ productId: product.id, was: '0', becomes: String(from) })
  // When the last unit is removed, its net price becomes that of a place.
  if (from !== null && to === null) keys.push({ productId: product.id, was: String(from), becomes: '0' })
  return keys
}
