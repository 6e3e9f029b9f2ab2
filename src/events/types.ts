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
// Free text stays with the booking, which can be erased.
const byClosure = Type.Object({ Reason: Type.Optional(Type.Literal('closure')) })
const units = Type.Optional(Type.Array(Type.Object({ UnitID: count, Quantity: count })))
const made = Type.Object({ Participants: Type.Optional(count), Units: units })
// False if the operator chose not to notify the customer: workflows then send no e-mail.
const notNotified = Type.Optional(Type.Literal(false))
// How many of the party are present from then on, how many did not come, and how many it has. Events of earlier versions lack
// them.
const here = Type.Partial(Type.Object({ PeopleHere: count, PeopleAbsent: count, Participants: count }))
// False if nobody has arrived: fewer are present than before, or others were marked as absent or are no longer.
const checkedIn = Type.Object({ ...here.properties, Arrived: Type.Optional(Type.Literal(false)) })
const money = Type.Object({ Amount: Type.String(), Currency: Type.String() })
// The old and new price, if it changed; the refund, if it became cheaper; and the cancelled refund, if it
// became dearer.
const repriced = {
  FromTotal: Type.Optional(money),
  ToTotal: Type.Optional(money),
  Refund: Type.Optional(money),
  SetOff: Type.Optional(money),
}
const refund = Type.Partial(Type.Object({ RefundID: id, ...money.properties }))

/** What happens to a booking: its history. The history shows the name without `booking.`. */
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
    // Only if a new party was given with the move.
    FromParticipants: Type.Optional(count),
    ToParticipants: Type.Optional(count),
    FromUnits: units,
    ToUnits: units,
    ...repriced,
  }),
  // How many people, and which units of a product with units; and how the price changed.
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
  'booking.removed': none,
  'booking.expired': none,
  // The reduction at the till, besides that of a promotion.
  'booking.reduced': money,
  'booking.checked-in': checkedIn,
  'booking.no-show': here,
  'booking.attendance-cleared': none,
  'booking.tickets-made': Type.Object({ Tickets: count }),
  // The number of the ticket.
  'booking.ticket-redeemed': Type.Object({ Ticket: id, ...here.properties }),
  'booking.redemption-undone': Type.Object({ Ticket: id, ...here.properties }),
  'booking.ticket-changed': Type.Object({ Ticket: id, Fields: Type.Array(Type.String()) }),
  'booking.confirmation-resent': none,
  // The operator sent a message to every booking of the timeslot.
  'booking.messaged': none,
  'booking.receipt-sent': none,
  'booking.customer-changed': Type.Object({ Fields: Type.Optional(Type.Array(Type.String())) }),
  'booking.customer-erased': none,
} satisfies Record<`booking.${string}`, TSchema>

export const eventTypes = {
  ...bookingTypes,
  'product.made': none,
  // Names of product fields in the API, `Questions` and `Units`, and `UnitPrices` of its schedules.
  'product.changed': fields,
  'partner-terms.changed': Type.Object({ PartnerID: id }),
  'timeslot.made': Type.Object({ Date: calendarDate, Time: clockTime, Capacity: count }),
  'timeslot.capacity-changed': Type.Object({ From: count, To: count }),
  // The product's time zone changed, and with it the instant; the local date and time stay.
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
  // A payment of a sale, entered at the till or reported by a provider's event.
  'payment.taken': Type.Object({ ...money.properties, Method: Type.String() }),
  // `UserID` is the owner of the till.
  'till.opened': Type.Object({ TillID: id, UserID: id, Float: money }),
  // The expected amount and the difference may be negative.
  'till.closed': Type.Object({ TillID: id, UserID: id, Counted: money, Expected: money, Difference: money }),
  // A provider's payment that bought nothing has no RefundID. Its `refund.due` has no amount, its `refund.done` has one
  // only for a part of the payment, and its `refund.undone` always has one.
  'refund.due': Type.Object({ Reason: Type.String(), ...refund.properties }),
  // The part of a refund that is no longer paid back, because the sale owes this amount after a later change.
  'refund.set-off': Type.Object({ RefundID: id, ...money.properties }),
  'refund.done': Type.Object({ ...refund.properties, Method: Type.Optional(Type.String()) }),
  // The refund was marked as paid back by mistake and is due again. Its reason is stored with the refund and can be erased.
  'refund.undone': Type.Object({ ...refund.properties, Method: Type.Optional(Type.String()) }),
  'closure.made': Type.Object({
    Action: Type.Union([Type.Literal('cancelled'), Type.Literal('moved')]),
    FromDate: calendarDate,
    FromTime: clockTime,
    FromAllDay: Type.Optional(Type.Boolean()),
    // From the operator, the same for all customers of the timeslot.
    Message: Type.Union([Type.String(), Type.Null()]),
    BookingIDs: Type.Array(id),
  }),
  'email.sent': Type.Object({
    Kind: Type.String(),
    BookingID: Type.Optional(id),
  }),
  // Written by the statement that raises the totals: src/metering/thresholds.
  'usage.threshold-crossed': Type.Object({
    ThresholdID: id,
    Meter: Type.String(),
    Period: Type.Union([Type.Literal('day'), Type.Literal('month'), Type.Literal('total')]),
    // The first day of the period; missing for the total of all time.
    From: Type.Optional(calendarDate),
    Threshold: Type.String(),
    // The total at that moment.
    Total: Type.String(),
  }),
} satisfies Record<string, TSchema>

export type EventType = keyof typeof eventTypes
export type EventDetails<T extends EventType> = Static<(typeof eventTypes)[T]>

export type BookingEventType = keyof typeof bookingTypes
export const bookingEventTypes = Object.keys(bookingTypes) as BookingEventType[]
/** The name in a booking's history: `confirmed`, `moved`, … */
export type BookingAction = BookingEventType extends `booking.${infer Action}` ? Action : never
