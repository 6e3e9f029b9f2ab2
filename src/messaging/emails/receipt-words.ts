/** The e-mail of a receipt. Pure. */
import { sellerLines } from '../../sales/business-details/model.ts'
import type { Receipt } from '../../sales/receipt/service.ts'
import { receiptDay, receiptParagraphs } from '../../sales/receipt/words.ts'
import { greetingOf, type Letter, type Words } from './words.ts'

export function receiptWords(letter: Letter, receipt: Receipt): Words {
  const { t } = letter
  const { basket, seller } = receipt
  const paragraphs = [
    greetingOf(letter),
    t.say('email.receipt', { date: receiptDay(t, receipt) }),
    ...receiptParagraphs(t, receipt, () => true),
    sellerLines(t, seller).join('\n'),
  ]
  return {
    hasFoot: true,
    subject: t.say('email.receipt.subject', { number: basket.BasketID, seller: seller.name }),
    text: `${paragraphs.join('\n\n')}\n`,
  }
}
