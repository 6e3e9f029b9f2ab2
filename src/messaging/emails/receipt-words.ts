/** The e-mail of a receipt. Pure. */
import { sellerLines } from '../../sales/business-details/model.ts'
import type { Receipt } from '../../sales/receipt/service.ts'
import { receiptDay, receiptParagraphs } from '../../sales/receipt/words.ts'
import type { Words } from './words.ts'

export function receiptWords(receipt: Receipt, greeting: string): Words {
  const { basket, seller } = receipt
  const opening = [greeting, `here is your receipt of ${receiptDay(receipt)}.`]
  const paragraphs = [...opening, ...receiptParagraphs(receipt, () => true), sellerLines(seller).join('\n')]
  return {
    subject: `Receipt ${basket.BasketID}: ${seller.name}`,
    text: `${paragraphs.join('\n\n')}\n`,
  }
}
