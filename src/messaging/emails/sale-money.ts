/** The money of a sale, as templates of e-mails have it. Pure. */
import type { SaleLedger } from '../../sales/ledger/service.ts'

export type SaleMoney = {
  paidMinor: bigint
  owedMinor: bigint
  /** The refunds that are due. */
  dueMinor: bigint
  bookings: number
}

export function moneyOf({ paid, paidBack, balance, due, standing }: SaleLedger): SaleMoney {
  const owedMinor = balance > 0n ? balance : 0n
  return { paidMinor: paid - paidBack, owedMinor, dueMinor: due, bookings: standing }
}
