/** All SQL that writes the units of products. Products are read with their units. */
import type { Transaction } from '../../platform/postgres/database.ts'
import type { Unit } from '../model.ts'

/** A unit to write; `price` is null for the default unit, which has the product's price. */
export type UnitRow = Omit<Unit, 'priceMinor' | 'currency' | 'isDefault'> & {
  productId: number
  position: number
  price: number | null
}

/** Reserves `count` ids for new units, in ascending order. */
export async function drawUnitIds(tx: Transaction, count: number): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select nextval(pg_get_serial_sequence('units', 'id')) as id from generate_series(1, ${count})`
  return rows.map(({ id }) => id)
}

/**
 * Replaces the units of products. A unit that is left out loses its position, which means that it is no
 * longer sold; its row stays for its bookings. Returns the ids of the products whose units changed.
 */
export async function writeUnits(
  tx: Transaction,
  accountId: number,
  productIds: number[],
  units: UnitRow[],
): Promise<number[]> {
  const rows = await tx<{ productId: number }[]>`
    with given as materialized (
      select * from jsonb_to_recordset(${tx.json(units)}) as (
        "productId" bigint, id bigint, position integer, name text, type text, price bigint, places integer,
        people integer, "minAge" integer, "maxAge" integer, "minQuantity" integer, "maxQuantity" integer,
        "accompaniedBy" bigint[]
      )
    ), dropped as (
      update units set position = null
      where account_id = ${accountId} and product_id = any(${productIds}::bigint[]) and position is not null
        and not exists (select from given where given.id = units.id)
      returning product_id
    ), changed as (
      update units set position = given.position, name = given.name, type = given.type, price_minor = given.price,
        places = given.places, people = given.people, min_age = given."minAge", max_age = given."maxAge",
        min_quantity = given."minQuantity", max_quantity = given."maxQuantity",
        accompanied_by = given."accompaniedBy"
      from given
      where account_id = ${accountId} and units.id = given.id
        and (units.position, units.name, units.type, units.price_minor, units.places, units.people, units.min_age,
          units.max_age, units.min_quantity, units.max_quantity, units.accompanied_by)
          is distinct from (given.position, given.name, given.type, given.price, given.places, given.people,
          given."minAge", given."maxAge", given."minQuantity", given."maxQuantity", given."accompaniedBy")
      returning units.product_id
    ), made as (
      insert into units (account_id, product_id, id, position, name, type, price_minor, places, people, min_age,
        max_age, min_quantity, max_quantity, accompanied_by)
      select ${accountId}, "productId", id, position, name, type, price, places, people, "minAge", "maxAge",
        "minQuantity", "maxQuantity", "accompaniedBy"
      from given
      where not exists (select from units where units.account_id = ${accountId} and units.id = given.id)
      returning product_id
    )
    select product_id as "productId" from dropped
    union select product_id from changed
    union select product_id from made`
  return rows.map(({ productId }) => productId)
}

export type DefaultUnit = { productId: number; unitId: number | null; priceMinor: number | null }

/**
 * Sets the default unit of each product. If `priceMinor` is not null, it also sets the price of the product.
 */
export async function writeDefaults(
  tx: Transaction,
  accountId: number,
  defaults: DefaultUnit[],
): Promise<void> {
  await tx`
    update products set default_unit_id = given."unitId",
      price_minor = coalesce(given."priceMinor", products.price_minor)
    from jsonb_to_recordset(${tx.json(defaults)}) as given ("productId" bigint, "unitId" bigint, "priceMinor" bigint)
    where account_id = ${accountId} and products.id = given."productId"`
}

/** Sets `updated_at` of products whose units have changed. */
export async function touchProducts(tx: Transaction, accountId: number, productIds: number[]): Promise<void> {
  await tx`
    update products set updated_at = now()
    where account_id = ${accountId} and id = any(${productIds}::bigint[])`
}

/**
 * The old and the new key of a price of a product: an own price of its schedules and timeslots, or a net
 * price of a partner. rekeyPrices() and rekeyNetPrices() delete prices whose key has no KeyChange.
 */
export type KeyChange = { productId: number; was: string; becomes: string }

/** The products whose prices get other keys, and the changes of these keys. */
export type Rekeying = { productIds: number[]; keys: KeyChange[] }

/**
 * Changes the keys of the own prices of the schedules of products, or of their timeslots. The caller has
 * locked these timeslots.
 */
export async function rekeyPrices(
  tx: Transaction,
  accountId: number,
  of: 'schedules' | 'timeslots',
  { productIds, keys }: Rekeying,
): Promise<void> {
  if (productIds.length === 0) return
  await tx`
    update ${tx(of)} set unit_prices = (
      select jsonb_object_agg(given.becomes, price.minor)
      from jsonb_each(unit_prices) as price (key, minor)
      join jsonb_to_recordset(${tx.json(keys)}) as given ("productId" bigint, was text, becomes text)
        on given.was = price.key
      where given."productId" = ${tx(of)}.product_id
    )
    where account_id = ${accountId} and product_id = any(${productIds}::bigint[]) and unit_prices is not null`
}

/**
 * Changes the keys of the partners' net prices of products, and deletes net prices whose key has no
 * KeyChange. If no net price of a partner remains, the partner owes the whole price: a commission of 0. The
 * caller has locked the account. Returns the partners whose terms changed; `hasLost`: whether a net price was
 * deleted.
 */
export function rekeyNetPrices(
  tx: Transaction,
  accountId: number,
  { productIds, keys }: Rekeying,
): Promise<{ id: number; name: string; hasLost: boolean }[]> {
  return tx<{ id: number; name: string; hasLost: boolean }[]>`
    with becomes as (
      select terms.id, kept.prices, kept.count < (select count(*) from jsonb_object_keys(net_prices)) as is_lost
      from partner_terms as terms
      cross join lateral (
        select jsonb_object_agg(given.becomes, price.minor) as prices, count(*) as count
        from jsonb_each(net_prices) as price (key, minor)
        join jsonb_to_recordset(${tx.json(keys)}) as given ("productId" bigint, was text, becomes text)
          on given."productId" = terms.product_id and given.was = price.key
      ) as kept
      where terms.account_id = ${accountId} and terms.product_id = any(${productIds}::bigint[])
        and net_prices is not null
    ), changed as (
      update partner_terms as terms set net_prices = becomes.prices,
        commission_bp = case when becomes.prices is null then 0 end
      from becomes
      where terms.account_id = ${accountId} and terms.id = becomes.id
        and terms.net_prices is distinct from becomes.prices
      returning partner_id, is_lost
    )
    select partners.id, partners.name, bool_or(is_lost) as "hasLost"
    from changed join partners on partners.account_id = ${accountId} and partners.id = partner_id
    group by partners.id, partners.name order by partners.id`
}

/** Locks the timeslots of a product that have own prices, in the order of their ids. */
export async function lockPriced(tx: Transaction, accountId: number, productId: number): Promise<void> {
  await tx`
    select from timeslots
    where account_id = ${accountId} and product_id = ${productId} and unit_prices is not null
    order by id for update`
}
