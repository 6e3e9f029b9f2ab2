/** The amounts of a sale for the templates of e-mails. `paidMinor` is without the money that was paid back. Pure. */
import type { SaleLedger } from '../../sales/ledger/service.ts'

export type SaleMoney = {
  paidMinor: bigint
  owedMinor: bigint
  /** The refunds that are due. */
  dueMinor: bigint
  /** The number of the sale's active bookings. */
  bookings: number
}

export function moneyOf({ paid, paidBack, balance, due, activeBookings }: SaleLedger): SaleMoney {
  const owedMinor = balance > 0n ? balance : 0n
  return { paidMinor: paid - paidBack, owedMinor, dueMinor: due, bookings: activeBookings }
}
