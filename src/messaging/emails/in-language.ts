/** Translates the names of products and units in the data of an e-mail into the language of its recipient. */
import { translateText } from '../../catalogue/translation.ts'
import { listTranslationsOf } from '../../catalogue/translation-queries.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import type { Seller } from '../../sales/business-details/service.ts'
import type { BookingFacts, MovedFromFacts, SlotFacts } from './facts.ts'
import { textsTo } from './recipient-texts.ts'

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

/**
 * The texts for the customer of a booking, and the booking with the names of its product and units in their language.
 * No query is needed if the product is written in this language.
 */
export async function inCustomerLanguage<Facts extends BookingFacts>(
  sql: Queryable,
  accountId: number,
  seller: Seller,
  booking: Facts,
): Promise<{ t: Texts; booking: Facts }> {
  const t = textsTo(seller, booking)
  const { language } = t
  if (language === seller.productLanguage) return { t, booking }
  const [translation] = await listTranslationsOf(sql, accountId, { ids: [booking.productId], language })
  if (!translation) return { t, booking }
  const units =
    booking.units?.map((unit) => ({ ...unit, name: translateText(translation, unit.name) })) ?? null
  return { t, booking: { ...booking, productName: translation.name || booking.productName, units } }
}
