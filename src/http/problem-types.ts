/**
 * The table of all problem types (RFC 9457), with those of sale-problem-types.ts: their meaning, and what callers can
 * do.
 */
import { type ProblemDefinition, saleProblemTypes } from './sale-problem-types.ts'

export const problemTypes = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    meaning:
      'The request could not be read: for example, it has invalid JSON, an invalid address or too large headers, or it did not arrive in time.',
    remedy:
      'Correct the request as `detail` says. Send it again unchanged only if it did not arrive in time.',
  },
  'invalid-activity-id': {
    status: 400,
    title: 'Invalid ActivityID',
    meaning: 'The ActivityID in the path is not `s_` followed by a lower-case UUID.',
    remedy: 'Use the ActivityID of the product list without a change.',
  },
  'product-lookup': {
    status: 400,
    title: 'Give either ID or Name',
    meaning: 'A product is found by exactly one of ID and Name. The request has neither or both.',
    remedy: 'Send one of the two parameters.',
  },
  unauthenticated: {
    status: 401,
    title: 'Unauthenticated',
    meaning: 'There is no API key in `Authorization: Bearer …`, or it is unknown, expired or revoked.',
    remedy: 'Send a valid key. If you have none, ask the operator for one.',
  },
  'invalid-signature': {
    status: 401,
    title: 'Invalid signature',
    meaning:
      'The `Payment-Signature` is missing, was made with a secret that the account in `Account` does not have, is for another body, or its time differs from the current time by more than five minutes.',
    remedy: 'Sign the timestamp, a full stop and the exact body, with a valid secret of the account.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    meaning: 'The key is valid but does not have the scope that this operation needs.',
    remedy: 'Ask the operator for a key with the scope that `detail` names.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    meaning:
      'There is nothing at this address, or the request names an object that does not exist for this key. `detail` says which.',
    remedy: 'Compare the path with the reference at /docs, and check the ID that it contains.',
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
  ...saleProblemTypes,
  'capacity-below-booked': {
    status: 409,
    title: 'Capacity is below the booked places',
    meaning:
      'The timeslot has more booked and held places than the new capacity. `Booked` and `Held` say how many.',
    remedy: 'Set a capacity of at least `Booked` + `Held`, or cancel or move bookings first.',
  },
  'timeslot-exists': {
    status: 409,
    title: 'Timeslot exists',
    meaning: 'The product has a timeslot at this date and time, with the id `TimeslotID`.',
    remedy: 'Change that timeslot, or open it again.',
  },
  'timeslot-not-movable': {
    status: 409,
    title: 'Timeslot cannot be moved',
    meaning:
      'The timeslot has bookings, holds or waitlist entries, or it is closed or has begun. `Reason` says which.',
    remedy:
      'If it is closed, reopen it before you move it. If it has bookings, holds or waitlist entries, make a timeslot at the new date and time, and use a closure that moves the bookings there. If it has begun, it cannot be moved.',
  },
  'test-mode-catalogue': {
    status: 409,
    title: 'The catalogue is that of live mode',
    meaning:
      'A test key reads the live catalogue and cannot change it. Products, schedules, timeslots, promotions and workflows can be changed only in live mode.',
    remedy: 'Make the change with a live key, or in the dashboard; test mode follows within seconds.',
  },
  'edited-meanwhile': {
    status: 409,
    title: 'Edited meanwhile',
    meaning: 'Another change was saved after you opened the form. Nothing has been changed.',
    remedy: 'Look at the saved values, and save again if you still want your change.',
  },
  'workflow-name-taken': {
    status: 409,
    title: 'Workflow name taken',
    meaning: 'Another workflow of the account has this Name.',
    remedy: 'Choose another Name, or change that workflow.',
  },
  'threshold-exists': {
    status: 409,
    title: 'Threshold exists',
    meaning: 'The account already has this threshold for this meter and period, with the id `ThresholdID`.',
    remedy: 'Keep that threshold, or choose another amount.',
  },
  'account-limit-reached': {
    status: 409,
    title: 'Account limit reached',
    meaning:
      'The account, its partner or its user has the maximum number of these objects. `Limit` is that number.',
    remedy: 'Delete objects that you no longer need.',
  },
  'webhook-secrets-full': {
    status: 409,
    title: 'Two secrets already',
    meaning: 'The webhook endpoint has two secrets, the maximum.',
    remedy: 'Delete the older one when the receiver uses the newer one.',
  },
  'webhook-secret-last': {
    status: 409,
    title: 'Last secret',
    meaning: 'The webhook endpoint has only this secret, and needs one to sign deliveries.',
    remedy: 'Make another secret first, and set it up at the receiver.',
  },
  'webhook-paused': {
    status: 409,
    title: 'Webhook endpoint paused',
    meaning: 'The webhook endpoint is paused. It gets nothing until it is resumed.',
    remedy: 'Resume it.',
  },
  'email-not-failed': {
    status: 409,
    title: 'E-mail has not failed',
    meaning: 'Only an e-mail that failed can be sent again. `Status` is its current status.',
    remedy: 'Read the e-mail again: it is queued, was sent, or was dropped.',
  },
  'idempotency-key-in-use': {
    status: 409,
    title: 'Idempotency key in use',
    meaning:
      'Only earlier versions of the service send this, while they process a request with the same Idempotency-Key. This version waits for that request and repeats its response; if that takes too long, the response is 503 `unavailable`.',
    remedy: 'Send the same request again in a moment. It will get the same response as the first one.',
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
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  validation: {
    status: 422,
    title: 'Validation failed',
    meaning: 'Parameters or body fields are missing or break a rule. `errors` names each of them.',
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
    meaning: 'An earlier event with this ID had different content.',
    remedy: 'Give each event its own ID, and send an event again only unchanged.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    meaning: 'The key, its account or a webhook endpoint has reached a limit. `detail` names the limit.',
    remedy: 'Wait for the number of seconds in `Retry-After`.',
  },
  internal: {
    status: 500,
    title: 'Internal server error',
    meaning: 'The service failed unexpectedly. Its log has the cause under the Request-Id.',
    remedy: 'Try again with the same Idempotency-Key. If it fails again, report the Request-Id.',
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    meaning: 'The service, or a store that it needs, cannot respond at the moment.',
    remedy:
      'Try again after `Retry-After` seconds, with the same Idempotency-Key. The change that this request asked for, such as a booking, may have been made.',
  },
} as const satisfies Record<string, ProblemDefinition>

export type ProblemSlug = keyof typeof problemTypes
