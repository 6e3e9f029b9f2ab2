/** The SQL of price lists. Its parts expect the aliases `slot` (a timeslot) and `products` (its product). */
import type { Queryable } from '../platform/postgres/database.ts'
import type { PriceList, ShownPriceList } from './price-list.ts'

/** Selects the fields of a PriceList. */
export function priceListColumns(sql: Queryable) {
  return sql`products.id as "productId", products.currency, ${defaultPrice(sql)} as "priceMinor",
    products.default_unit_id as "defaultUnitId", products.min_places as "minPlaces",
    products.max_places as "maxPlaces", products.priced_per_booking as "pricedPerBooking",
    products.takes_timeslot as "takesTimeslot", products.has_partner_terms as "hasPartnerTerms",
    case when products.default_unit_id is not null then (
      select json_agg(json_build_object('id', unit.id, 'name', unit.name, 'type', unit.type,
        'priceMinor', case when unit.id = products.default_unit_id then ${defaultPrice(sql)}
          else coalesce((${ownPrices(sql)} ->> unit.id::text)::bigint, unit.price_minor) end,
        'places', unit.places, 'people', unit.people, 'minQuantity', unit.min_quantity,
        'maxQuantity', unit.max_quantity, 'accompaniedBy', unit.accompanied_by) order by unit.position)
      from units as unit
      where unit.account_id = products.account_id and unit.product_id = products.id and unit.position is not null
    ) end as units`
}

/**
 * The price of the default unit, or of a place of a product without units: the own price of the timeslot,
 * else that of the schedule, else the price of the product. The key in `unit_prices` is the id of the default
 * unit, or 0. Schedules are read only if `has_own_prices` is true.
 */
export function defaultPrice(sql: Queryable) {
  const own = (prices: ReturnType<Queryable>) =>
    sql`coalesce(${prices} ->> products.default_unit_id::text, ${prices} ->> '0')`
  return sql`case when products.has_own_prices then coalesce(coalesce(${own(sql`slot.unit_prices`)}, (
      select ${own(sql`schedules.unit_prices`)} from schedules
      where schedules.account_id = slot.account_id and schedules.id = slot.schedule_id
    ))::bigint, products.price_minor) else products.price_minor end`
}

/**
 * The own prices of a timeslot and its schedule, by the id of the unit. Prices of the timeslot take
 * precedence. Null if `has_own_prices` is false.
 */
export function ownPrices(sql: Queryable) {
  return sql`(case when products.has_own_prices then coalesce((
      select schedules.unit_prices from schedules
      where schedules.account_id = slot.account_id and schedules.id = slot.schedule_id
    ), '{}') || coalesce(slot.unit_prices, '{}') end)`
}

type ListedAges = Record<string, { minAge: number | null; maxAge: number | null }>

/**
 * The price lists that pages show, by the id of the timeslot. Takes no locks, and leaves unknown timeslots
 * out.
 */
export async function listPriceLists(
  sql: Queryable,
  accountId: number,
  timeslotIds: readonly number[],
): Promise<Map<number, ShownPriceList>> {
  const rows = await sql<(PriceList & { timeslotId: number; ages: ListedAges })[]>`
    select slot.id as "timeslotId", ${priceListColumns(sql)}, coalesce((
        select jsonb_object_agg(unit.id, jsonb_build_object('minAge', unit.min_age, 'maxAge', unit.max_age))
        from units as unit
        where unit.account_id = products.account_id and unit.product_id = products.id and unit.position is not null
      ), '{}') as ages
    from timeslots as slot
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where slot.account_id = ${accountId} and slot.id = any(${[...timeslotIds]}::bigint[])`
  return new Map(
    rows.map(({ timeslotId, ages, units, ...list }) => {
      const shown = units?.map((unit) => ({ ...unit, ...ages[unit.id]! })) ?? null
      return [timeslotId, { ...list, units: shown }]
    }),
  )
}

/** The names of units by id, including those no longer sold. */
export async function listUnitNames(
  sql: Queryable,
  accountId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<{ id: number; name: string }[]>`
    select id, name from units where account_id = ${accountId} and id = any(${[...ids]}::bigint[])`
  return new Map(rows.map(({ id, name }) => [id, name]))
}
