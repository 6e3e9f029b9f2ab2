/** What was booked, in the language of the customer who reads of it. */
import { activityUuid, toActivityId } from '../../catalogue/model.ts'
import type { Question } from '../../catalogue/products/service.ts'
import { type Translation, translatedQuestion, translateText } from '../../catalogue/translation.ts'
import { listTranslationsOfActivities } from '../../catalogue/translation-queries.ts'
import type { Language } from '../../languages/locales.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import type { BoughtView } from './schemas.ts'

/** By ActivityID; a product that says nothing in the language is not there. */
export type Translations = ReadonlyMap<string, Translation>

/** The translations for a reader of these products; none for one of the products’ own language, without a query. */
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

/** A line or a booking with the names of its product and units in the language. */
export function lineIn<L extends WordedLine>(translations: Translations, line: L): L {
  const translation = translations.get(line.ActivityID)
  if (!translation) return line
  const units = line.Units?.map((unit) => ({ ...unit, Name: translateText(translation, unit.Name) }))
  return { ...line, ProductName: translation.name || line.ProductName, ...(units && { Units: units }) }
}

export function questionIn(
  translations: Translations,
  { ActivityID }: Pick<WordedLine, 'ActivityID'>,
  question: Question,
): Question {
  return translatedQuestion(question, translations.get(ActivityID))
}
