/**
 * The class Problem, which code throws to refuse a request, and functions that make problems.
 * problem-types.ts has the problem types, and error-handler.ts writes problems as responses.
 */
import type { FieldError } from '../platform/schema/validation.ts'
import type { ProblemSlug } from './problem-types.ts'

type ProblemParts = { extensions?: Record<string, unknown>; headers?: Record<string, string> }

/** Thrown to refuse a request with a problem. `message` is public: it becomes `detail`. */
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

/** A timeslot offered in place of one that cannot be booked. */
export type Alternative = { Date: string; Time: string; Available: number }
/** The limits of the search for alternatives: days from the requested one, and timeslots of the product. */
export const alternativesSearch = { days: 92, timeslots: 500 }

function ofLine(line: number | undefined): string {
  return line === undefined ? '' : ` of Lines[${line}]`
}

/** Functions that make a Problem. money-problems.ts has most of those about payments and tills. */
export const problems = {
  malformedRequest: (detail: string) => new Problem('malformed-request', detail),
  validation: (errors: FieldError[]) =>
    new Problem('validation', errors.map(({ field, message }) => `${field} ${message}`).join('; '), {
      extensions: { errors },
    }),
  unauthenticated: () =>
    new Problem('unauthenticated', 'A valid API key is required in the header Authorization: Bearer <key>.', {
      headers: { 'www-authenticate': 'Bearer' },
    }),
  invalidSignature: () =>
    new Problem(
      'invalid-signature',
      'The Payment-Signature is missing, or it is not valid for this account, body and time.',
      {
        headers: { 'www-authenticate': 'Payment-Signature' },
      },
    ),
  paymentEventReused: () =>
    new Problem('payment-event-reused', 'An earlier event with this ID had different content.'),
  forbidden: (scope: string) =>
    new Problem('forbidden', `This operation needs a key with the scope ${scope}.`),
  notFound: () => new Problem('not-found', 'There is nothing at this address.'),
  methodNotAllowed: (allowed: string[]) =>
    new Problem('method-not-allowed', `This address supports only ${allowed.join(', ')}.`, {
      headers: { allow: allowed.join(', ') },
    }),
  productLookup: () => new Problem('product-lookup', 'Provide either ID or Name, and not both.'),
  productNotFound: () => new Problem('product-not-found', 'No product in the shopfront matches.'),
  activityNotFound: () =>
    new Problem('activity-not-found', 'No product in the shopfront has this ActivityID.'),
  /** A body names a product that is not in the shopfront. */
  unknownActivity: () =>
    problems.validation([
      { field: 'ActivityID', message: 'is not the ActivityID of a product in the shopfront' },
    ]),
  /** @param line the index of the line in question, if there are several. */
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
  reservationUuidReused: () =>
    new Problem('reservation-uuid-reused', 'This uuid was used for a reservation with different content.'),
  reservationOver: () => new Problem('reservation-over', 'The reservation has expired.'),
  heldByReseller: () => new Problem('held-by-reseller', 'A reseller holds the places of this basket.'),
  basketEmpty: () => new Problem('basket-empty', 'The basket has no line to pay for.'),
  promotionNotApplicable: (reason: string, detail: string) =>
    new Problem('promotion-not-applicable', detail, { extensions: { Reason: reason } }),
  promotionNotFound: () => new Problem('not-found', 'No promotion of this account has this PromotionID.'),
  promotionCodeTaken: (code: string) =>
    new Problem('promotion-code-taken', `The account has a promotion with the code ${code}.`),
  holdLimitReached: () =>
    new Problem(
      'hold-limit-reached',
      'The places are already held for the longest time that the account allows.',
    ),
  /** @param payments the payments that the request names and that are not due to be paid back. */
  noRefundDue: (status: string, payments: readonly string[]) =>
    new Problem('no-refund-due', `No refund is due for ${payments.join(', ')}.`, {
      extensions: { Status: status, Payments: payments },
    }),
  placesAvailable: () =>
    new Problem('places-available', 'The timeslot has places for this party: book it instead.'),
  offerOver: (status: string) =>
    new Problem('offer-over', `This waitlist entry is ${status}.`, { extensions: { Status: status } }),
  waitlistEntryNotFound: () =>
    new Problem('not-found', 'No waitlist entry of this account has this WaitlistID.'),
  bookingNotFound: () => new Problem('not-found', 'There is no booking with this reference.'),
  bookingNotChangeable: (status: string) =>
    new Problem('booking-not-changeable', `The booking is ${status}.`, { extensions: { Status: status } }),
  cutoffPassed: (cancelBy: Date) =>
    new Problem('cutoff-passed', `The booking could be cancelled until ${cancelBy.toISOString()}.`, {
      extensions: { CancelBy: cancelBy.toISOString() },
    }),
  ticketNotFound: () => new Problem('not-found', 'There is no ticket with this TicketID.'),
  ticketRedeemed: (redeemedAt: Date) =>
    new Problem('ticket-redeemed', `The ticket was redeemed at ${redeemedAt.toISOString()}.`, {
      extensions: { RedeemedAt: redeemedAt.toISOString() },
    }),
  ticketVoid: (voidedAt: Date) =>
    new Problem('ticket-void', `The ticket has been void since ${voidedAt.toISOString()}.`, {
      extensions: { VoidedAt: voidedAt.toISOString() },
    }),
  quantityBelowRedeemed: (units: readonly { unitId: number; quantity: number; redeemed: number }[]) =>
    new Problem('quantity-below-redeemed', 'More tickets have been redeemed than the booking would have.', {
      extensions: {
        Units: units.map(({ unitId, quantity, redeemed }) => {
          return { UnitID: unitId, Quantity: quantity, Redeemed: redeemed }
        }),
      },
    }),
  noEmailAddress: () => new Problem('no-email-address', 'The booking has no e-mail address.'),
  customerErased: () =>
    new Problem('customer-erased', 'The personal data of this booking’s customer has been erased.'),
  customerExpected: (bookings: string[]) =>
    new Problem(
      'customer-expected',
      `The customer has bookings that are held, on the waitlist, or not over yet: ${bookings.join(', ')}. Confirmed ones can be erased with an option of the request.`,
      { extensions: { Bookings: bookings } },
    ),
  cursor: () =>
    problems.validation([
      { field: 'Cursor', message: 'must be the cursor of a Link: rel="next" of this list' },
    ]),
  partnerNotFound: () => new Problem('not-found', 'No partner of this account has this PartnerID.'),
  productUnknown: () => new Problem('not-found', 'No product of this account has this ProductID.'),
  scheduleNotFound: () => new Problem('not-found', 'The product has no schedule with this ScheduleID.'),
  timeslotNotFound: () => new Problem('not-found', 'No timeslot of this account has this TimeslotID.'),
  capacityBelowBooked: ({ booked, held }: { booked: number; held: number }) =>
    new Problem(
      'capacity-below-booked',
      `${booked} ${booked === 1 ? 'place is' : 'places are'} booked and ${held} ${held === 1 ? 'is' : 'are'} held.`,
      { extensions: { Booked: booked, Held: held } },
    ),
  timeslotExists: (id: number) =>
    new Problem('timeslot-exists', 'The product has a timeslot at this date and time.', {
      extensions: { TimeslotID: id },
    }),
  timeslotNotMovable: (reason: string, detail: string) =>
    new Problem('timeslot-not-movable', detail, { extensions: { Reason: reason } }),
  editedMeanwhile: () =>
    new Problem(
      'edited-meanwhile',
      'Other changes were saved after you opened this page. Your changes are not saved yet. If you save again, they replace the other changes.',
    ),
  testModeCatalogue: () =>
    new Problem(
      'test-mode-catalogue',
      'Test mode uses the live catalogue, which can be changed only in live mode. Nothing was changed.',
    ),
  workflowNotFound: () => new Problem('not-found', 'No workflow of this account has this WorkflowID.'),
  workflowNameTaken: (name: string) =>
    new Problem('workflow-name-taken', `The account has a workflow named ${name}.`),
  /** @param what the limited things, in the plural. */
  accountLimitReached: (what: string, limit: number) =>
    new Problem('account-limit-reached', `The account may have at most ${limit} ${what}.`, {
      extensions: { Limit: limit },
    }),
  webhookEndpointNotFound: () =>
    new Problem('not-found', 'You have no webhook endpoint with this EndpointID.'),
  webhookDeliveryNotFound: () =>
    new Problem('not-found', 'No finished delivery of this endpoint has this DeliveryID.'),
  webhookEventExpired: () =>
    new Problem('not-found', 'The event of this delivery has expired, so it cannot be sent again.'),
  webhookSecretNotFound: () => new Problem('not-found', 'No secret of this endpoint has this SecretID.'),
  webhookSecretsFull: () => new Problem('webhook-secrets-full', 'The endpoint already has two secrets.'),
  webhookSecretLast: () => new Problem('webhook-secret-last', 'The endpoint has no other secret.'),
  webhookPaused: () => new Problem('webhook-paused', 'The endpoint is paused: resume it first.'),
  webhookBacklog: (unfinished: number) =>
    new Problem(
      'rate-limited',
      `The endpoint has ${unfinished} unfinished deliveries. Wait until the receiver accepts them.`,
      { headers: { 'retry-after': '300' } },
    ),
  emailNotFound: () => new Problem('not-found', 'No e-mail of this account has this EmailID.'),
  emailNotFailed: (status: string) =>
    new Problem('email-not-failed', `The e-mail is ${status}, not failed.`, {
      extensions: { Status: status },
    }),
  thresholdNotFound: () => new Problem('not-found', 'No threshold of this account has this ThresholdID.'),
  thresholdExists: (id: number) =>
    new Problem('threshold-exists', 'The meter already has this threshold for this period.', {
      extensions: { ThresholdID: id },
    }),
  entryNotFound: () => new Problem('not-found', 'No usage entry of this account has this ID.'),
  idempotencyKeyReused: () =>
    new Problem('idempotency-key-reused', 'This Idempotency-Key was used for a different request.'),
  formReused: () =>
    new Problem(
      'idempotency-key-reused',
      'This form was sent before with other values. Please check the values and send it again.',
    ),
  signedOut: () => new Problem('unauthenticated', 'You are signed out. Please sign in again.'),
  foreignForm: () => new Problem('forbidden', 'This form has expired. Please open the page again.'),
  ownMarksOnly: () =>
    new Problem('forbidden', 'Another user marked this refund. Ask that user, or an owner, to undo it.'),
  /** @param role of the user who made the request. */
  ownersOnly: (role: string) =>
    new Problem(
      'forbidden',
      `Only owners of the account may do this, and you are signed in as ${role}. Ask an owner to do it, or to make you one.`,
    ),
  rateLimited: (seconds: number) =>
    new Problem(
      'rate-limited',
      `The key has reached its request limit. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
      { headers: { 'retry-after': String(seconds) } },
    ),
  templatesTakeLong: (seconds: number) =>
    new Problem(
      'rate-limited',
      `The templates of this account took too long to render; please wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
      { headers: { 'retry-after': String(seconds) } },
    ),
  tooManyGuesses: (seconds: number) =>
    new Problem(
      'rate-limited',
      `Too many attempts; please wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
      { headers: { 'retry-after': String(seconds) } },
    ),
  tooManyTests: (most: number, seconds: number) =>
    new Problem(
      'rate-limited',
      `The account has sent ${most} test e-mails today, which is the limit. The next can be sent after midnight UTC.`,
      { headers: { 'retry-after': String(seconds) } },
    ),
  tooManyBytes: () =>
    new Problem(
      'rate-limited',
      'Too much is being sent at once; please send this again after other requests have been answered.',
      { headers: { 'retry-after': '1' } },
    ),
  tooManyPages: () =>
    new Problem('rate-limited', 'Too many pages are open; the newest pages do not update automatically.', {
      headers: { 'retry-after': '30' },
    }),
  /** `Retry-After` is a random number from 1 to 3, so that clients do not retry all at once. */
  overloaded: () =>
    problems.unavailable('The service is overloaded; please try again.', 1 + Math.floor(Math.random() * 3)),
  unavailable: (
    detail = 'The service cannot respond at the moment; please try again.',
    retryAfterSeconds = 1,
  ) => new Problem('unavailable', detail, { headers: { 'retry-after': String(retryAfterSeconds) } }),
}
