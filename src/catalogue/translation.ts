/**
 * A product's texts in another language. `words` has the translations of the names of units, of questions and
 * of their options. Its keys are the texts in the product's own language, and answers store options in that
 * language. Pure.
 */

export type Translation = {
  /** Two letters of ISO 639-1. */
  language: string
  /** Empty if the name is not translated. */
  name: string
  /** Empty if the description is not translated. */
  description: string
  /** The translations of other texts, by the product's own text. */
  words: Readonly<Record<string, string>>
}

type OwnQuestion = { label: string; options: readonly string[] }
type OwnTexts = { name: string; description: string; units: readonly { name: string }[] | null }

/** The translation of a text; empty if it has none. */
export function translationOf(translation: Pick<Translation, 'words'> | undefined, text: string): string {
  return (translation && Object.hasOwn(translation.words, text) && translation.words[text]) || ''
}

/** The translation of a text, or the text itself if it has no translation. */
export function translateText(translation: Pick<Translation, 'words'>, text: string): string {
  return translationOf(translation, text) || text
}

/**
 * The product in the language of its translation. A text without a translation stays in the product's own
 * language.
 */
export function translated<Product extends OwnTexts>(
  product: Product & { translation?: Translation | null },
): Product {
  const { translation, name, description, units } = product
  if (!translation) return product
  return {
    ...product,
    name: translation.name || name,
    description: translation.description || description,
    units: units?.map((unit) => ({ ...unit, name: translateText(translation, unit.name) })) ?? null,
  }
}

/**
 * The question in the language of a translation; unchanged without one. `options` stay in the product's own
 * language, because answers store them; `optionLabels` are what the customer reads.
 */
export function translatedQuestion<Question extends OwnQuestion>(
  question: Question,
  translation: Translation | null | undefined,
): Question & { optionLabels?: string[] } {
  if (!translation) return question
  const { label, options } = question
  const optionLabels = options.map((option) => translateText(translation, option))
  return { ...question, label: translateText(translation, label), optionLabels }
}

/**
 * The names of units, then the questions with their options. A text that occurs more than once is listed
 * once.
 */
export function wordsOf(
  units: readonly { name: string }[] | null,
  questions: readonly OwnQuestion[],
): string[] {
  const texts = [
    ...(units ?? []).map(({ name }) => name),
    ...questions.flatMap(({ label, options }) => [label, ...options]),
  ]
  return [...new Set(texts)]
}
