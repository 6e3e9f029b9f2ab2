/** The text of the e-mail with a receipt. It has the same content as the printed receipt. Pure. */
import { fullName } from '../../platform/text/full-name.ts'
import { sellerLines } from '../../sales/business-details/model.ts'
import type { Receipt } from '../../sales/receipt/service.ts'
import { receiptParagraphs, receiptTime } from '../../sales/receipt/words.ts'
import { type EmailContext, greetingOf, type Words } from './words.ts'

/**
 * The text names the customer of the booking whose address gets the e-mail. The sale may have another
 * customer by now.
 */
export function receiptWords(letter: EmailContext, receipt: Receipt): Words {
  const { t, booking } = letter
  const { basket, seller } = receipt
  const { lines, sums } = receiptParagraphs(t, receipt)
  const name = fullName(booking.firstName, booking.lastName)
  const paragraphs = [
    greetingOf(letter),
    t.say('email.receipt', { date: receiptTime(t, receipt) }),
    ...(basket.TestMode ? [t.say('email.receipt.test')] : []),
    ...(name ? [t.say('receipt.for', { name })] : []),
    ...lines,
    sums,
    sellerLines(t, seller).join('\n'),
  ]
  return {
    hasOwnFooter: true,
    subject: t.say('email.receipt.subject', { number: basket.BasketID, seller: seller.name }),
    facts: lines,
    text: `${paragraphs.join('\n\n')}\n`,
  }
}
