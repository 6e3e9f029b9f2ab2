/** The SQL that reads and replaces translations of products, and the language of the products' own texts. */
import { defaultLocale, type Language, languageOf } from '../languages/locales.ts'
import type { Fragment, Queryable, Transaction } from '../platform/postgres/database.ts'
import type { Translation } from './translation.ts'

const columns = (sql: Queryable) => sql`language, name, description, words`

/** The translations of a product, by language. */
export function listTranslations(sql: Queryable, accountId: number, productId: number) {
  return sql<Translation[]>`
    select ${columns(sql)} from product_translations
    where account_id = ${accountId} and product_id = ${productId}
    order by language`
}

/**
 * The translations of the products `ids`, or of all products of the account, ordered by product and language.
 * If `language` is given, only translations to it.
 */
export function listTranslationsOf(
  sql: Queryable,
  accountId: number,
  { ids, language }: { ids?: readonly number[]; language?: string } = {},
) {
  return sql<(Translation & { productId: number })[]>`
    select product_id as "productId", ${columns(sql)} from product_translations
    where account_id = ${accountId}
      ${ids === undefined ? sql`` : sql`and product_id = any(${[...ids]}::bigint[])`}
      ${language === undefined ? sql`` : sql`and language = ${language}`}
    order by product_id, language`
}

/** The translations to one language of the products whose ActivityIDs have these UUIDs. */
export function listTranslationsOfActivities(
  sql: Queryable,
  accountId: number,
  { activities, language }: { activities: readonly string[]; language: string },
) {
  return sql<(Translation & { activity: string; ownName: string })[]>`
    select products.activity_id as activity, products.name as "ownName", language, translation.name,
      translation.description, words
    from products
    join product_translations as translation
      on translation.account_id = products.account_id and translation.product_id = products.id
    where products.account_id = ${accountId} and activity_id = any(${[...activities]}::uuid[])
      and language = ${language}`
}

/**
 * A comma and the column `translation` for a query of `products`: the translation to the first of `languages`
 * that the product has, or null. If `languages` is empty, the fragment is empty.
 */
export function translationColumn(sql: Queryable, languages: readonly string[]) {
  if (languages.length === 0) return sql``
  const wanted = sql`${[...languages]}::text[]`
  return sql`, (
    select json_build_object('language', said.language, 'name', said.name, 'description', said.description,
      'words', said.words)
    from product_translations as said
    where said.account_id = products.account_id and said.product_id = products.id and said.language = any(${wanted})
    order by array_position(${wanted}, said.language) limit 1
  ) as translation`
}

/** The languages that products of an account are translated to. */
export async function listLanguages(sql: Queryable, accountId: number): Promise<string[]> {
  const rows = await sql<{ language: string }[]>`
    select distinct language from product_translations where account_id = ${accountId} order by language`
  return rows.map(({ language }) => language)
}

/** The language of the own texts of an account's products. */
export async function findProductLanguage(sql: Queryable, accountId: number): Promise<Language> {
  const [row] = await sql<{ language: Language }[]>`
    select ${productLanguage(sql, sql`${accountId}::bigint`)} as language`
  return row!.language
}

/**
 * The language of the own texts of an account's products. While any product of the account has a
 * translation, this is the language that the account had when the first translation was stored, otherwise
 * the account's current language. For a test account, the language of its live account.
 */
export function productLanguage(sql: Queryable, accountId: Fragment) {
  return sql`coalesce(
    (select product_language from accounts where account_id = abs(${accountId})),
    (select left(locale, 2) from business_details where account_id = abs(${accountId})), ${languageOf(defaultLocale)})`
}

/** Gives another account the language of the own texts of an account's products. */
export async function copyProductLanguage(
  tx: Transaction,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await tx`
    update accounts set product_language = ${productLanguage(tx, tx`${from}::bigint`)} where account_id = ${to}`
}

/**
 * Stores the language of the products' own texts while the account has translations, so that a change of the
 * account's language does not change it. Clears the stored language when the account has no translations.
 */
async function storeProductLanguage(tx: Transaction, accountId: number): Promise<void> {
  const language = await findProductLanguage(tx, accountId)
  await tx`
    with kept as (
      select case when exists (select from product_translations where account_id = ${accountId}) then ${language} end
        as language
    )
    update accounts set product_language = kept.language from kept
    where account_id = ${accountId} and product_language is distinct from kept.language`
}

/**
 * Replaces the translations of products of a locked account; returns the ids of products whose translations
 * changed.
 */
export async function replaceTranslations(
  tx: Transaction,
  accountId: number,
  lists: readonly { productId: number; translations: readonly Translation[] }[],
): Promise<number[]> {
  const ids = lists.map(({ productId }) => productId)
  const rows = lists.flatMap(({ productId, translations }) =>
    translations.map((translation) => ({ productId, ...translation })),
  )
  const changed = await tx<{ id: number }[]>`
    with given as (
      select * from jsonb_to_recordset(${tx.json(rows)}) as given (
        "productId" bigint, language text, name text, description text, words jsonb
      )
    ), deleted as (
      delete from product_translations as was
      where account_id = ${accountId} and product_id = any(${ids}::bigint[])
        and not exists (select from given where "productId" = product_id and given.language = was.language)
      returning product_id
    ), written as (
      insert into product_translations as was (account_id, product_id, language, name, description, words)
      select ${accountId}, "productId", language, name, description, words from given
      on conflict (account_id, product_id, language) do update
        set name = excluded.name, description = excluded.description, words = excluded.words
        where (was.name, was.description, was.words)
          is distinct from (excluded.name, excluded.description, excluded.words)
      returning product_id
    )
    update products set updated_at = now()
    where account_id = ${accountId}
      and id in (select product_id from deleted union select product_id from written)
    returning id`
  await storeProductLanguage(tx, accountId)
  return changed.map(({ id }) => id)
}
