/** What problems say besides what all of them do, for the OpenAPI document. */
import { type TSchema, Type } from '../platform/schema/typebox.ts'
import type { ProblemSlug } from './problem-types.ts'
import { alternativesSearch } from './problems.ts'

/** By problem type; the fields of each are optional in a response, which may be of several types. */
export const extensionSchemas: Partial<Record<ProblemSlug, Record<string, TSchema>>> = {
  'capacity-below-booked': { Booked: Type.Integer({ minimum: 0 }), Held: Type.Integer({ minimum: 0 }) },
  'timeslot-exists': { TimeslotID: Type.Integer({ minimum: 1 }) },
  validation: {
    errors: Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
      description: 'Every failing field.',
    }),
  },
  'insufficient-capacity': {
    Available: Type.Integer({ minimum: 0 }),
    Alternatives: alternativesSchema(),
    Line: lineSchema(),
  },
  'offer-over': { Status: Type.String() },
  'timeslot-unavailable': {
    Alternatives: alternativesSchema(),
    Line: lineSchema(),
  },
  'basket-not-open': { Status: Type.String() },
  'nothing-to-pay': { Status: Type.String() },
  'till-closed': { ClosedAt: Type.String({ format: 'date-time' }) },
  'till-short': { InTill: priceSchema(), Refund: priceSchema() },
  'promotion-not-applicable': { Reason: Type.String() },
  'no-refund-due': {
    Status: Type.String(),
    Payments: Type.Array(Type.String(), { description: 'Those that are not due.' }),
  },
  'refund-not-due': { Status: Type.String() },
  'booking-not-changeable': { Status: Type.String() },
  'total-differs': { Total: priceSchema() },
  'ticket-redeemed': { RedeemedAt: Type.String({ format: 'date-time' }) },
  'ticket-void': { VoidedAt: Type.String({ format: 'date-time' }) },
  'quantity-below-redeemed': {
    Units: Type.Array(
      Type.Object({
        UnitID: Type.Integer({ minimum: 0 }),
        Quantity: Type.Integer({ minimum: 0 }),
        Redeemed: Type.Integer({ minimum: 1 }),
      }),
    ),
  },
  'cutoff-passed': { CancelBy: Type.String({ format: 'date-time' }) },
  'threshold-exists': { ThresholdID: Type.Integer({ minimum: 1 }) },
  'account-limit-reached': { Limit: Type.Integer({ minimum: 1 }) },
  'email-not-failed': { Status: Type.String() },
}

function lineSchema() {
  return Type.Integer({ minimum: 0, description: 'Index in `Lines`, from 0, if there are several.' })
}

function priceSchema() {
  return Type.Object({ Amount: Type.String(), Currency: Type.String() })
}

function alternativesSchema() {
  const { days, timeslots } = alternativesSearch
  return Type.Array(
    Type.Object({ Date: Type.String(), Time: Type.String(), Available: Type.Integer({ minimum: 1 }) }),
    {
      maxItems: 5,
      description: `The next timeslots of the activity that would fit, among its next ${timeslots} within ${days} days.`,
    },
  )
}

/** An example of them for each type. */
export const exampleExtensions: Partial<Record<ProblemSlug, object>> = {
  'capacity-below-booked': { Booked: 7, Held: 2 },
  'timeslot-exists': { TimeslotID: 901 },
  validation: { errors: [{ field: 'Date', message: 'must be a calendar date, YYYY-MM-DD' }] },
  'insufficient-capacity': {
    Available: 1,
    Alternatives: [{ Date: '2027-06-12', Time: '14:00', Available: 8 }],
  },
  'offer-over': { Status: 'expired' },
  'timeslot-unavailable': { Alternatives: [{ Date: '2027-06-12', Time: '14:00', Available: 8 }] },
  'basket-not-open': { Status: 'expired' },
  'nothing-to-pay': { Status: 'completed' },
  'till-closed': { ClosedAt: '2027-06-12T18:05:00.000Z' },
  'till-short': {
    InTill: { Amount: '20.00', Currency: 'EUR' },
    Refund: { Amount: '45.00', Currency: 'EUR' },
  },
  'promotion-not-applicable': { Reason: 'used-up' },
  'no-refund-due': { Status: 'completed', Payments: ['evt_0193'] },
  'refund-not-due': { Status: 'done' },
  'booking-not-changeable': { Status: 'cancelled' },
  'total-differs': { Total: { Amount: '120.00', Currency: 'EUR' } },
  'ticket-redeemed': { RedeemedAt: '2027-06-12T09:05:00.000Z' },
  'ticket-void': { VoidedAt: '2027-06-11T09:00:00.000Z' },
  'quantity-below-redeemed': { Units: [{ UnitID: 0, Quantity: 2, Redeemed: 3 }] },
  'cutoff-passed': { CancelBy: '2027-06-11T09:00:00.000Z' },
  'threshold-exists': { ThresholdID: 12 },
  'account-limit-reached': { Limit: 100 },
  'email-not-failed': { Status: 'sent' },
}
