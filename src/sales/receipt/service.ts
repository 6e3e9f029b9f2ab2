/** The receipt of a sale in its present state: what was bought, what was paid, and what is still to be paid. */

import type { Language } from '../../languages/locales.ts'
import type { Texts } from '../../languages/texts.ts'
import type { Queryable } from '../../platform/postgres/database.ts'
import type { BasketView } from '../basket/schemas.ts'
import { readBasket } from '../basket/views.ts'
import { readTranslationsFor, translateLine } from '../booking/in-language.ts'
import { findSeller, type Seller } from '../business-details/service.ts'
import { readLedger, type SaleLedger } from '../ledger/service.ts'

export type Receipt = {
  seller: Seller
  basket: BasketView
  /** The lines of the basket; cancelled ones come last. */
  lines: BasketView['Lines']
  /** When the sale was completed. */
  at: string
  ledger: SaleLedger
}

/**
 * The receipt of a sale; its number is the id of the basket. Null for a sale that is not completed, and for a
 * partner's booking, which the customer pays to the partner.
 * @throws Problem not-found when the account has no such basket.
 */
export async function readReceipt(
  sql: Queryable,
  accountId: number,
  basketId: number,
): Promise<Receipt | null> {
  const basket = await readBasket(sql, accountId, basketId)
  const ledger = (await readLedger(sql, accountId, [basketId])).get(basketId)
  const at = basket.CompletedAt
  if (!ledger || !at) return null
  const isCancelled = ({ Status }: BasketView['Lines'][number]) => Status === 'cancelled'
  const lines = [...basket.Lines.filter((line) => !isCancelled(line)), ...basket.Lines.filter(isCancelled)]
  return { seller: await findSeller(sql, accountId), basket, lines, at, ledger }
}

/** The receipt with the names of products and units in the language of its reader. */
export async function receiptIn(
  sql: Queryable,
  of: { accountId: number; productLanguage: Language },
  t: Pick<Texts, 'language'>,
  receipt: Receipt,
): Promise<Receipt> {
  const activityIds = [...new Set(receipt.lines.map(({ ActivityID }) => ActivityID))]
  const translations = await readTranslationsFor(sql, of, t, activityIds)
  return { ...receipt, lines: receipt.lines.map((line) => translateLine(translations, line)) }
}
