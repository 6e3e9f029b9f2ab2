/** The errors of sales, part of the table of all errors. */

export type ProblemDefinition = { status: number; title: string; meaning: string; remedy: string }

export const saleProblemTypes = {
  'insufficient-capacity': {
    status: 409,
    title: 'Insufficient capacity',
    meaning: 'The timeslot has fewer places left than the booking needs. `Available` is the number.',
    remedy: 'Let the customer choose one of `Alternatives`, or a smaller party.',
  },
  'timeslot-unavailable': {
    status: 409,
    title: 'Timeslot unavailable',
    meaning: 'The activity has no such timeslot, the timeslot is closed, or it is no longer on sale.',
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
    meaning: 'The waitlist entry has no valid offer. `Status` is its current status.',
    remedy: 'Join the waitlist again, if the party still wants places.',
  },
  'basket-not-open': {
    status: 409,
    title: 'Basket not open',
    meaning: 'The basket holds no places at the moment. `Status` is its current status.',
    remedy: 'Make a new basket, unless this one was completed.',
  },
  'reservation-uuid-reused': {
    status: 409,
    title: 'Reservation uuid reused',
    meaning: 'An earlier request with different content made a reservation with this uuid.',
    remedy: 'Use a new uuid for each reservation, and the same uuid only for retries.',
  },
  'reservation-over': {
    status: 409,
    title: 'Reservation over',
    meaning: 'The reservation has expired, and no longer holds its places.',
    remedy: 'Make a new reservation.',
  },
  'held-by-reseller': {
    status: 409,
    title: 'Held by a reseller',
    meaning: 'A reseller holds these places, and confirms or releases them itself.',
    remedy: 'Wait until the reservation expires, or cancel the booking.',
  },
  'basket-empty': {
    status: 409,
    title: 'Basket empty',
    meaning: 'The basket has no line to pay for.',
    remedy: 'Add a line, or cancel the basket.',
  },
  'no-receipt': {
    status: 409,
    title: 'No receipt',
    meaning: 'The basket has no payment, or a partner takes its payment.',
    remedy: 'Take a payment first.',
  },
  'till-open': {
    status: 409,
    title: 'Till open',
    meaning: 'The user has a till open in this currency.',
    remedy: 'Close it before you open another.',
  },
  'till-closed': {
    status: 409,
    title: 'Till closed',
    meaning: 'The till was already closed at `ClosedAt`. A closed till never changes.',
    remedy: 'Read the closed till.',
  },
  'till-short': {
    status: 409,
    title: 'Till short of cash',
    meaning:
      'The user’s open till has less cash than the refund. `InTill` is its cash, and `Refund` the amount of the refund. Nothing was paid back.',
    remedy:
      'Pay the refund back by another method, or close the till and open it with more cash as its float.',
  },
  'promotion-not-applicable': {
    status: 409,
    title: 'Promotion not applicable',
    meaning: 'The promotion code cannot be used for this basket. `Reason` says why.',
    remedy: 'Show `detail` to the customer, or continue without the code.',
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
    meaning: 'The places are already held for as long as the account allows.',
    remedy: 'Take the payment before `ExpiresAt`.',
  },
  'nothing-to-pay': {
    status: 409,
    title: 'Nothing to pay',
    meaning:
      'The sale has no amount left to pay: it was paid in full, its basket is not completed, or a partner sold it. `Status` is the status of the basket.',
    remedy: 'Read the basket; `Ledger` says what was paid. An open basket is paid with `payBasket`.',
  },
  'no-refund-due': {
    status: 409,
    title: 'No refund due',
    meaning:
      'The request names a payment that is not due to be paid back, or was already paid back. `Payments` lists each such payment. No payment was marked.',
    remedy: 'Read the basket; `Payments` lists its payments and what happened to them.',
  },
  'refund-not-due': {
    status: 409,
    title: 'Refund not due',
    meaning: 'The refund was already paid back, or nothing of it is due. `Status` says which.',
    remedy: 'List the refunds that are due.',
  },
  'refund-not-done': {
    status: 409,
    title: 'Refund not paid back',
    meaning: 'The refund is not marked as paid back, so there is no mark to undo. `Status` is its status.',
    remedy: 'List the refunds; somebody may have undone the mark already.',
  },
  'refund-confirmed': {
    status: 409,
    title: 'Refund confirmed',
    meaning:
      'The payment provider has confirmed this refund, or an earlier version marked it, so the mark cannot be undone.',
    remedy:
      'Compare the refund with the payment provider. If it was paid back twice, ask the customer to return the second payment.',
  },
  'nothing-overpaid': {
    status: 409,
    title: 'Nothing overpaid',
    meaning: 'The sale has no overpaid money that still needs a decision.',
    remedy: 'Read the refunds; the decision may have been made already.',
  },
  'booking-not-changeable': {
    status: 409,
    title: 'Booking not changeable',
    meaning: 'The status of the booking does not allow this change. `Status` is the current status.',
    remedy: 'Read the booking again to see its current status.',
  },
  'total-differs': {
    status: 409,
    title: 'Total differs',
    meaning:
      'The total of the booking would differ from the `ExpectedTotal` of the request. `Total` is the new total. Nothing has changed.',
    remedy: 'Agree on the new total, and send it as `ExpectedTotal`.',
  },
  'cutoff-passed': {
    status: 409,
    title: 'Too late to cancel',
    meaning: 'The product allows cancellations only until `CancelBy`, and this time has passed.',
    remedy: 'Ask the operator, who can override it.',
  },
  'ticket-redeemed': {
    status: 409,
    title: 'Ticket already redeemed',
    meaning:
      'The ticket was redeemed at `RedeemedAt`. (A retry with the same `Idempotency-Key` gets the first response instead.)',
    remedy: 'Do not admit anyone else with this ticket. If the redemption was a mistake, undo it.',
  },
  'ticket-void': {
    status: 409,
    title: 'Ticket is void',
    meaning: 'The ticket has been void since `VoidedAt`: its booking was cancelled or made smaller.',
    remedy: 'Read the tickets of the booking; another one may be valid.',
  },
  'quantity-below-redeemed': {
    status: 409,
    title: 'Quantity is below the redeemed tickets',
    meaning:
      'The new quantity of a unit is lower than the number of its redeemed tickets. `Units` says how many are redeemed.',
    remedy:
      'Name the tickets that leave in `Leaving.TicketIDs` of a changed party. Undo redemptions first, if they were mistakes.',
  },
  'no-email-address': {
    status: 409,
    title: 'No e-mail address',
    meaning: 'Nothing can be sent because the booking has no e-mail address.',
    remedy: 'Give the customer an e-mail address first.',
  },
  'customer-erased': {
    status: 409,
    title: 'Customer is erased',
    meaning: 'The personal data of this booking’s customer has been erased. This cannot be undone.',
    remedy: 'Make a new booking for the guests.',
  },
  'customer-expected': {
    status: 409,
    title: 'Customer has current bookings',
    meaning:
      'The customer has bookings that are held, on the waitlist, or confirmed and not over. `Bookings` names them.',
    remedy:
      'Cancel them first, or wait until they are over. Confirmed bookings can be erased with an option of the request.',
  },
} as const satisfies Record<string, ProblemDefinition>
