/** In whose language an e-mail is. Pure. */
import { localeFor } from '../../languages/locales.ts'
import { type Texts, textsIn } from '../../languages/texts.ts'
import type { Seller } from '../../sales/business-details/service.ts'
import type { BookingFacts } from './facts.ts'

/**
 * The customer's, where a reseller named languages of theirs (OCTO) and there are texts in one; else that of the account.
 * @param booking null for an e-mail to the operator.
 */
export function textsTo({ locale }: Seller, booking: Pick<BookingFacts, 'locales'> | null): Texts {
  return textsIn(localeFor(locale, { accept: booking?.locales?.join(',') }))
}
