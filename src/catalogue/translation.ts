/**
 * A product's texts in another language. `words` translates the names of units, the questions and their options by their
 * text. Units keep their ids, and answers store the product's own options. Pure.
 */

export type Translation = {
  /** Two letters of ISO 639-1. */
  language: string
  /** Empty if the name is not translated. The same is true for `description`. */
  name: string
  description: string
  /** The translations of other texts, by the product's own text. */
  words: Readonly<Record<string, string>>
}

type OwnQuestion = { label: string; options: readonly string[] }
type OwnTexts = { name: string; description: string; units: readonly { name: string }[] | null }

/** The translation of a text; the text itself where there is none. */
export function translateText({ words }: Pick<Translation, 'words'>, text: string): string {
  return (Object.hasOwn(words, text) && words[text]) || text
}

/** The product in the language of its translation. A text without a translation stays in the product's own language. */
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

/** The question in the language of a translation. `options` do not change, because answers store them. */
export function translatedQuestion<Question extends OwnQuestion>(
  question: Question,
  translation: Translation | null | undefined,
): Question & { optionLabels?: string[] } {
  if (!translation) return question
  const { label, options } = question
  const optionLabels = options.map((option) => translateText(translation, option))
  return { ...question, label: translateText(translation, label), optionLabels }
}

/** The texts of units and questions, each once, in their order. */
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
