/**
 * The SQL that lists and replaces the questions of products. file/queries.ts has the SQL for importing
 * questions.
 */
import type { Fragment, Queryable, Transaction } from '../platform/postgres/database.ts'
import type { Translation } from './translation.ts'
import { translationColumn } from './translation-queries.ts'

export type QuestionFields = {
  label: string
  type: string
  required: boolean
  options: string[]
  appliesTo: string
}
export type Question = QuestionFields & {
  id: number
  /**
   * The translations of `options`, in the same order. translatedQuestion() sets it; queries leave it
   * undefined.
   */
  optionLabels?: string[]
}
export type ProductQuestion = Question & { productId: number; productName: string }

/**
 * A product's questions in the operator's order, and the product's translation to the first of `languages`
 * that it has. Null if the account has no such product in the shopfront.
 */
export async function listQuestionsOfActivity(
  sql: Queryable,
  accountId: number,
  activity: string,
  languages: readonly string[],
) {
  const rows = await sql<((Question | { id: null }) & { translation?: Translation | null })[]>`
    select questions.id, label, type, required, options, applies_to as "appliesTo"${translationColumn(sql, languages)}
    from products
    left join questions on questions.account_id = products.account_id and questions.product_id = products.id
    where products.account_id = ${accountId} and activity_id = ${activity} and in_shopfront
    order by position`
  if (rows.length === 0) return null
  const translation = rows[0]!.translation ?? null
  return { translation, questions: rows.filter((row): row is Question => row.id !== null) }
}

export function listQuestions(sql: Queryable, accountId: number, productId: number): Promise<Question[]> {
  return sql<Question[]>`
    select id, label, type, required, options, applies_to as "appliesTo" from questions
    where account_id = ${accountId} and product_id = ${productId}
    order by position, id`
}

/** The questions of several products, by product and in the operator's order. */
export function listQuestionsOf(
  sql: Queryable,
  accountId: number,
  productIds: readonly number[],
): Promise<ProductQuestion[]> {
  return selectProductQuestions(sql, accountId, sql`product_id = any(${[...productIds]}::bigint[])`)
}

/** The questions with these ids that still exist, by product and in the operator's order. */
export function listQuestionsByIds(
  sql: Queryable,
  accountId: number,
  ids: readonly number[],
): Promise<ProductQuestion[]> {
  return selectProductQuestions(sql, accountId, sql`questions.id = any(${[...ids]}::bigint[])`)
}

function selectProductQuestions(sql: Queryable, accountId: number, condition: Fragment) {
  return sql<ProductQuestion[]>`
    select questions.id, label, type, required, options, applies_to as "appliesTo", product_id as "productId",
      products.name as "productName"
    from questions
    join products on products.account_id = questions.account_id and products.id = product_id
    where questions.account_id = ${accountId} and ${condition}
    order by product_id, position, questions.id`
}

/**
 * Replaces the questions of a product: updates the questions with an id, adds the questions without an id,
 * and deletes all other questions of the product.
 */
export async function replaceQuestions(
  tx: Transaction,
  accountId: number,
  productId: number,
  questions: (QuestionFields & { id: number | null })[],
): Promise<void> {
  await tx`
    with given as (
      select * from rows from (jsonb_to_recordset(${tx.json(questions)}) as (
        id bigint, label text, type text, required boolean, options text[], "appliesTo" text
      )) with ordinality as given (id, label, type, required, options, applies_to, position)
    ), deleted as (
      delete from questions
      where account_id = ${accountId} and product_id = ${productId}
        and not exists (select from given where given.id = questions.id)
    ), updated as (
      update questions set position = given.position, label = given.label, type = given.type,
        required = given.required, options = given.options, applies_to = given.applies_to
      from given
      where account_id = ${accountId} and product_id = ${productId} and questions.id = given.id
    )
    insert into questions (account_id, product_id, position, label, type, required, options, applies_to)
    select ${accountId}, ${productId}, position, label, type, required, options, applies_to
    from given where id is null
    order by position`
}
