/**
 * The types of events, as data: each has a schema for its details. Details contain no personal data, because
 * erasing a customer does not erase events.
 */
import { type Static, type TSchema, Type } from '../platform/schema/typebox.ts'

const none = Type.Object({})
const count = Type.Integer({ minimum: 0 })
const id = Type.Integer({ minimum: 1 })
const calendarDate = Type.String({ format: 'date' })
const clockTime = Type.String({ pattern: '^\\d\\d:\\d\\d$' })
const fields = Type.Object({ Fields: Type.Array(Type.String()) })
const place = Type.Object({ ProductID: id, TimeslotID: id, Date: calendarDate, Time: clockTime })
// The note of a cancellation is stored with the booking, not in the event. Erasing the customer erases the note.
const byClosure = Type.Object({ Reason: Type.Optional(Type.Literal('closure')) })
const units = Type.Optional(Type.Array(Type.Object({ UnitID: count, Quantity: count })))
const made = Type.Object({ Participants: Type.Optional(count), Units: units })
// False if workflows must send no e-mail about the change: the operator chose this, or the booking is only held.
const notNotified = Type.Optional(Type.Literal(false))
// After the event: how many people of the party are present, how many are absent, and the size of the party.
// Events of earlier versions lack these fields.
const here = Type.Partial(Type.Object({ PeopleHere: count, PeopleAbsent: count, Participants: count }))
// `Arrived` is false if nobody arrived: fewer people are present than before, or only the number of absent
// people changed.
const checkedIn = Type.Object({ ...here.properties, Arrived: Type.Optional(Type.Literal(false)) })
const money = Type.Object({ Amount: Type.String(), Currency: Type.String() })
// The old and the new price, if the price changed; the refund, if the booking became cheaper; and the part of
// earlier refunds that will not be paid back, if the booking became dearer. None of them if the booking is only held.
const repriced = {
  FromTotal: Type.Optional(money),
  ToTotal: Type.Optional(money),
  Refund: Type.Optional(money),
  SetOff: Type.Optional(money),
}
const refund = Type.Partial(Type.Object({ RefundID: id, ...money.properties }))

/**
 * The events that form the history of a booking. The history shows each type without the prefix `booking.`.
 */
const bookingTypes = {
  'booking.held': made,
  'booking.waitlisted': made,
  'booking.confirmed': made,
  'booking.offered': none,
  'booking.offer-taken': none,
  'booking.moved': Type.Object({
    From: place,
    To: place,
    Reason: Type.Optional(Type.Literal('closure')),
    TellCustomer: notNotified,
    // Only if a new party was given, or the number of people changed.
    FromParticipants: Type.Optional(count),
    ToParticipants: Type.Optional(count),
    FromUnits: units,
    ToUnits: units,
    ...repriced,
  }),
  // `From` and `To` are numbers of people. The units are for products with units.
  'booking.amended': Type.Object({
    From: count,
    To: count,
    TellCustomer: notNotified,
    FromUnits: units,
    ToUnits: units,
    ...repriced,
  }),
  'booking.cancelled': Type.Object({
    ...byClosure.properties,
    Override: Type.Optional(Type.Boolean()),
    TellCustomer: notNotified,
    // Only if there were refund terms, or the booking was paid.
    Refund: Type.Optional(money),
  }),
  // The hold of a reseller's reservation ends later. For the operator's own sales there is basket.extended.
  'booking.extended': none,
  'booking.removed': none,
  'booking.expired': none,
  // The amount by which the till reduced the price, in addition to the discount of a promotion.
  'booking.reduced': money,
  'booking.checked-in': checkedIn,
  'booking.no-show': here,
  'booking.attendance-cleared': none,
  'booking.tickets-made': Type.Object({ Tickets: count }),
  // `Ticket` is the number of the ticket in its booking.
  'booking.ticket-redeemed': Type.Object({ Ticket: id, ...here.properties }),
  'booking.redemption-undone': Type.Object({ Ticket: id, ...here.properties }),
  'booking.ticket-changed': Type.Object({ Ticket: id, Fields: Type.Array(Type.String()) }),
  'booking.confirmation-resent': none,
  // A message that the operator wrote to the bookings of the timeslot was queued for this booking.
  'booking.messaged': none,
  'booking.receipt-sent': none,
  'booking.customer-changed': Type.Object({ Fields: Type.Optional(Type.Array(Type.String())) }),
  'booking.customer-erased': none,
} satisfies Record<`booking.${string}`, TSchema>

export const eventTypes = {
  ...bookingTypes,
  'product.made': none,
  // `Fields` has names of product fields in the API, `Questions`, `Units`, `RefundTerms`, `Translations` or
  // `UnitPrices`. `UnitPrices`: prices of timeslots may have changed with their schedule.
  'product.changed': fields,
  'partner-terms.changed': Type.Object({ PartnerID: id }),
  'timeslot.made': Type.Object({ Date: calendarDate, Time: clockTime, Capacity: count }),
  'timeslot.capacity-changed': Type.Object({ From: count, To: count }),
  // The opening hours changed, or the instants changed with the product's time zone. The local date and time are
  // the same.
  'timeslot.rescheduled': none,
  // The timeslot's own prices. A change of its schedule's prices is an event of the product.
  'timeslot.prices-changed': none,
  'timeslot.closed': none,
  'timeslot.reopened': none,
  'timeslot.removed': Type.Object({ Date: calendarDate, Time: clockTime }),
  'basket.opened': none,
  'basket.extended': none,
  'basket.promotion-applied': Type.Object({ PromotionID: id }),
  'basket.promotion-removed': none,
  'basket.completed': none,
  'basket.cancelled': none,
  'basket.expired': none,
  'promotion.made': Type.Object({ PromotionID: id }),
  'promotion.changed': Type.Object({ PromotionID: id, ...fields.properties }),
  'waitlist.joined': none,
  'waitlist.offered': none,
  'waitlist.taken': none,
  'waitlist.left': none,
  'waitlist.expired': none,
  'payment.received': Type.Object({ ...money.properties, Type: Type.String(), Outcome: Type.String() }),
  'payment-settings.changed': fields,
  'business-details.changed': fields,
  'calendar-feed.made': Type.Object({ FeedID: id }),
  'calendar-feed.revoked': Type.Object({ FeedID: id }),
  // A payment of a sale, recorded by the operator or reported by a provider's event.
  'payment.taken': Type.Object({ ...money.properties, Method: Type.String() }),
  // `UserID` is the owner of the till.
  'till.opened': Type.Object({ TillID: id, UserID: id, Float: money }),
  // The expected amount and the difference may be negative.
  'till.closed': Type.Object({ TillID: id, UserID: id, Counted: money, Expected: money, Difference: money }),
  // The refund of a provider's payment that bought nothing has no RefundID, and its `refund.due` event has no amount.
  // For such a refund, a `refund.done` event of an earlier version has an amount only if the event is about a part of
  // the payment.
  'refund.due': Type.Object({ Reason: Type.String(), ...refund.properties }),
  // The part of a refund that will not be paid back, because the sale owes this amount after a later change.
  'refund.set-off': Type.Object({ RefundID: id, ...money.properties }),
  'refund.done': Type.Object({ ...refund.properties, Method: Type.Optional(Type.String()) }),
  // The refund was marked as paid back by mistake and is due again. The reason for undoing the mark is stored
  // with the refund and can be erased.
  'refund.undone': Type.Object({ ...refund.properties, Method: Type.Optional(Type.String()) }),
  'closure.made': Type.Object({
    Action: Type.Union([Type.Literal('cancelled'), Type.Literal('moved')]),
    FromDate: calendarDate,
    FromTime: clockTime,
    FromAllDay: Type.Optional(Type.Boolean()),
    // The operator's text, the same for all customers of the timeslot.
    Message: Type.Union([Type.String(), Type.Null()]),
    BookingIDs: Type.Array(id),
  }),
  'email.sent': Type.Object({
    Kind: Type.String(),
    BookingID: Type.Optional(id),
  }),
  // Written by the statement that raises the totals, or by checkThresholds(): src/metering/thresholds.
  'usage.threshold-crossed': Type.Object({
    ThresholdID: id,
    Meter: Type.String(),
    Period: Type.Union([Type.Literal('day'), Type.Literal('month'), Type.Literal('total')]),
    // The first day of the period. Missing if the period is `total`, which has no first day.
    From: Type.Optional(calendarDate),
    Threshold: Type.String(),
    // The total when the threshold was crossed.
    Total: Type.String(),
  }),
} satisfies Record<string, TSchema>

export type EventType = keyof typeof eventTypes
export type EventDetails<T extends EventType> = Static<(typeof eventTypes)[T]>

export type BookingEventType = keyof typeof bookingTypes
export const bookingEventTypes = Object.keys(bookingTypes) as BookingEventType[]
/** The name in a booking's history: `confirmed`, `moved`, … */
export type BookingAction = BookingEventType extends `booking.${infer Action}` ? Action : never
