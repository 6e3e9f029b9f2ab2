/** All SQL of importing and exporting a catalogue, except that of schedules. */
import type { Queryable, Transaction } from '../platform/database.ts'
import type { ProductRow } from './model.ts'
import type { FileQuestion } from './schemas.ts'

/** What stands under a name of the file. `firstPlace` is its own place unless the file has the name before. */
export type NamedProduct = {
  place: number
  firstPlace: number
  id: number | null
  activity: string | null
  timeZone: string | null
}

/** For each name, in their order, the product of the account that has it, ignoring case. */
export function listProductsByName(
  tx: Transaction,
  accountId: number,
  names: string[],
): Promise<NamedProduct[]> {
  return tx<NamedProduct[]>`
    select place::integer - 1 as place,
      min(place) over (partition by lower(given.name))::integer - 1 as "firstPlace",
      products.id, products.activity_id as activity, products.time_zone as "timeZone"
    from unnest(${names}::text[]) with ordinality as given (name, place)
    left join products
      on products.account_id = ${accountId} and lower(products.name) = lower(given.name)
    order by place`
}

export function listActivityOwners(
  tx: Transaction,
  accountId: number,
  activities: string[],
): Promise<{ activity: string; id: number; name: string }[]> {
  return tx<{ activity: string; id: number; name: string }[]>`
    select activity_id as activity, id, name from products
    where account_id = ${accountId} and activity_id = any(${activities}::uuid[])`
}

/** Those of the given time zones that PostgreSQL knows, with the names it writes them by. */
export function listTimeZones(tx: Transaction, zones: string[]): Promise<{ given: string; name: string }[]> {
  return tx<{ given: string; name: string }[]>`
    select given, name from unnest(${zones}::text[]) as given
    join pg_timezone_names on lower(name) = lower(given)`
}

export type LocalTime = { date: string; time: string; timeZone: string }

/** For each local time, in their order, its instant as text; null where a clock change skips it. */
export async function listInstants(tx: Transaction, times: LocalTime[]): Promise<(string | null)[]> {
  const rows = await tx<{ instant: string | null }[]>`
    select local_instant(date + time, zone)::text as instant
    from unnest(
      ${times.map(({ date }) => date)}::date[],
      ${times.map(({ time }) => time)}::time[],
      ${times.map(({ timeZone }) => timeZone)}::text[]
    ) with ordinality as given (date, time, zone, place)
    order by place`
  return rows.map(({ instant }) => instant)
}

/** For each product, the first of its timeslots whose local time does not exist in the new time zone. */
export function listStrandedTimeslots(
  tx: Transaction,
  accountId: number,
  moves: { id: number; timeZone: string }[],
): Promise<{ id: number; date: string; time: string }[]> {
  return tx<{ id: number; date: string; time: string }[]>`
    select distinct on (slot.product_id) slot.product_id as id, slot.date, slot.time
    from unnest(
      ${moves.map(({ id }) => id)}::bigint[], ${moves.map(({ timeZone }) => timeZone)}::text[]
    ) as moved (product_id, zone)
    join timeslots as slot on slot.account_id = ${accountId} and slot.product_id = moved.product_id
    where local_instant(slot.date + slot.time, moved.zone) is null
    order by slot.product_id, slot.date, slot.time`
}

export type NewProduct = ProductRow & { activity: string | null }

/** Adds products, with ids in their order. */
export async function insertProducts(
  tx: Transaction,
  accountId: number,
  products: NewProduct[],
): Promise<void> {
  await tx`
    insert into products (account_id, activity_id, name, description, duration_minutes, price_minor, currency,
      time_zone, in_shopfront)
    select ${accountId}, coalesce(activity, gen_random_uuid()), name, description, "durationMinutes",
      "priceMinor", currency, "timeZone", "inShopfront"
    from rows from (jsonb_to_recordset(${tx.json(products)}) as (
      activity uuid, name text, description text, "durationMinutes" integer, "priceMinor" bigint,
      currency text, "timeZone" text, "inShopfront" boolean
    )) with ordinality
    order by ordinality`
}

/** Sets the fields of products that differ, and only then the time of their update; returns those. */
export function updateProducts(
  tx: Transaction,
  accountId: number,
  products: (ProductRow & { id: number })[],
): Promise<{ id: number }[]> {
  return tx<{ id: number }[]>`
    update products set name = given.name, description = given.description,
      duration_minutes = given."durationMinutes", price_minor = given."priceMinor",
      currency = given.currency, time_zone = given."timeZone", in_shopfront = given."inShopfront",
      updated_at = now()
    from jsonb_to_recordset(${tx.json(products)}) as given (
      id bigint, name text, description text, "durationMinutes" integer, "priceMinor" bigint,
      currency text, "timeZone" text, "inShopfront" boolean
    )
    where products.account_id = ${accountId} and products.id = given.id
      and (products.name, products.description, duration_minutes, price_minor, products.currency, time_zone,
        in_shopfront) is distinct from (given.name, given.description, given."durationMinutes",
        given."priceMinor", given.currency, given."timeZone", given."inShopfront")
    returning products.id`
}

export type QuestionRow = Required<FileQuestion> & { productId: number; position: number }

/**
 * Makes the questions of these products the given ones. One of the same label and type keeps its id, whatever
 * else of it changes. Returns the products whose questions changed.
 */
export function replaceQuestions(
  tx: Transaction,
  accountId: number,
  productIds: number[],
  questions: QuestionRow[],
): Promise<{ productId: number }[]> {
  // A product may ask the same twice, so equal questions are matched by how many of them came before.
  return tx<{ productId: number }[]>`
    with given as (
      select "productId" as product_id, position, "Label" as label, "Type" as type, "Required" as required,
        "Options" as options, "AppliesTo" as applies_to,
        row_number() over (partition by "productId", "Label", "Type" order by position) as nth
      from jsonb_to_recordset(${tx.json(questions)}) as (
        "productId" bigint, position integer, "Label" text, "Type" text, "Required" boolean,
        "Options" text[], "AppliesTo" text
      )
    ), standing as (
      select product_id, label, type, id,
        row_number() over (partition by product_id, label, type order by position, id) as nth
      from questions where account_id = ${accountId} and product_id = any(${productIds}::bigint[])
    ), matched as (
      select * from given full join standing using (product_id, label, type, nth)
    ), deleted as (
      delete from questions using matched
      where account_id = ${accountId} and questions.id = matched.id and matched.position is null
      returning questions.product_id
    ), updated as (
      update questions set position = matched.position, required = matched.required,
        options = matched.options, applies_to = matched.applies_to
      from matched
      where account_id = ${accountId} and questions.id = matched.id and matched.position is not null
        and (questions.position, questions.required, questions.options, questions.applies_to)
          is distinct from (matched.position, matched.required, matched.options, matched.applies_to)
      returning questions.product_id
    ), inserted as (
      insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
      select ${accountId}, product_id, position, label, type, required, options, applies_to
      from matched where id is null
      order by product_id, position
      returning product_id
    )
    select product_id as "productId" from deleted
    union select product_id from updated
    union select product_id from inserted`
}

export type ProductRecord = ProductRow & { id: number; activity: string }

export function listProducts(sql: Queryable, accountId: number): Promise<ProductRecord[]> {
  return sql<ProductRecord[]>`
    select id, activity_id as activity, name, description, duration_minutes as "durationMinutes",
      price_minor as "priceMinor", currency, time_zone as "timeZone", in_shopfront as "inShopfront"
    from products where account_id = ${accountId} order by id`
}

export function listQuestions(sql: Queryable, accountId: number): Promise<QuestionRow[]> {
  return sql<QuestionRow[]>`
    select product_id as "productId", position, label as "Label", type as "Type", required as "Required",
      options as "Options", applies_to as "AppliesTo"
    from questions where account_id = ${accountId} order by product_id, position, id`
}

/** Lets the planner know what the tables hold now. */
export async function analyzeCatalogue(sql: Queryable): Promise<void> {
  await sql`analyze products, questions, schedules, timeslots`
}
