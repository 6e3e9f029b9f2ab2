/** Pure functions that check the translations of a product and convert them for the database. */
import type { FieldError } from '../../platform/schema/validation.ts'
import type { Translation } from '../translation.ts'
import type { StatedTranslation } from './schemas.ts'

/** The own texts of a product that have no translation; without a translation (null), all its texts. */
export function missingTexts(
  { name, description }: { name: string; description: string },
  words: readonly string[],
  translation: Translation | null,
): string[] {
  return [
    ...(translation?.name ? [] : [name]),
    ...(translation?.description || description.trim() === '' ? [] : [description]),
    ...words.filter((text) => !(translation && Object.hasOwn(translation.words, text))),
  ]
}

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

function isLanguage(letters: string): boolean {
  return languageNames.of(letters) !== undefined
}

/**
 * Checks that each translation is to a language of ISO 639-1 other than the product's own, that no language
 * is repeated, that each `Text` is a text of the product, and that no list `Texts` has the same `Text` twice.
 * Returns the errors.
 * @param own the language of the product's own texts.
 * @param words the names of the product's units, its questions and their options.
 */
export function checkTranslations(
  translations: readonly StatedTranslation[],
  { own, words }: { own: string; words: readonly string[] },
): FieldError[] {
  const known = new Set(words)
  const given = new Map<string, number>()
  return translations.flatMap(({ Language, Texts = [] }, index): FieldError[] => {
    const at = `Translations[${index}]`
    const errors: FieldError[] = []
    const before = given.get(Language)
    const fault = languageFault(Language, own)
    if (fault) errors.push({ field: `${at}.Language`, message: fault })
    else if (before !== undefined)
      errors.push({ field: `${at}.Language`, message: `is the Language of Translations[${before}]` })
    else given.set(Language, index)
    const free = new Set(known)
    for (const [place, { Text }] of Texts.entries()) {
      if (!free.delete(Text))
        errors.push({
          field: `${at}.Texts[${place}].Text`,
          message: 'must be the name of a unit, a question or an option of the product, and only once',
        })
    }
    return errors
  })
}

function languageFault(language: string, own: string): string | null {
  if (!isLanguage(language)) return 'must be a language of ISO 639-1, for example pt'
  return language === own ? 'is the language of the product itself: change the product' : null
}

/**
 * Converts translations for the database, ordered by language. checkTranslations() must have found no errors
 * in them. The result has no blank texts and no translations without texts.
 */
export function toTranslations(translations: readonly StatedTranslation[]): Translation[] {
  return translations
    .map(({ Language, Name = '', Description = '', Texts = [] }) => {
      const words = Texts.flatMap(({ Text, Translation = '' }) =>
        isBlank(Translation) ? [] : [[Text, Translation]],
      )
      return {
        language: Language,
        name: isBlank(Name) ? '' : Name,
        description: isBlank(Description) ? '' : Description,
        words: Object.fromEntries(words) as Record<string, string>,
      }
    })
    .filter(({ name, description, words }) => name || description || Object.keys(words).length > 0)
    .sort((one, other) => (one.language < other.language ? -1 : 1))
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}
