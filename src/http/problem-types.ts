/** Every error that a caller can be answered, as a table (RFC 9457): what it means, and what to do about it. */

type ProblemDefinition = { status: number; title: string; meaning: string; remedy: string }

export const problemTypes = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    meaning: 'The request could not be read: broken JSON, a broken address, or headers out of bounds.',
    remedy: 'Correct the request as `detail` says; sending it again unchanged gives the same answer.',
  },
  'invalid-activity-id': {
    status: 400,
    title: 'Invalid ActivityID',
    meaning: 'The ActivityID in the path is not `s_` followed by a lower-case UUID.',
    remedy: 'Take the ActivityID from the product list as it is.',
  },
  'product-lookup': {
    status: 400,
    title: 'Give either ID or Name',
    meaning: 'A product is resolved by exactly one of ID and Name; the request gave neither or both.',
    remedy: 'Send one of the two parameters.',
  },
  unauthenticated: {
    status: 401,
    title: 'Unauthenticated',
    meaning: 'There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked.',
    remedy: 'Send a live key; ask the operator for a new one.',
  },
  'invalid-signature': {
    status: 401,
    title: 'Invalid signature',
    meaning:
      'The `Payment-Signature` is missing, is made with another secret than those of the account, is not of this body, or is older or newer than five minutes.',
    remedy: 'Sign the timestamp, a full stop and the body as it is sent, with a live secret of the account.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    meaning: 'The key is live but has not the scope that this operation needs.',
    remedy: 'Ask the operator for a key with the scope that `detail` names.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    meaning: 'There is nothing at this address.',
    remedy: 'Compare the path with the reference at /docs.',
  },
  'product-not-found': {
    status: 404,
    title: 'Product not found',
    meaning: 'No product in the shopfront has this ID or Name.',
    remedy: 'Refresh your product list; the product may have left the shopfront.',
  },
  'activity-not-found': {
    status: 404,
    title: 'Activity not found',
    meaning: 'No product in the shopfront has this ActivityID.',
    remedy: 'Refresh your product list; the product may have left the shopfront.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The address exists, but not with this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  'insufficient-capacity': {
    status: 409,
    title: 'Insufficient capacity',
    meaning: 'The timeslot has fewer places left than the booking asks for. `Available` says how many.',
    remedy: 'Let the customer choose one of `Alternatives`, or a smaller party.',
  },
  'timeslot-unavailable': {
    status: 409,
    title: 'Timeslot unavailable',
    meaning: 'The activity has no such timeslot, or it is closed, or it has begun.',
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
  'basket-empty': {
    status: 409,
    title: 'Basket empty',
    meaning: 'The basket has no line left that could be paid.',
    remedy: 'Add a line, or cancel the basket.',
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
  'no-refund-due': {
    status: 409,
    title: 'No refund due',
    meaning:
      'A payment that the request names is not to be paid back, or was paid back before. `Payments` lists each such payment. Nothing was marked.',
    remedy: 'Read the basket; `Payments` says what came and what became of it.',
  },
  'booking-not-changeable': {
    status: 409,
    title: 'Booking not changeable',
    meaning: 'The booking is in a status in which it cannot be changed so. `Status` says which.',
    remedy: 'Read the booking again, and go by its status.',
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
    remedy: 'Admit nobody by it again. If it was a mistake, undo the redemption.',
  },
  'ticket-void': {
    status: 409,
    title: 'Ticket is void',
    meaning: 'The ticket admits nobody since `VoidedAt`: its booking was cancelled, or made smaller.',
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
    remedy: 'Make another booking for whoever comes.',
  },
  'customer-expected': {
    status: 409,
    title: 'Customer is expected',
    meaning:
      'The customer has bookings that are held, waited for, or confirmed and not over. `Bookings` names them.',
    remedy:
      'Cancel them first, or wait until they are over. Confirmed ones can be erased if that is asked for.',
  },
  'capacity-below-booked': {
    status: 409,
    title: 'Capacity below what is booked',
    meaning:
      'More places of the timeslot are booked and held than it would have. `Booked` and `Held` say how many.',
    remedy: 'Ask for at least `Booked` + `Held` places, or cancel or move bookings first.',
  },
  'timeslot-exists': {
    status: 409,
    title: 'Timeslot exists',
    meaning: 'The product has a timeslot at this date and time. `TimeslotID` says which.',
    remedy: 'Change that timeslot, or open it again.',
  },
  'edited-meanwhile': {
    status: 409,
    title: 'Edited meanwhile',
    meaning: 'Somebody else saved it since it was shown, and nothing has been changed.',
    remedy: 'Look at what stands now, and save again if it is still wanted.',
  },
  'workflow-name-taken': {
    status: 409,
    title: 'Workflow name taken',
    meaning: 'Another workflow of the account has this Name.',
    remedy: 'Choose another Name, or change that workflow.',
  },
  'account-limit-reached': {
    status: 409,
    title: 'Account limit reached',
    meaning: 'The account has as many of these as it may have. `Limit` says how many.',
    remedy: 'Delete what is no longer needed, or ask for a higher limit.',
  },
  'email-not-failed': {
    status: 409,
    title: 'E-mail has not failed',
    meaning: 'Only an e-mail that failed can be tried again. `Status` says how it stands.',
    remedy: 'Look at the e-mail again: it is queued already, was sent, or had no purpose any more.',
  },
  'idempotency-key-in-use': {
    status: 409,
    title: 'Idempotency key in use',
    meaning: 'A request with this Idempotency-Key is still being worked on.',
    remedy: 'Send the same request again in a moment; it will be answered as the first one is.',
  },
  'payload-too-large': {
    status: 413,
    title: 'Payload too large',
    meaning: 'The body is larger, or has more values, than this operation accepts.',
    remedy: 'Send less in one request.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The body is not `application/json`.',
    remedy: 'Send JSON, and say so in `Content-Type`.',
  },
  validation: {
    status: 422,
    title: 'Validation failed',
    meaning: 'Parameters or body fields are missing or break a rule. `errors` names every one of them.',
    remedy: 'Correct the named fields.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key reused',
    meaning: 'This Idempotency-Key was used for a different request within the last 24 hours.',
    remedy: 'Use a new key for a new request, and the same key only to repeat the same request.',
  },
  'payment-event-reused': {
    status: 422,
    title: 'Payment event reused',
    meaning: 'An event with this ID came before and said something else.',
    remedy: 'Give each event an ID of its own, and send the same event again only as it was.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    meaning: 'The key, or its account, has used up what it may ask for now; `detail` says of what.',
    remedy: 'Wait as long as `Retry-After` says.',
  },
  internal: {
    status: 500,
    title: 'Internal server error',
    meaning: 'The service failed in a way it did not foresee. The cause is in its log under the Request-Id.',
    remedy: 'Try again with the same Idempotency-Key; if it stays, report the Request-Id.',
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    meaning: 'The service, or a store it needs, cannot answer at the moment.',
    remedy:
      'Try again after `Retry-After` seconds, with the same Idempotency-Key: a booking that was in flight may have been made.',
  },
} as const satisfies Record<string, ProblemDefinition>

export type ProblemSlug = keyof typeof problemTypes
