/** The errors of selling, as a part of the table of all errors. */

export type ProblemDefinition = { status: number; title: string; meaning: string; remedy: string }

export const saleProblemTypes = {
  'insufficient-capacity': {
    status: 409,
    title: 'Insufficient capacity',
    meaning: 'The timeslot has fewer places left than the booking asks for. `Available` says how many.',
    remedy: 'Let the customer choose one of `Alternatives`, or a smaller party.',
  },
  'timeslot-unavailable': {
    status: 409,
    title: 'Timeslot unavailable',
    meaning: 'The activity has no such timeslot, or it is closed, or its sale is over.',
    remedy: 'Let the customer choose one of `Alternatives`.',
  },
  'places-available': {
    status: 409,
    title: 'Places available',
    meaning: 'The timeslot has places for this party, so there is nothing to wait for.',
    remedy: 'Book it, or put it in a basket.',
  },
  'offer-over': {
    status: 409,
    title: 'Offer over',
    meaning: 'The waitlist entry has no offer that stands. `Status` says what became of it.',
    remedy: 'Join the waitlist again, if the party still wants places.',
  },
  'basket-not-open': {
    status: 409,
    title: 'Basket not open',
    meaning: 'The basket holds no places any more, or none yet. `Status` says what became of it.',
    remedy: 'Make a new basket, unless this one was completed.',
  },
  'reservation-uuid-reused': {
    status: 409,
    title: 'Reservation uuid reused',
    meaning: 'A reservation of this uuid was made before, by a request that asked for something else.',
    remedy: 'Draw a uuid for each reservation, and keep it for its retries alone.',
  },
  'reservation-over': {
    status: 409,
    title: 'Reservation over',
    meaning: 'The time for which the places were held has run out.',
    remedy: 'Make a new reservation.',
  },
  'held-by-reseller': {
    status: 409,
    title: 'Held by a reseller',
    meaning: 'A reseller holds these places, and confirms or releases them itself.',
    remedy: 'Wait until its time has run out, or cancel the booking.',
  },
  'basket-empty': {
    status: 409,
    title: 'Basket empty',
    meaning: 'The basket has no line left that could be paid.',
    remedy: 'Add a line, or cancel the basket.',
  },
  'no-receipt': {
    status: 409,
    title: 'No receipt',
    meaning: 'Nothing is paid for this basket, or it is paid to a partner.',
    remedy: 'Take a payment first.',
  },
  'till-open': {
    status: 409,
    title: 'Till open',
    meaning: 'The user has a till open in this currency.',
    remedy: 'Close it before another is opened.',
  },
  'till-closed': {
    status: 409,
    title: 'Till closed',
    meaning: 'The till was closed before, at `ClosedAt`. A closed till never changes.',
    remedy: 'Look at its closing.',
  },
  'promotion-not-applicable': {
    status: 409,
    title: 'Promotion not applicable',
    meaning: 'The promotion code cannot be used for this basket. `Reason` says why.',
    remedy: 'Tell the customer what `detail` says, or go on without the code.',
  },
  'promotion-code-taken': {
    status: 409,
    title: 'Promotion code taken',
    meaning: 'Another promotion of the account has this Code, perhaps one that has ended.',
    remedy: 'Choose another Code, or change that promotion.',
  },
  'hold-limit-reached': {
    status: 409,
    title: 'Hold limit reached',
    meaning: 'The places are held for as long as the account allows already.',
    remedy: 'Have the basket paid before `ExpiresAt`.',
  },
  'nothing-to-pay': {
    status: 409,
    title: 'Nothing to pay',
    meaning:
      'Nothing of the sale is still to be paid: it was paid in full, its basket is not completed, or a partner sold it. `Status` is that of the basket.',
    remedy: 'Read the basket; `Ledger` says what was paid. An open basket is paid with `payBasket`.',
  },
  'no-refund-due': {
    status: 409,
    title: 'No refund due',
    meaning:
      'A payment that the request names is not to be paid back, or was paid back before. `Payments` lists each such payment. Nothing was marked.',
    remedy: 'Read the basket; `Payments` says what came and what became of it.',
  },
  'refund-not-due': {
    status: 409,
    title: 'Refund not due',
    meaning: 'The refund was paid back before, or nothing of it is paid back. `Status` says which.',
    remedy: 'List the refunds that are due.',
  },
  'nothing-overpaid': {
    status: 409,
    title: 'Nothing overpaid',
    meaning: 'The sale has no money that was paid too much and is not decided about.',
    remedy: 'Read the refunds; it may have been decided before.',
  },
  'booking-not-changeable': {
    status: 409,
    title: 'Booking not changeable',
    meaning: 'The booking is in a status in which it cannot be changed so. `Status` says which.',
    remedy: 'Read the booking again, and go by its status.',
  },
  'total-differs': {
    status: 409,
    title: 'Total differs',
    meaning:
      'The booking would cost another total than the `ExpectedTotal` of the request. `Total` says how much. Nothing has changed.',
    remedy: 'Agree on that total, and send it as `ExpectedTotal`.',
  },
  'cutoff-passed': {
    status: 409,
    title: 'Too late to cancel',
    meaning: 'The booking could be cancelled until `CancelBy`, as its product says; that has passed.',
    remedy: 'Ask the operator, who can override it.',
  },
  'ticket-redeemed': {
    status: 409,
    title: 'Ticket redeemed before',
    meaning:
      'The ticket has been redeemed, at `RedeemedAt`; a retry with the same `Idempotency-Key` is answered otherwise.',
    remedy: 'Do not admit anyone by it again. If it was a mistake, undo the redemption.',
  },
  'ticket-void': {
    status: 409,
    title: 'Ticket is void',
    meaning: 'The ticket is not valid since `VoidedAt`: its booking was cancelled, or made smaller.',
    remedy: 'Read the tickets of the booking; another one may be valid.',
  },
  'quantity-below-redeemed': {
    status: 409,
    title: 'Fewer than are redeemed',
    meaning: 'The booking would have fewer of a unit than tickets of it are redeemed. `Units` says how many.',
    remedy: 'Undo redemptions first, if they were mistakes.',
  },
  'no-email-address': {
    status: 409,
    title: 'No e-mail address',
    meaning: 'Nothing can be sent, since the booking has no e-mail address.',
    remedy: 'Give the customer an e-mail address first.',
  },
  'customer-erased': {
    status: 409,
    title: 'Customer is erased',
    meaning: 'Who the customer of the booking was is erased, for good.',
    remedy: 'Make another booking for those who come.',
  },
  'customer-expected': {
    status: 409,
    title: 'Customer is expected',
    meaning:
      'The customer has bookings that are held, waited for, or confirmed and not over. `Bookings` names them.',
    remedy:
      'Cancel them first, or wait until they are over. Confirmed ones can be erased if that is asked for.',
  },
} as const satisfies Record<string, ProblemDefinition>
