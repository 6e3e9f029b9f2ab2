/**
 * Every error that a caller can be answered, as a table (RFC 9457), and the Problem that code throws.
 * How one is written to HTTP is error-handler.ts's business.
 */
import type { FieldError } from './platform/validation.ts'

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
  'hold-limit-reached': {
    status: 409,
    title: 'Hold limit reached',
    meaning: 'The places are held for as long as the account allows already.',
    remedy: 'Have the basket paid before `ExpiresAt`.',
  },
  'no-refund-due': {
    status: 409,
    title: 'No refund due',
    meaning: 'Nothing was paid for this basket that would have to be paid back, or it was paid back before.',
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
  'no-email-address': {
    status: 409,
    title: 'No e-mail address',
    meaning: 'Nothing can be sent, since the booking has no e-mail address.',
    remedy: 'Give the customer an e-mail address first.',
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
  'workflow-name-taken': {
    status: 409,
    title: 'Workflow name taken',
    meaning: 'Another workflow of the account has this Name.',
    remedy: 'Choose another Name, or change that workflow.',
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
    meaning: 'The body is larger than this operation accepts.',
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
    meaning: 'The key has used up its requests for now.',
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

type ProblemParts = { extensions?: Record<string, unknown>; headers?: Record<string, string> }

/** Thrown to answer the caller with a problem. `message` is public: it becomes `detail`. */
export class Problem extends Error {
  readonly slug: ProblemSlug
  readonly extensions: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(slug: ProblemSlug, detail: string, { extensions = {}, headers = {} }: ProblemParts = {}) {
    super(detail)
    this.slug = slug
    this.extensions = extensions
    this.headers = headers
  }
}

/** A timeslot offered instead of one that could not be booked. */
export type Alternative = { Date: string; Time: string; Available: number }

function ofLine(line: number | undefined): string {
  return line === undefined ? '' : ` of Lines[${line}]`
}

/** One function for each problem that code throws with something to say. */
export const problems = {
  malformedRequest: (detail: string) => new Problem('malformed-request', detail),
  validation: (errors: FieldError[]) =>
    new Problem('validation', errors.map(({ field, message }) => `${field} ${message}`).join('; '), {
      extensions: { errors },
    }),
  unauthenticated: () =>
    new Problem('unauthenticated', 'A live API key is required in the header Authorization: Bearer <key>.', {
      headers: { 'www-authenticate': 'Bearer' },
    }),
  invalidSignature: () =>
    new Problem(
      'invalid-signature',
      'The Payment-Signature does not prove that an account’s provider sent this.',
      {
        headers: { 'www-authenticate': 'Payment-Signature' },
      },
    ),
  paymentEventReused: () =>
    new Problem('payment-event-reused', 'An event with this ID came before and said something else.'),
  forbidden: (scope: string) =>
    new Problem('forbidden', `This operation needs a key with the scope ${scope}.`),
  notFound: () => new Problem('not-found', 'There is nothing at this address.'),
  methodNotAllowed: (allowed: string[]) =>
    new Problem('method-not-allowed', `This address answers ${allowed.join(', ')} only.`, {
      headers: { allow: allowed.join(', ') },
    }),
  productLookup: () => new Problem('product-lookup', 'Provide either ID or Name, and not both.'),
  productNotFound: () => new Problem('product-not-found', 'No product in the shopfront matches.'),
  activityNotFound: () =>
    new Problem('activity-not-found', 'No product in the shopfront has this ActivityID.'),
  /** @param line which of several lines it is about, from 0. */
  insufficientCapacity: (available: number, alternatives: Alternative[], line?: number) =>
    new Problem(
      'insufficient-capacity',
      `The timeslot${ofLine(line)} has ${available} ${available === 1 ? 'place' : 'places'} left.`,
      {
        extensions: { Available: available, Alternatives: alternatives, Line: line },
      },
    ),
  timeslotUnavailable: (alternatives: Alternative[], line?: number) =>
    new Problem('timeslot-unavailable', `The activity${ofLine(line)} has no such timeslot on sale.`, {
      extensions: { Alternatives: alternatives, Line: line },
    }),
  basketNotFound: () => new Problem('not-found', 'No basket of this account has this BasketID.'),
  lineNotFound: () => new Problem('not-found', 'No line of this basket has this BookingReference.'),
  basketNotOpen: (status: string) =>
    new Problem('basket-not-open', `The basket is ${status}.`, { extensions: { Status: status } }),
  basketEmpty: () => new Problem('basket-empty', 'The basket has no line that could be paid.'),
  holdLimitReached: () =>
    new Problem('hold-limit-reached', 'The places are held as long as the account allows already.'),
  noRefundDue: (status: string) =>
    new Problem('no-refund-due', `The basket is ${status}, and has nothing to pay back.`, {
      extensions: { Status: status },
    }),
  placesAvailable: () =>
    new Problem('places-available', 'The timeslot has places for this party: book it instead.'),
  offerOver: (status: string) =>
    new Problem('offer-over', `This waitlist entry is ${status}.`, { extensions: { Status: status } }),
  waitlistEntryNotFound: () =>
    new Problem('not-found', 'No waitlist entry of this account has this WaitlistID.'),
  bookingNotFound: () => new Problem('not-found', 'There is no booking of this reference.'),
  bookingNotChangeable: (status: string) =>
    new Problem('booking-not-changeable', `The booking is ${status}.`, { extensions: { Status: status } }),
  cutoffPassed: (cancelBy: Date) =>
    new Problem('cutoff-passed', `The booking could be cancelled until ${cancelBy.toISOString()}.`, {
      extensions: { CancelBy: cancelBy.toISOString() },
    }),
  noEmailAddress: () => new Problem('no-email-address', 'The booking has no e-mail address.'),
  cursor: () =>
    problems.validation([
      { field: 'Cursor', message: 'must be the cursor of a Link: rel="next" of this list' },
    ]),
  productUnknown: () => new Problem('not-found', 'No product of this account has this ProductID.'),
  scheduleNotFound: () => new Problem('not-found', 'The product has no schedule of this ScheduleID.'),
  timeslotNotFound: () => new Problem('not-found', 'No timeslot of this account has this TimeslotID.'),
  capacityBelowBooked: ({ booked, held }: { booked: number; held: number }) =>
    new Problem('capacity-below-booked', `${booked} places are booked and ${held} held.`, {
      extensions: { Booked: booked, Held: held },
    }),
  timeslotExists: (id: number) =>
    new Problem('timeslot-exists', 'The product has a timeslot at this date and time.', {
      extensions: { TimeslotID: id },
    }),
  workflowNotFound: () => new Problem('not-found', 'No workflow of this account has this WorkflowID.'),
  workflowNameTaken: (name: string) =>
    new Problem('workflow-name-taken', `The account has a workflow named ${name}.`),
  emailNotFound: () => new Problem('not-found', 'No e-mail of this account has this EmailID.'),
  emailNotFailed: (status: string) =>
    new Problem('email-not-failed', `The e-mail is ${status}, not failed.`, {
      extensions: { Status: status },
    }),
  entryNotFound: () => new Problem('not-found', 'No usage entry of this account has this ID.'),
  idempotencyKeyReused: () =>
    new Problem('idempotency-key-reused', 'This Idempotency-Key was used for a request with another body.'),
  formReused: () =>
    new Problem(
      'idempotency-key-reused',
      'This form was sent before with other values. Please check it, and send it again.',
    ),
  signedOut: () => new Problem('unauthenticated', 'You are signed out. Please sign in again.'),
  foreignForm: () =>
    new Problem('forbidden', 'This form is too old, or is not one of ours. Please open the page again.'),
  ownersOnly: () => new Problem('forbidden', 'Only owners of the account may do this.'),
  tooManyGuesses: (seconds: number) =>
    new Problem('rate-limited', `Too many tries; please wait ${seconds} seconds.`, {
      headers: { 'retry-after': String(seconds) },
    }),
  tooManyPages: () =>
    new Problem(
      'rate-limited',
      'Too many pages are open; those that were opened last are not kept up to date.',
      {
        headers: { 'retry-after': '30' },
      },
    ),
  unavailable: (
    detail = 'The service cannot answer at the moment; please try again.',
    retryAfterSeconds = 1,
  ) => new Problem('unavailable', detail, { headers: { 'retry-after': String(retryAfterSeconds) } }),
}
