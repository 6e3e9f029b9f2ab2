/** The page with the translation of a product to one language. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { idInPathSchema } from '../../catalogue/schemas.ts'
import { type Translation, translationOf } from '../../catalogue/translation.ts'
import { type StatedTranslation, statedTranslationSchema } from '../../catalogue/translations/schemas.ts'
import {
  editedPart,
  readTranslations,
  replaceTranslations,
  type TranslatedProduct,
} from '../../catalogue/translations/service.ts'
import { byUser } from '../../events/actor.ts'
import type { Routes } from '../../http/routes.ts'
import { versionOf } from '../../http/versions.ts'
import { runOnce } from '../../platform/postgres/run-once.ts'
import { Type } from '../../platform/schema/typebox.ts'
import { inWords } from '../frame/fault-words.ts'
import type { ShownForm } from '../frame/form-fields.ts'
import { byLine } from '../frame/form-lines.ts'
import { checkForm, longForm, onceOf, renameFaults } from '../frame/forms.ts'
import { doneAt, sendDashboard } from '../frame/layout.ts'
import { showFormAgain } from '../frame/meanwhile.ts'
import { textsFor } from '../frame/texts.ts'
import type { CataloguePageOptions } from './paths.ts'
import { productPath } from './paths.ts'
import {
  nameOfLanguage,
  shownWords,
  translationFieldNames,
  translationLabels,
  translationPage,
} from './translation-views.ts'

const { Language, ...texts } = statedTranslationSchema().properties
const translationForm = Type.Object({ ...texts, Version: Type.String() })
const path = '/catalogue/:ProductID/translations/:Language'
const schema = { hide: true, params: Type.Object({ ProductID: idInPathSchema, Language }) }

type AboutLanguage = FastifyRequest<{ Params: { ProductID: string; Language: string } }>

export const translationPages: Routes<CataloguePageOptions> = (app, { sql }) => {
  app.get(path, { schema }, async (request, reply) => {
    const { productId, language } = addressOf(request)
    const about = await readTranslations(sql, request.session.user.accountId, productId)
    const version = versionOf(editedPart(about))
    return send(request, reply, about, { values: inLines(about, language), faults: null, version })
  })

  app.post(
    path,
    { schema: { ...schema, body: translationForm }, attachValidation: true, bodyLimit: longForm },
    async (request, reply) => {
      const { session, body } = request
      const { productId, language } = addressOf(request)
      const { Version: seen, ...texts } = body
      const given = { Language: language, ...texts }
      try {
        checkForm(request)
        await runOnce(sql, onceOf(request, 'translations.replace'), async (tx) => {
          const existing = await readTranslations(tx, session.user.accountId, productId)
          const translations = edited(existing, given)
          await replaceTranslations(tx, byUser(session.user), { productId, translations, seen })
          return { productId }
        })
        return reply.redirect(`${doneAt(productPath(productId), 'saved')}#languages`, 303)
      } catch (error) {
        const about = await readTranslations(sql, session.user.accountId, productId)
        const rename = (field: string) => inForm(field, given.Texts ?? [], about.words)
        const { status, ...form } = await showFormAgain(renameFaults(error, rename), async () => ({
          given: { ...body, ...typedLines(about, given) },
          existing: inLines(about, language),
          state: editedPart(about),
          fields: translationFieldNames(about.words),
        }))
        const faults = form.faults && inWords(form.faults, translationLabels(textsFor(request), about.words))
        return send(request, reply, about, { ...form, faults }, status)
      }
    },
  )

  function send(
    request: AboutLanguage,
    reply: FastifyReply,
    about: TranslatedProduct,
    form: ShownForm & { version: string },
    status = 200,
  ) {
    const { session } = request
    const { language } = addressOf(request)
    const t = textsFor(request)
    return sendDashboard(reply, session, {
      title: t.say('translation.title', {
        product: about.product.name,
        language: nameOfLanguage(t, language),
      }),
      body: translationPage(session, t, { about, language, form }),
      status,
      assets: ['catalogue.css'],
    })
  }
}

function addressOf({ params }: AboutLanguage) {
  return { productId: Number(params.ProductID), language: params.Language }
}

/** The translation to a language as the values of the form. The form has a line for each text. */
function inLines({ translations, words }: TranslatedProduct, language: string) {
  const existing = translations.find((translation) => translation.language === language)
  const lines = shownWords(words).map((Text) => ({ Text, Translation: translationOf(existing, Text) }))
  return { Name: existing?.name, Description: existing?.description, ...byLine('Texts', lines) }
}

/**
 * The typed translations, by the names of the form's lines. The form has a line for each present text of the product.
 * A text that was not in the sent form has its stored translation.
 */
function typedLines({ translations, words }: TranslatedProduct, { Language, Texts = [] }: StatedTranslation) {
  const existing = translations.find(({ language }) => language === Language)
  const typed = new Map(Texts.map(({ Text, Translation = '' }) => [Text, Translation]))
  const lines = shownWords(words).map((Text) => {
    return { Text, Translation: typed.get(Text) ?? translationOf(existing, Text) }
  })
  return byLine('Texts', lines)
}

/**
 * All translations of the product, first the translation in the form. Texts that the form does not show keep
 * their translation to this language.
 */
function edited({ translations, words }: TranslatedProduct, given: StatedTranslation): StatedTranslation[] {
  const shown = new Set(given.Texts?.map(({ Text }) => Text))
  const stated = translations.map((translation) => toStated(translation, words))
  const hidden = stated.find((one) => one.Language === given.Language)?.Texts ?? []
  const Texts = [...(given.Texts ?? []), ...hidden.filter(({ Text }) => !shown.has(Text))]
  return [{ ...given, Texts }, ...stated.filter((one) => one.Language !== given.Language)]
}

function toStated({ language, name, description, words }: Translation, texts: readonly string[]) {
  const Texts = texts
    .filter((text) => Object.hasOwn(words, text))
    .map((Text) => ({ Text, Translation: words[Text]! }))
  return { Language: language, Name: name, Description: description, Texts }
}

/**
 * The form's name for a field of the request. The translation of the form is the first one in the request. The lines
 * of the form are in the order of `words`, and those of the request in the order of `sent`.
 */
function inForm(field: string, sent: readonly { Text: string }[], words: readonly string[]): string {
  const own = field.replace(/^Translations\[0\]\./, '')
  const [, index, part] = /^Texts\[(\d+)\]\.(\w+)$/.exec(own) ?? []
  const text = sent[Number(index)]?.Text
  if (text === undefined) return own
  const line = words.indexOf(text)
  return line < 0 ? text : `Texts[${line}].${part}`
}
