/**
 * Checks the translations of a catalogue file against the texts that the products will have after the import.
 */
import type { Transaction } from '../../platform/postgres/database.ts'
import type { Product } from '../queries.ts'
import { listQuestionsOf } from '../question-queries.ts'
import { wordsOf } from '../translation.ts'
import { findProductLanguage } from '../translation-queries.ts'
import { checkTranslations } from '../translations/model.ts'
import { type Fault, inPointer, type Sketch } from './parse.ts'

type OwnQuestions = { label: string; options: readonly string[] }[]

/** @param products the existing product of each sketch; null for a new one. */
export async function checkFileTranslations(
  tx: Transaction,
  accountId: number,
  sketches: readonly Sketch[],
  products: readonly (Product | null)[],
): Promise<Fault[]> {
  const translating = sketches.flatMap((sketch, index) =>
    sketch.fields.Translations ? [{ sketch, product: products[index]! }] : [],
  )
  if (translating.length === 0) return []
  const own = await findProductLanguage(tx, accountId)
  const kept = translating.flatMap(({ sketch, product }) =>
    product && !sketch.replacesQuestions ? [product.id] : [],
  )
  const questions = await listQuestionsOf(tx, accountId, kept)
  return translating.flatMap(({ sketch, product }) => {
    // If units or questions of the product have errors, the texts of the product after the import are
    // unknown.
    if (sketch.hasUnsoundUnits || sketch.hasUnsoundQuestions) return []
    const asked: OwnQuestions = sketch.replacesQuestions
      ? sketch.questions.map(({ value: { Label, Options = [] } }) => ({ label: Label, options: Options }))
      : questions.filter(({ productId }) => productId === product?.id)
    const units = sketch.fields.Units?.map(({ Name }) => ({ name: Name })) ?? product?.units ?? null
    const words = wordsOf(units, asked)
    return checkTranslations(sketch.fields.Translations!, { own, words }).map(({ field, message }) => {
      return { pointer: `${sketch.pointer}/${inPointer(field)}`, message }
    })
  })
}
