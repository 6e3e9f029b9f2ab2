/**
 * SQL that only the import and the export of a catalogue use. It finds products by the names and ActivityIDs
 * in a file, reads and replaces questions, and updates the planner's statistics. copy-queries.ts has the SQL
 * of the preview.
 */
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import type { FileQuestion } from './schemas.ts'

/**
 * A name in the file and the existing product with this name. `id`, `activity` and `timeZone` are null if no
 * product has it. `place` is the position of the name in the file, and `firstPlace` is the first position of
 * the same name; for a repeated name, they differ.
 */
export type NamedProductRow = {
  place: number
  firstPlace: number
  id: number | null
  activity: string | null
  timeZone: string | null
}

/** For each name, in order, the account's product with this name, without regard to case. */
export function listProductsByName(
  tx: Transaction,
  accountId: number,
  names: string[],
): Promise<NamedProductRow[]> {
  return tx<NamedProductRow[]>`
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

export type FileQuestionRow = Required<FileQuestion> & { productId: number; position: number }

/**
 * Replaces the questions of the products `productIds` with the given ones. A question with the same label and
 * type keeps its id. Returns the ids of the products whose questions changed.
 */
export function replaceQuestions(
  tx: Transaction,
  accountId: number,
  productIds: number[],
  questions: FileQuestionRow[],
): Promise<{ productId: number }[]> {
  // A product may have several questions with the same label and type. `nth` matches them in their order.
  return tx<{ productId: number }[]>`
    with given as (
      select "productId" as product_id, position, "Label" as label, "Type" as type, "Required" as required,
        "Options" as options, "AppliesTo" as applies_to,
        row_number() over (partition by "productId", "Label", "Type" order by position) as nth
      from jsonb_to_recordset(${tx.json(questions)}) as (
        "productId" bigint, position integer, "Label" text, "Type" text, "Required" boolean,
        "Options" text[], "AppliesTo" text
      )
    ), existing as (
      select product_id, label, type, id,
        row_number() over (partition by product_id, label, type order by position, id) as nth
      from questions where account_id = ${accountId} and product_id = any(${productIds}::bigint[])
    ), matched as (
      select * from given full join existing using (product_id, label, type, nth)
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

export function listQuestions(sql: Queryable, accountId: number): Promise<FileQuestionRow[]> {
  return sql<FileQuestionRow[]>`
    select product_id as "productId", position, label as "Label", type as "Type", required as "Required",
      options as "Options", applies_to as "AppliesTo"
    from questions where account_id = ${accountId} order by product_id, position, id`
}

/** Updates the statistics that PostgreSQL's planner has about the tables of the catalogue. */
export async function analyzeCatalogue(sql: Queryable): Promise<void> {
  await sql`analyze products, questions, product_translations, schedules, timeslots`
}
