/** Schemas of translations. */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { productFields } from '../schemas.ts'

export const languageSchema = Type.String({
  pattern: '^[a-z]{2}$',
  errorMessage: 'must be a language of ISO 639-1, for example pt',
  description: 'Two letters of ISO 639-1.',
  examples: ['pt'],
})

const maxLanguages = 30
const textSchema = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'The product’s own text: the name of a unit, a question, or an option.',
  examples: ['Adult'],
})
const translationText = Type.String({
  maxLength: 1000,
  description: 'The text in the language. If it is left out, readers get the product’s own text.',
  examples: ['Adulto'],
})
const name = {
  ...productFields.Name,
  description: 'The name in the language.',
  examples: ['Caiaque ao pôr do sol'],
}
const description = {
  ...productFields.Description,
  description: 'The description in the language.',
  examples: ['Duas horas junto às falésias, com fato incluído.'],
}
const orNull = { description: 'Null if the text is not translated.' }

/** @param options `additionalProperties: false` in the catalogue file, which refuses misspelt fields. */
export const statedTranslationSchema = (options: { additionalProperties?: false } = {}) =>
  Type.Object(
    {
      Language: languageSchema,
      Name: Type.Optional(Type.String({ ...name, minLength: 0 })),
      Description: Type.Optional(Type.String(description)),
      Texts: Type.Optional(
        Type.Array(Type.Object({ Text: textSchema, Translation: Type.Optional(translationText) }, options), {
          // 50 units and 500 questions with 100 options each have 50,550 texts.
          maxItems: 60_000,
          description: 'The names of units, the questions and their options.',
        }),
      ),
    },
    { ...options, title: 'StatedTranslation' },
  )
export type StatedTranslation = Static<ReturnType<typeof statedTranslationSchema>>

export const translationListSchema = Type.Object(
  {
    Translations: Type.Array(statedTranslationSchema(), {
      maxItems: maxLanguages,
      description:
        'All translations of the product. The translation to a language that is left out is deleted.',
    }),
  },
  { title: 'TranslationList' },
)

export const fileTranslationsSchema = Type.Array(statedTranslationSchema({ additionalProperties: false }), {
  maxItems: maxLanguages,
  description:
    'The translations of the product’s texts. If left out, the translations stay as they are; a new product has none.',
})

export const translationSchema = Type.Object(
  {
    Language: languageSchema,
    Name: Type.Union([Type.String(name), Type.Null()], orNull),
    Description: Type.Union([Type.String(description), Type.Null()], orNull),
    Texts: Type.Array(
      Type.Object({ Text: textSchema, Translation: Type.Union([translationText, Type.Null()], orNull) }),
      { description: 'Every text of units and questions, with its translation.' },
    ),
  },
  { title: 'Translation' },
)
