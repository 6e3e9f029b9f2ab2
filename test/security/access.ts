/** A valid request for each route of the API: the scope of its key, its query and its body. */
import type { Scope } from '../../src/accounts/model.ts'
import type { makeWorld } from '../dashboard/world.ts'

type World = Pick<
  Awaited<ReturnType<typeof makeWorld>>,
  'ids' | 'activityId' | 'webhooks' | 'overpaid' | 'emptySlot'
>

export type Access = {
  scope: Scope
  query?: string
  body?: object
  /** Ids in the address that replace those of the world. */
  ids?: Record<string, string | number>
  /** The statuses that another account's key may get for ids of this account; by default only 404. */
  foreign?: number[]
}

/**
 * The status of a response. OCTO has status 400 for nearly every refusal; for that, this returns the status that the
 * other APIs have.
 */
export function statusOf(route: string, { statusCode, body }: { statusCode: number; body: string }): number {
  if (!route.includes(' /octo/') || statusCode !== 400) return statusCode
  const { error, errorMessage } = JSON.parse(body) as { error: string; errorMessage: string }
  if (error === 'FORBIDDEN') return errorMessage.includes('valid API key') ? 401 : 403
  if (error.startsWith('INVALID_')) return 404
  return { UNAUTHORIZED: 401, BAD_REQUEST: 422, UNPROCESSABLE_ENTITY: 409 }[error] ?? statusCode
}

/** Routes that need no key, and show nothing of any account. */
export const open = [
  'GET /',
  'GET /docs',
  'GET /docs/',
  'GET /docs/json',
  'GET /docs/yaml',
  'GET /docs/static/index.html',
  'GET /docs/static/swagger-initializer.js',
  'GET /docs/static/theme/service.css',
  'GET /healthz',
  'GET /openapi.json',
  'GET /problems/:slug',
  'GET /readyz',
]

/**
 * Routes that need no key, but a signature, or a token or hash in the address. Subtests of
 * test/security/authorization.test.ts send requests to them.
 */
export const otherwise = [
  'POST /api/v2/payments/events',
  'GET /calendar/:Feed',
  'GET /email/unsubscribe/:Token',
  'POST /email/unsubscribe/:Token',
  'GET /logos/:AccountID/:Hash',
  'GET /tickets/:Token',
  'GET /tickets/:Token/calendar.ics',
  'GET /tickets/:Token/receipt',
  'GET /waitlist/:Token',
  'POST /waitlist/:Token/leave',
  'POST /waitlist/:Token/take',
]

const day = '2030-06-15'
/** The reservation that `POST /octo/bookings` makes, and that the routes with `:uuid` name. */
const reservation = { uuid: '0b0ae1b3-2a5f-4b3b-9d2c-6f1c6c0e8a51', availabilityId: `${day}T16:00:00+01:00` }
const subscription = { url: 'https://receiver.invalid/octo', notificationTypes: ['BOOKING_UPDATE'] }
/** A picture of one pixel. */
export const logo =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='
const customer = { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' }

/**
 * Every route that a key opens, in an order in which all of them can be requested.
 * @param basketLine the reference of a line of the basket.
 * @param ticketId the ID of a ticket of the booking.
 */
export function accessTable(
  { ids, activityId, webhooks, overpaid, emptySlot }: World,
  basketLine: string,
  ticketId: string,
): Record<string, Access> {
  const line = { ActivityID: activityId, Date: day, Time: '16:00', Participants: 1 }
  const lines = { Lines: [line] }
  const season = { From: '2030-08-01', To: '2030-08-31', Weekdays: ['Tue'], Times: ['10:00'], Capacity: 8 }
  const product = {
    Name: 'Canoe',
    Description: '',
    DurationMinutes: 60,
    Price: { Amount: '45.00', Currency: 'EUR' },
    TimeZone: 'Europe/Lisbon',
  }
  const workflow = {
    Name: 'Thanks',
    Trigger: 'after-end',
    OffsetMinutes: 60,
    Subject: 'Thank you',
    Body: 'Come again.',
    Active: true,
  }
  const question = { Label: 'Can you row?', Type: 'text', Required: false, AppliesTo: 'booking' }
  const adult = { Name: 'Adult', Type: 'ADULT', Price: { Amount: '45.00', Currency: 'EUR' }, Default: true }
  const closure = { TimeslotID: ids.TimeslotID, Action: 'cancel' }
  const entry = { Meter: 'calls', Usage: 1 }
  const days = 'from=2020-01-01&to=2020-12-31'
  // A list, or a request without ids, is about the account of the caller.
  const own = { foreign: [200, 201] }
  // Ids in a body or a filter are refused like unknown ids.
  const named = { foreign: [422] }
  const ota = 'ota'
  const operator = 'operator'
  const [partners, desk, usage] = ['/api/v2/ota/marketplace', '/api/v2/operator', '/api/v2/usage']
  const booking = `${desk}/bookings/:BookingReference`
  const basket = `${desk}/baskets/:BasketID`
  const offer = `${desk}/waitlist/:WaitlistID`
  const code = `${desk}/promotions/:PromotionID`
  const kayak = `${desk}/products/:ProductID`
  const slot = `${desk}/timeslots/:TimeslotID`
  const ticket = { ids: { TicketID: ticketId } }
  const threshold = { Meter: 'calls', Period: 'day', Threshold: 50 }
  const octo = { productId: activityId, optionId: 'DEFAULT' }
  const reserved = { ids: { uuid: reservation.uuid } }
  const letter = `${desk}/workflows/:WorkflowID`
  return {
    [`GET ${partners}/products`]: { scope: ota, ...own },
    [`GET ${partners}/resolve-product`]: { scope: ota, query: `ID=${ids.ProductID}` },
    [`GET ${partners}/questions/:ActivityID`]: { scope: ota },
    'GET /api/v2/ota/core/questions/:ActivityID': { scope: ota },
    [`GET ${partners}/availability/:ActivityID/dates`]: {
      scope: ota,
      query: `StartDate=${day}&EndDate=${day}`,
    },
    [`GET ${partners}/availability/:ActivityID/timeslots`]: { scope: ota, query: `Date=${day}` },
    [`GET ${partners}/availability/:ActivityID/calendar`]: {
      scope: ota,
      query: `StartDate=${day}&EndDate=${day}`,
    },
    [`GET ${partners}/availability`]: {
      ...{ scope: ota, query: `ActivityIDs=${activityId}&StartDate=${day}&EndDate=${day}`, ...named },
    },
    [`POST ${partners}/booking`]: { scope: ota, body: { ...line, Customer: customer }, ...named },
    [`GET ${partners}/booking`]: { scope: ota, query: 'UpdatedSince=2020-01-01T00:00:00Z', ...own },
    [`GET ${partners}/booking/:BookingReference`]: { scope: ota },

    'GET /octo/capabilities': { scope: ota, ...own },
    'GET /octo/supplier': { scope: ota, ...own },
    'GET /octo/products': { scope: ota, ...own },
    'GET /octo/products/:productId': { scope: ota, ids: { productId: activityId } },
    'POST /octo/availability': { scope: ota, body: { ...octo, localDate: day } },
    'POST /octo/availability/calendar': {
      ...{ scope: ota, body: { ...octo, localDateStart: day, localDateEnd: day } },
    },
    'POST /octo/bookings': {
      scope: ota,
      body: { ...reservation, ...octo, unitItems: [{ unitId: String(ids.UnitID) }] },
    },
    'GET /octo/bookings': { scope: ota, query: `localDate=${day}`, ...own },
    'GET /octo/bookings/:uuid': { scope: ota, ...reserved },
    'PATCH /octo/bookings/:uuid': { scope: ota, body: { notes: 'A birthday' }, ...reserved },
    'POST /octo/bookings/:uuid/extend': { scope: ota, ...reserved },
    'POST /octo/bookings/:uuid/confirm': { scope: ota, ...reserved },
    'POST /octo/bookings/:uuid/cancel': { scope: ota, ...reserved },
    'DELETE /octo/bookings/:uuid': { scope: ota, ...reserved },
    'POST /octo/notifications/subscriptions': { scope: ota, body: subscription, ...own },
    'GET /octo/notifications/subscriptions': { scope: ota, ...own },
    'GET /octo/notifications/subscriptions/:subscriptionId': { scope: ota },
    'PATCH /octo/notifications/subscriptions/:subscriptionId': { scope: ota, body: subscription },
    'DELETE /octo/notifications/subscriptions/:subscriptionId': { scope: ota },

    [`GET ${desk}/bookings`]: { scope: operator, query: `TimeslotID=${ids.TimeslotID}`, ...own },
    [`POST ${desk}/bookings`]: { scope: operator, body: { ...line, Payment: { Method: 'cash' } }, ...named },
    [`GET ${booking}`]: { scope: operator },
    [`PUT ${booking}/internal-notes`]: { scope: operator, body: { InternalNotes: 'Comes back.' } },
    [`PATCH ${booking}`]: { scope: operator, body: { Customer: customer } },
    [`POST ${booking}/tickets`]: { scope: operator },
    [`GET ${booking}/tickets`]: { scope: operator },
    [`PATCH ${booking}/tickets/:TicketID`]: { scope: operator, body: { Contact: customer }, ...ticket },
    [`POST ${desk}/tickets/:TicketID/redeem`]: { scope: operator, ...ticket },
    [`POST ${desk}/tickets/:TicketID/undo-redeem`]: { scope: operator, ...ticket },
    [`POST ${booking}/amend`]: { scope: operator, body: { Participants: 1 } },
    [`POST ${booking}/move`]: { scope: operator, body: { Date: day, Time: '16:00' } },
    [`POST ${booking}/attendance`]: { scope: operator, body: { Attendance: 'no-show' } },
    [`POST ${booking}/resend`]: { scope: operator },
    [`POST ${booking}/cancel`]: { scope: operator, body: { Reason: 'ill', Override: true } },
    [`POST ${partners}/booking/:BookingReference/cancel`]: { scope: ota },

    [`GET ${desk}/baskets`]: { scope: operator, ...own },
    [`POST ${desk}/baskets`]: { scope: operator, body: { Channel: 'pos', ...lines }, ...named },
    [`GET ${basket}`]: { scope: operator },
    [`PATCH ${basket}`]: { scope: operator, body: { Customer: customer } },
    [`PUT ${basket}/promotion`]: { scope: operator, body: { Code: 'SPRING' } },
    [`DELETE ${basket}/promotion`]: { scope: operator },
    [`POST ${basket}/lines`]: { scope: operator, body: lines, foreign: [404, 422] },
    [`DELETE ${basket}/lines/:BookingReference`]: { scope: operator, ids: { BookingReference: basketLine } },
    [`POST ${basket}/extend`]: { scope: operator },
    [`POST ${basket}/pay`]: { scope: operator, body: { Method: 'cash' } },
    [`POST ${basket}/payments`]: { scope: operator, body: { Method: 'cash', Amount: '1.00' } },
    [`POST ${basket}/receipt`]: { scope: operator },
    [`POST ${basket}/refunded`]: { scope: operator, body: { Payments: ['evt_1'] } },
    [`POST ${basket}/cancel`]: { scope: operator },

    [`GET ${desk}/promotions`]: { scope: operator, ...own },
    [`POST ${desk}/promotions`]: { scope: operator, body: { Code: 'AUTUMN', Percent: '10' }, ...own },
    [`GET ${code}`]: { scope: operator },
    [`PATCH ${code}`]: { scope: operator, body: { MaxUses: 5 } },

    [`GET ${desk}/payment-settings`]: { scope: operator, ...own },
    [`PUT ${desk}/payment-settings`]: { scope: operator, body: { Contact: 'desk@quay.test' }, ...own },
    [`GET ${desk}/business-details`]: { scope: operator, ...own },
    [`PUT ${desk}/business-details`]: { scope: operator, body: { TaxNumber: 'PT 501 234 567' }, ...own },
    [`PUT ${desk}/business-details/logo`]: { scope: operator, body: { Image: logo }, ...own },
    [`DELETE ${desk}/business-details/logo`]: { scope: operator, ...own },
    [`GET ${desk}/refunds`]: { scope: operator, ...own },
    [`POST ${desk}/refunds/:RefundID/done`]: { scope: operator, body: { Method: 'cash' } },
    [`POST ${desk}/refunds/:RefundID/parts`]: {
      scope: operator,
      body: { Method: 'cash', Amount: '45.00', Part: '20.00' },
    },
    [`POST ${desk}/refunds/:RefundID/undo`]: { scope: operator, body: { Reason: 'A mistake' } },
    [`POST ${basket}/refunded/undo`]: { scope: operator, body: { Payment: 'evt_1', Reason: 'A mistake' } },
    [`POST ${basket}/refunds`]: { scope: operator, body: {}, ids: { BasketID: overpaid.BasketID } },
    [`GET ${desk}/tills`]: { scope: operator, ...own },
    [`GET ${desk}/tills/:TillID`]: { scope: operator },
    [`GET ${desk}/tills/:TillID/movements`]: { scope: operator },

    [`GET ${desk}/waitlist`]: { scope: operator, query: `TimeslotID=${ids.TimeslotID}`, ...own },
    [`POST ${desk}/waitlist`]: {
      scope: operator,
      body: { ...line, Time: '14:00', Customer: customer },
      ...named,
    },
    [`GET ${offer}`]: { scope: operator },
    [`POST ${offer}/take`]: { scope: operator },
    [`POST ${offer}/leave`]: { scope: operator },

    [`GET ${desk}/products`]: { scope: operator, ...own },
    [`POST ${desk}/products`]: { scope: operator, body: product, ...own },
    [`GET ${kayak}`]: { scope: operator },
    [`PATCH ${kayak}`]: { scope: operator, body: { Name: 'Kayak' } },
    [`GET ${kayak}/questions`]: { scope: operator },
    [`PUT ${kayak}/questions`]: { scope: operator, body: { Questions: [question] } },
    [`GET ${kayak}/units`]: { scope: operator },
    [`PUT ${kayak}/units`]: { scope: operator, body: { Units: [adult] } },
    [`GET ${kayak}/refund-terms`]: { scope: operator },
    [`PUT ${kayak}/refund-terms`]: {
      scope: operator,
      body: { RefundTerms: [{ Percent: '50', HoursBefore: 24 }] },
    },
    [`GET ${kayak}/translations`]: { scope: operator },
    [`PUT ${kayak}/translations`]: {
      scope: operator,
      body: { Translations: [{ Language: 'pt', Name: 'Caiaque' }] },
    },
    [`GET ${kayak}/schedules`]: { scope: operator },
    [`POST ${kayak}/schedules`]: { scope: operator, body: season },
    [`POST ${kayak}/schedules/preview`]: { scope: operator, body: { ...season, Weekdays: ['Wed'] } },
    [`PATCH ${kayak}/schedules/:ScheduleID`]: { scope: operator, body: { Capacity: 9 } },
    [`DELETE ${kayak}/schedules/:ScheduleID`]: { scope: operator },
    [`POST ${kayak}/timeslots`]: {
      scope: operator,
      body: { Date: '2030-06-20', Time: '10:00', Capacity: 8 },
    },

    [`GET ${desk}/partners`]: { scope: operator, ...own },
    [`GET ${desk}/reports/sales`]: { scope: operator, query: `From=${day}&To=${day}&Group=product`, ...own },
    [`GET ${desk}/reports/partners/:PartnerID/statement`]: { scope: operator, query: 'Month=2030-06' },
    [`GET ${desk}/partners/:PartnerID/terms`]: { scope: operator },
    [`PUT ${desk}/partners/:PartnerID/terms`]: {
      scope: operator,
      body: { Terms: [{ ProductID: null, Commission: '20' }] },
    },

    [`GET ${desk}/timeslots`]: { scope: operator, query: `From=${day}&To=${day}`, ...own },
    [`GET ${slot}`]: { scope: operator },
    [`PATCH ${slot}`]: { scope: operator, body: { Capacity: 20 } },
    [`POST ${slot}/close`]: { scope: operator },
    [`POST ${slot}/reopen`]: { scope: operator },
    [`POST ${slot}/move`]: { scope: operator, body: { Date: '2030-06-22' }, ids: { TimeslotID: emptySlot } },
    [`POST ${slot}/messages`]: { scope: operator, body: { Subject: 'Pier 3', Body: 'Come to pier 3.' } },
    [`POST ${desk}/closures/preview`]: { scope: operator, body: closure, ...named },
    [`POST ${desk}/closures`]: { scope: operator, body: closure, ...named },
    [`POST ${desk}/closures/reopen`]: { scope: operator, body: { Date: day }, ...own },
    [`GET ${desk}/closures/calls`]: { scope: operator, ...own },
    [`PUT ${desk}/closures/calls/:TimeslotID/:BookingReference`]: { scope: operator, body: { Done: true } },

    [`GET ${desk}/emails`]: { scope: operator, ...own },
    [`POST ${desk}/emails/:EmailID/retry`]: { scope: operator },
    [`GET ${desk}/workflows`]: { scope: operator, ...own },
    [`POST ${desk}/workflows`]: {
      scope: operator,
      body: { ...workflow, ProductID: ids.ProductID },
      ...named,
    },
    [`GET ${letter}`]: { scope: operator },
    [`PUT ${letter}`]: { scope: operator, body: { ...workflow, Name: 'Others' } },
    [`POST ${letter}/preview`]: { scope: operator },
    [`POST ${letter}/test`]: { scope: operator, body: { To: 'ana@example.com' } },
    [`DELETE ${letter}`]: { scope: operator },

    ...webhookRows(desk, { scope: operator, ids: webhooks.account }),
    ...webhookRows('/api/v2/ota', { scope: ota, ids: webhooks.partner }),

    // These come before usage is recorded: reads wait for entries that are not stored yet, and a void may get 503.
    [`POST ${usage}/entries/:ID/void`]: { scope: 'usage:write', body: { Reason: 'sent twice' } },
    [`GET ${usage}/thresholds`]: { scope: 'usage:read', ...own },
    [`POST ${usage}/thresholds`]: { scope: 'usage:write', body: threshold, ...own },
    [`DELETE ${usage}/thresholds/:ThresholdID`]: { scope: 'usage:write' },
    [`GET ${usage}/meters`]: { scope: 'usage:read', query: days, ...own },
    [`GET ${usage}/entries`]: { scope: 'usage:read', query: days, ...own },
    [`POST ${usage}/meters`]: { scope: 'usage:write', body: entry, ...own },
    [`POST ${usage}/meters/batch`]: { scope: 'usage:write', body: { Entries: [entry] }, ...own },
  }
}

/** The routes of webhooks below `prefix`, which are the same for two scopes. */
function webhookRows(prefix: string, access: Access): Record<string, Access> {
  const [all, one] = [`${prefix}/webhooks`, `${prefix}/webhooks/:EndpointID`]
  const body = { URL: 'https://receiver.invalid/hook', EventTypes: ['booking.*'] }
  const own = { scope: access.scope, foreign: [200, 201] }
  return {
    [`GET ${all}`]: own,
    [`POST ${all}`]: { ...own, body },
    [`GET ${one}`]: access,
    [`PATCH ${one}`]: { ...access, body: { Description: 'Our shop' } },
    [`POST ${one}/test`]: access,
    [`POST ${one}/replay`]: { ...access, body: { FromNumber: 1 } },
    [`GET ${one}/deliveries`]: access,
    [`POST ${one}/deliveries/:DeliveryID/redeliver`]: access,
    [`POST ${one}/secrets`]: access,
    [`DELETE ${one}/secrets/:SecretID`]: access,
    [`POST ${one}/pause`]: access,
    [`POST ${one}/resume`]: access,
    [`DELETE ${one}`]: access,
  }
}
