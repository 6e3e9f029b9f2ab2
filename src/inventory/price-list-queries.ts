/** The SQL of price lists: of a timeslot by the name `slot` and its product by the name `products`. */
import type { Queryable } from '../platform/postgres/database.ts'

/** The columns of a PriceList. */
export function priceListColumns(sql: Queryable) {
  return sql`products.id as "productId", products.currency, ${defaultPrice(sql)} as "priceMinor",
    products.default_unit_id as "defaultUnitId", products.min_places as "minPlaces",
    products.max_places as "maxPlaces", products.priced_per_booking as "pricedPerBooking",
    products.takes_timeslot as "takesTimeslot",
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

/** What the default unit costs. A product without prices of its schedules and timeslots pays for no look at them. */
export function defaultPrice(sql: Queryable) {
  return sql`case when products.has_own_prices then coalesce(
      (${ownPrices(sql)} ->> products.default_unit_id::text)::bigint, (${ownPrices(sql)} ->> '0')::bigint,
      products.price_minor) else products.price_minor end`
}

/** The prices of a timeslot and its schedule by unit; the timeslot's come before the schedule's. Null without any. */
function ownPrices(sql: Queryable) {
  return sql`(case when products.has_own_prices then coalesce((
      select schedules.unit_prices from schedules
      where schedules.account_id = slot.account_id and schedules.id = slot.schedule_id
    ), '{}') || coalesce(slot.unit_prices, '{}') end)`
}
