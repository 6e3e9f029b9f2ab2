/** An offer in the language of its customer. */
import { toActivityId } from '../../catalogue/model.ts'
import { translateText } from '../../catalogue/translation.ts'
import type { Language } from '../../languages/locales.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import type { DescribedLine } from '../basket/description.ts'
import { readTranslationsFor, translateLine, translateQuestion } from '../booking/in-language.ts'
import type { WaitlistEntryRow } from './queries.ts'

type Offer = { entry: WaitlistEntryRow; lines: readonly DescribedLine[] }

/** Translates the names of products and units, and the questions, of an offer to the language of `t`. */
export async function offerIn(
  sql: Queryable,
  productLanguage: Language,
  t: Pick<Texts, 'language'>,
  { entry, lines }: Offer,
): Promise<Offer> {
  const offered = toActivityId(entry.activity)
  const activityIds = [...new Set([offered, ...lines.map(({ line }) => line.ActivityID)])]
  const translations = await readTranslationsFor(
    sql,
    { accountId: entry.accountId, productLanguage },
    t,
    activityIds,
  )
  const translation = translations.get(offered)
  return {
    entry: translation
      ? {
          ...entry,
          productName: translation.name || entry.productName,
          units:
            entry.units?.map((unit) => ({ ...unit, name: translateText(translation, unit.name) })) ?? null,
        }
      : entry,
    lines: lines.map((described) => ({
      ...described,
      line: translateLine(translations, described.line),
      questions: described.questions.map((question) =>
        translateQuestion(translations, described.line, question),
      ),
    })),
  }
}
