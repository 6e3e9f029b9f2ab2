/** The SQL that reads, adds and changes products. */
import type { RefundStep } from '../inventory/refund-terms.ts'
import type { Queryable, Transaction } from '../platform/postgres/database.ts'
import type { ProductRow, ProductRules, Unit } from './model.ts'
import type { Translation } from './translation.ts'
import { translationColumn } from './translation-queries.ts'

/** A product. `activityId` is the UUID of its ActivityID, without the prefix `s_`. */
export type Product = ProductRow &
  ProductRules & {
    id: number
    activityId: string
    /** The units that the product sells, in the operator's order; null for a product without units. */
    units: Unit[] | null
    /** Whether schedules or timeslots have prices of their own. */
    hasOwnPrices: boolean
    updatedAt: Date
    /** The refund terms for new bookings; empty when there are none. */
    refundTerms: RefundStep[]
    /**
     * The translation to the first of the reader's languages that the product has; null if it has none of
     * them, and undefined if the query named no language.
     */
    translation?: Translation | null
  }

/**
 * The columns of a Product, from `products`.
 * @param languages the languages that the reader prefers to the products' own language, best first.
 */
export const productColumns = (sql: Queryable, languages: readonly string[] = []) => sql`
  id, activity_id as "activityId", name, description, duration_minutes as "durationMinutes",
  price_minor as "priceMinor", currency, time_zone as "timeZone", in_shopfront as "inShopfront",
  booking_cutoff_minutes as "bookingCutoffMinutes", cancel_cutoff_minutes as "cancelCutoffMinutes", min_places as "minPlaces", max_places as "maxPlaces",
  priced_per_booking as "pricedPerBooking", takes_timeslot as "takesTimeslot", has_own_prices as "hasOwnPrices",
  case when default_unit_id is not null then (
    select json_agg(json_build_object('id', unit.id, 'name', unit.name, 'type', unit.type,
      'priceMinor', coalesce(unit.price_minor, products.price_minor), 'currency', products.currency,
      'places', unit.places, 'people', unit.people, 'minAge', unit.min_age, 'maxAge', unit.max_age,
      'minQuantity', unit.min_quantity, 'maxQuantity', unit.max_quantity, 'accompaniedBy', unit.accompanied_by,
      'isDefault', unit.id = products.default_unit_id) order by unit.position)
    from units as unit
    where unit.account_id = products.account_id and unit.product_id = products.id and unit.position is not null
  ) end as units, updated_at as "updatedAt",
  coalesce((
    select steps from refund_terms as terms
    where terms.account_id = products.account_id and terms.product_id = products.id
    order by since desc limit 1
  ), '[]') as "refundTerms"${translationColumn(sql, languages)}`

export type ProductFilter = {
  ids?: number[] | undefined
  name?: string | undefined
  /** Only products in the shopfront (true), or only others (false). If left out, all products. */
  inShopfront?: boolean | undefined
  after?: number | undefined
  limit?: number | undefined
  /** The languages that the reader prefers to the products' own language, best first. */
  languages?: readonly string[] | undefined
}

/**
 * At most `limit` products with an ID above `after`, in the order of their IDs. If `name` is given, only
 * products whose own name, or name in one of `languages`, contains it, without regard to case.
 */
export function listProducts(
  sql: Queryable,
  accountId: number,
  { ids, name, inShopfront, after, limit, languages = [] }: ProductFilter,
): Promise<Product[]> {
  return sql<Product[]>`
    select ${productColumns(sql, languages)} from products
    where account_id = ${accountId} and id > ${after ?? 0}
      ${ids === undefined ? sql`` : sql`and id = any(${ids}::bigint[])`}
      ${inShopfront === undefined ? sql`` : inShopfront ? sql`and in_shopfront` : sql`and not in_shopfront`}
      ${name === undefined ? sql`` : sql`and ${hasName(sql, name, languages)}`}
    order by id
    limit ${limit ?? null}`
}

function hasName(sql: Queryable, name: string, languages: readonly string[]) {
  const own = sql`strpos(lower(name), lower(${name})) > 0`
  if (languages.length === 0) return own
  return sql`(${own} or exists (
    select from product_translations as said
    where said.account_id = products.account_id and said.product_id = products.id
      and said.language = any(${[...languages]}::text[]) and strpos(lower(said.name), lower(${name})) > 0
  ))`
}

/** The ids and names of all products, sorted by name without regard to case. */
export function listProductNames(sql: Queryable, accountId: number) {
  return sql<{ id: number; name: string }[]>`
    select id, name from products where account_id = ${accountId} order by lower(name)`
}

export async function findProduct(
  sql: Queryable,
  accountId: number,
  id: number,
  languages: readonly string[] = [],
) {
  const [product] = await sql<Product[]>`
    select ${productColumns(sql, languages)} from products where account_id = ${accountId} and id = ${id}`
  return product ?? null
}

/**
 * The product with this name, without regard to case; null if there is none. Names are unique in an account.
 */
export async function findProductByName(
  sql: Queryable,
  accountId: number,
  name: string,
  languages: readonly string[] = [],
) {
  const [product] = await sql<Product[]>`
    select ${productColumns(sql, languages)} from products
    where account_id = ${accountId} and lower(name) = lower(${name})`
  return product ?? null
}

/**
 * Of the products in the shopfront that have this name in a translation, without regard to case, the one with
 * the lowest id. Null if there is none.
 * @param languages the languages of the translation in the result. They do not limit the search.
 */
export async function findProductByTranslation(
  sql: Queryable,
  accountId: number,
  name: string,
  languages: readonly string[],
) {
  const [product] = await sql<Product[]>`
    select ${productColumns(sql, languages)} from products
    where account_id = ${accountId} and in_shopfront and id in (
      select product_id from product_translations
      where account_id = ${accountId} and lower(name) = lower(${name})
    )
    order by id limit 1`
  return product ?? null
}

/** `activity` is the UUID of the ActivityID. If it is null, PostgreSQL generates one. */
export type NewProduct = ProductRow & { activity: string | null }

/**
 * Counts the products of an account, and its schedules. The schedules of the products `exceptOf` are not
 * counted.
 */
export async function countCatalogue(sql: Queryable, accountId: number, exceptOf: readonly number[] = []) {
  const [row] = await sql<{ products: number; schedules: number }[]>`
    select
      (select count(*) from products where account_id = ${accountId}) as products,
      (
        select count(*) from schedules
        where account_id = ${accountId} and product_id <> all(${[...exceptOf]}::bigint[])
      ) as schedules`
  return row!
}

/** Adds products, and returns their ids, which ascend in the order of `products`. */
export async function insertProducts(
  tx: Transaction,
  accountId: number,
  products: NewProduct[],
): Promise<number[]> {
  const made = await tx<{ id: number }[]>`
    insert into products (account_id, activity_id, name, description, duration_minutes, price_minor, currency,
      time_zone, in_shopfront, booking_cutoff_minutes, cancel_cutoff_minutes, min_places, max_places,
      priced_per_booking, takes_timeslot, has_partner_terms)
    select ${accountId}, coalesce(activity, gen_random_uuid()), name, description, "durationMinutes",
      "priceMinor", currency, "timeZone", "inShopfront", coalesce("bookingCutoffMinutes", 0),
      coalesce("cancelCutoffMinutes", 0),
      coalesce("minPlaces", 1), coalesce("maxPlaces", 999), coalesce("pricedPerBooking", false),
      coalesce("takesTimeslot", false),
      exists (select from partner_terms where account_id = ${accountId} and product_id is null)
    from rows from (jsonb_to_recordset(${tx.json(products)}) as (
      activity uuid, name text, description text, "durationMinutes" integer, "priceMinor" bigint,
      currency text, "timeZone" text, "inShopfront" boolean, "bookingCutoffMinutes" integer,
      "cancelCutoffMinutes" integer,
      "minPlaces" integer, "maxPlaces" integer, "pricedPerBooking" boolean, "takesTimeslot" boolean
    )) with ordinality
    order by ordinality
    returning id`
  return made.map(({ id }) => id)
}

/** A product, with its changed fields by their names in the API. */
export type ChangedProduct = { id: number; fields: string[] }

/**
 * Updates those of the products whose stored fields differ from the given ones, and sets their `updated_at`.
 * Returns only these products.
 */
export function updateProducts(
  tx: Transaction,
  accountId: number,
  products: (ProductRow & { id: number })[],
): Promise<ChangedProduct[]> {
  return tx<ChangedProduct[]>`
    update products set name = given.name, description = given.description,
      duration_minutes = given."durationMinutes", price_minor = given."priceMinor",
      currency = given.currency, time_zone = given."timeZone", in_shopfront = given."inShopfront",
      booking_cutoff_minutes = coalesce(given."bookingCutoffMinutes", was.booking_cutoff_minutes),
      cancel_cutoff_minutes = coalesce(given."cancelCutoffMinutes", was.cancel_cutoff_minutes),
      min_places = coalesce(given."minPlaces", was.min_places),
      max_places = coalesce(given."maxPlaces", was.max_places),
      priced_per_booking = coalesce(given."pricedPerBooking", was.priced_per_booking),
      takes_timeslot = coalesce(given."takesTimeslot", was.takes_timeslot), updated_at = now()
    from jsonb_to_recordset(${tx.json(products)}) as given (
      id bigint, name text, description text, "durationMinutes" integer, "priceMinor" bigint,
      currency text, "timeZone" text, "inShopfront" boolean, "bookingCutoffMinutes" integer,
      "cancelCutoffMinutes" integer,
      "minPlaces" integer, "maxPlaces" integer, "pricedPerBooking" boolean, "takesTimeslot" boolean
    ) join products as was on was.account_id = ${accountId} and was.id = given.id
    where products.account_id = was.account_id and products.id = was.id
      and (was.name, was.description, was.duration_minutes, was.price_minor, was.currency, was.time_zone,
        was.in_shopfront, was.booking_cutoff_minutes, was.cancel_cutoff_minutes, was.min_places, was.max_places, was.priced_per_booking,
        was.takes_timeslot) is distinct from (given.name, given.description,
        given."durationMinutes", given."priceMinor", given.currency, given."timeZone", given."inShopfront",
        coalesce(given."bookingCutoffMinutes", was.booking_cutoff_minutes),
        coalesce(given."cancelCutoffMinutes", was.cancel_cutoff_minutes),
        coalesce(given."minPlaces", was.min_places), coalesce(given."maxPlaces", was.max_places),
        coalesce(given."pricedPerBooking", was.priced_per_booking),
        coalesce(given."takesTimeslot", was.takes_timeslot))
    returning products.id, array_remove(array[
      case when was.name <> products.name then 'Name' end,
      case when was.description <> products.description then 'Description' end,
      case when was.duration_minutes <> products.duration_minutes then 'DurationMinutes' end,
      case when (was.price_minor, was.currency) <> (products.price_minor, products.currency) then 'Price' end,
      case when was.time_zone <> products.time_zone then 'TimeZone' end,
      case when was.in_shopfront <> products.in_shopfront then 'InShopfront' end,
      case when was.booking_cutoff_minutes <> products.booking_cutoff_minutes then 'BookingCutoffMinutes' end,
      case when was.cancel_cutoff_minutes <> products.cancel_cutoff_minutes then 'CancelCutoffMinutes' end,
      case when was.min_places <> products.min_places then 'MinPlaces' end,
      case when was.max_places <> products.max_places then 'MaxPlaces' end,
      case when was.priced_per_booking <> products.priced_per_booking then 'PricedPer' end,
      case when was.takes_timeslot <> products.takes_timeslot then 'TakesTimeslot' end
    ], null) as fields`
}
