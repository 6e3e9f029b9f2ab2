/** Chooses the language of an e-mail. Pure. */
import { localeFor } from '../../languages/locales.ts'
import { type Texts, textsIn } from '../../languages/texts.ts'
import type { Seller } from '../../sales/business-details/service.ts'
import type { BookingFacts } from './facts.ts'

/**
 * Returns the texts in the language that the customer prefers among those of this service. If the service has
 * none of the customer's languages, or if no reseller sent any (OCTO), returns the texts in the account's
 * language.
 * @param booking null for an e-mail to the operator.
 */
export function textsTo({ locale }: Seller, booking: Pick<BookingFacts, 'locales'> | null): Texts {
  return textsIn(localeFor(locale, { accept: booking?.locales?.join(',') }))
}
