/** Use cases of translations. Each change locks the account, as all changes of products do. */
import { lockAccount } from '../../accounts/service.ts'
import type { Authorship } from '../../events/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { problems } from '../../http/problems.ts'
import { requireVersion, versionOf } from '../../http/versions.ts'
import type { Queryable, Transaction } from '../../platform/postgres/database.ts'
import { changedEvents } from '../product-events.ts'
import type { Product } from '../queries.ts'
import { listQuestions } from '../question-queries.ts'
import { getProduct } from '../reading.ts'
import { type Translation, wordsOf } from '../translation.ts'
import * as queries from '../translation-queries.ts'
import { checkTranslations, toTranslations } from './model.ts'
import type { StatedTranslation } from './schemas.ts'

/** A product with its translations. */
export type TranslatedProduct = {
  product: Product
  /** The language of the product's own texts. */
  own: string
  /** The names of its units, its questions and their options, in the product's own language. */
  words: string[]
  translations: Translation[]
}

/** @throws Problem not-found when the account has no such product. */
export async function readTranslations(
  sql: Queryable,
  accountId: number,
  productId: number,
): Promise<TranslatedProduct> {
  const product = await getProduct(sql, accountId, productId)
  const questions = await listQuestions(sql, accountId, productId)
  const translations = await queries.listTranslations(sql, accountId, productId)
  const own = await queries.findProductLanguage(sql, accountId)
  return { product, own, words: wordsOf(product.units, questions), translations: [...translations] }
}

/**
 * The data from which the version of a translation form is computed: the translations and the texts to
 * translate.
 */
export function editedPart({ words, translations }: TranslatedProduct) {
  return { words, translations }
}

/**
 * Replaces the translations of a product.
 * @param seen the version (editedPart()) that the caller has read, if it sends one.
 * @throws Problem not-found; edited-meanwhile; validation for the language of the product itself, for a
 * language that is repeated or not in ISO 639-1, and for a text that is repeated or not a text of the
 * product.
 */
export async function replaceTranslations(
  tx: Transaction,
  by: Authorship,
  { productId, translations, seen }: { productId: number; translations: StatedTranslation[]; seen?: string },
): Promise<TranslatedProduct> {
  const { accountId } = by
  await lockAccount(tx, accountId)
  const existing = await readTranslations(tx, accountId, productId)
  // A form that release 0.1 of the service sent out has a version that is computed from the translations
  // alone.
  if (seen !== versionOf(existing.translations)) requireVersion(seen, editedPart(existing))
  const errors = checkTranslations(translations, existing)
  if (errors.length > 0) throw problems.validation(errors)
  const given = [{ productId, translations: toTranslations(translations) }]
  const changed = await queries.replaceTranslations(tx, accountId, given)
  await appendEvents(
    tx,
    changedEvents(
      by,
      changed.map((id) => ({ id, fields: ['Translations'] })),
    ),
  )
  return readTranslations(tx, accountId, productId)
}
