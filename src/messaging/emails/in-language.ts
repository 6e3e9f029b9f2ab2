/** Translates the names of products and units in the data of an e-mail into the language of its recipient. */
import { translateText } from '../../catalogue/translation.ts'
import { listTranslationsOf } from '../../catalogue/translation-queries.ts'
import type { Language } from '../../languages/locales.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import type { BookingFacts, MovedFromFacts, SlotFacts } from './facts.ts'

/** Where a booking was, with the name of the product in the language. */
export async function movedFromIn(
  sql: Queryable,
  accountId: number,
  { language }: Pick<Texts, 'language'>,
  { productId, productName, date, time, openingHours }: SlotFacts,
): Promise<MovedFromFacts> {
  const [translation] = await listTranslationsOf(sql, accountId, { ids: [productId], language })
  return { productName: translation?.name || productName, date, time, openingHours }
}

/** Translates the names of a booking's product and units. No query is needed if the product is written in this language. */
export async function factsIn<Facts extends BookingFacts>(
  sql: Queryable,
  { accountId, productLanguage }: { accountId: number; productLanguage: Language },
  { language }: Pick<Texts, 'language'>,
  booking: Facts,
): Promise<Facts> {
  if (language === productLanguage) return booking
  const [translation] = await listTranslationsOf(sql, accountId, { ids: [booking.productId], language })
  if (!translation) return booking
  return {
    ...booking,
    productName: translation.name || booking.productName,
    units: booking.units?.map((unit) => ({ ...unit, name: translateText(translation, unit.name) })) ?? null,
  }
}
