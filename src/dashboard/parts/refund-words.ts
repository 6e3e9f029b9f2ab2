/** The reasons of refunds in words. Pure. */

const reasons: Readonly<Record<string, string>> = {
  cancelled: 'Cancelled',
  amended: 'Smaller party',
  moved: 'Moved',
  closed: 'Timeslot closed',
  overpaid: 'Paid too much',
  provider: 'Paid back by your payment provider, although it was to be kept',
  'places-gone': 'Paid too late: the places were gone',
  'amount-differs': 'The payment differs from the price',
  'not-payable': 'Paid for places that were no longer for sale',
  'basket-empty': 'Paid for an empty sale',
  'paid-twice': 'Paid twice',
  'promotion-gone': 'Paid too late: the promotion was used up',
}

export function reasonText(reason: string): string {
  return reasons[reason] ?? reason
}
