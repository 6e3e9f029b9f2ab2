/** The data of an e-mail in the language of its reader. */
import { say } from '../../catalogue/translation.ts'
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

/** A booking with the names of its product and units in the language; without a query for that of the product. */
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
    units: booking.units?.map((unit) => ({ ...unit, name: say(translation, unit.name) })) ?? null,
  }
}
