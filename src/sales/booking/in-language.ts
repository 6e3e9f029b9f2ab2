/** Translates the product names, unit names and questions of bookings for their reader. */
import { activityUuid, toActivityId } from '../../catalogue/model.ts'
import type { Question } from '../../catalogue/products/questions.ts'
import { type Translation, translatedQuestion, translateText } from '../../catalogue/translation.ts'
import { listTranslationsOfActivities } from '../../catalogue/translation-queries.ts'
import type { Language } from '../../languages/locales.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import type { BoughtView } from './schemas.ts'

/** Translations by ActivityID. The map has no entry for a product without a translation. */
export type Translations = ReadonlyMap<string, Translation>

/**
 * The translations of these products for a reader. If the reader's language is that of the products, the map
 * is empty and no query is sent.
 */
export async function readTranslationsFor(
  sql: Queryable,
  { accountId, productLanguage }: { accountId: number; productLanguage: Language },
  { language }: Pick<Texts, 'language'>,
  activityIds: readonly string[],
): Promise<Translations> {
  if (language === productLanguage || activityIds.length === 0) return new Map()
  const activities = activityIds.map(activityUuid)
  const rows = await listTranslationsOfActivities(sql, accountId, { activities, language })
  return new Map(rows.map((row) => [toActivityId(row.activity), row]))
}

type WordedLine = { ActivityID: string; ProductName: string; Units?: BoughtView['Units'] | undefined }

/**
 * A line or a booking with the translated names of its product and units. A name without a translation stays.
 */
export function translateLine<L extends WordedLine>(translations: Translations, line: L): L {
  const translation = translations.get(line.ActivityID)
  if (!translation) return line
  const units = line.Units?.map((unit) => ({ ...unit, Name: translateText(translation, unit.Name) }))
  return { ...line, ProductName: translation.name || line.ProductName, ...(units && { Units: units }) }
}

export function translateQuestion(
  translations: Translations,
  { ActivityID }: Pick<WordedLine, 'ActivityID'>,
  question: Question,
): Question {
  return translatedQuestion(question, translations.get(ActivityID))
}
