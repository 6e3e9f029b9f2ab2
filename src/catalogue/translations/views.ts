/** Translations in responses. */
import type { Static } from '../../platform/schema/typebox.ts'
import type { Translation } from '../translation.ts'
import type { translationSchema } from './schemas.ts'
import type { TranslatedProduct } from './service.ts'

/** Every translation, with null for each text that it lacks. */
export function translationViews({ words, translations }: Pick<TranslatedProduct, 'words' | 'translations'>) {
  return translations.map((translation) => translationView(words, translation))
}

function translationView(
  texts: readonly string[],
  { language, name, description, words }: Translation,
): Static<typeof translationSchema> {
  return {
    Language: language,
    Name: name || null,
    Description: description || null,
    Texts: texts.map((text) => {
      return { Text: text, Translation: (Object.hasOwn(words, text) && words[text]) || null }
    }),
  }
}
