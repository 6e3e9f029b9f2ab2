/** The extension members (RFC 9457) of some problem types, with an example of each. */
import { type TSchema, Type } from '../platform/schema/typebox.ts'
import type { ProblemSlug } from './problem-types.ts'
import { alternativesSearch } from './problems.ts'

type Extension = { schema: Record<string, TSchema>; example: object }

export const problemExtensions: Partial<Record<ProblemSlug, Extension>> = {
  'capacity-below-booked': {
    schema: { Booked: Type.Integer({ minimum: 0 }), Held: Type.Integer({ minimum: 0 }) },
    example: { Booked: 7, Held: 2 },
  },
  'timeslot-exists': { schema: { TimeslotID: Type.Integer({ minimum: 1 }) }, example: { TimeslotID: 901 } },
  'timeslot-not-movable': { schema: { Reason: Type.String() }, example: { Reason: 'booked' } },
  validation: {
    schema: {
      errors: Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
        description: 'Every failing field.',
      }),
    },
    example: { errors: [{ field: 'Date', message: 'must be a calendar date, YYYY-MM-DD' }] },
  },
  'insufficient-capacity': {
    schema: {
      Available: Type.Integer({ minimum: 0 }),
      Alternatives: alternativesSchema(),
      Line: lineSchema(),
    },
    example: {
      Available: 1,
      Alternatives: [{ Date: '2027-06-12', Time: '14:00', Available: 8 }],
    },
  },
  'offer-over': { schema: { Status: Type.String() }, example: { Status: 'expired' } },
  'timeslot-unavailable': {
    schema: {
      Alternatives: alternativesSchema(),
      Line: lineSchema(),
    },
    example: { Alternatives: [{ Date: '2027-06-12', Time: '14:00', Available: 8 }] },
  },
  'basket-not-open': { schema: { Status: Type.String() }, example: { Status: 'expired' } },
  'nothing-to-pay': { schema: { Status: Type.String() }, example: { Status: 'completed' } },
  'till-closed': {
    schema: { ClosedAt: Type.String({ format: 'date-time' }) },
    example: { ClosedAt: '2027-06-12T18:05:00.000Z' },
  },
  'till-short': {
    schema: { InTill: priceSchema(), Refund: priceSchema() },
    example: { InTill: { Amount: '20.00', Currency: 'EUR' }, Refund: { Amount: '45.00', Currency: 'EUR' } },
  },
  'promotion-not-applicable': { schema: { Reason: Type.String() }, example: { Reason: 'used-up' } },
  'no-refund-due': {
    schema: {
      Status: Type.String(),
      Payments: Type.Array(Type.String(), {
        description: 'The named payments that are not due to be paid back.',
      }),
    },
    example: { Status: 'completed', Payments: ['evt_0193'] },
  },
  'refund-not-due': { schema: { Status: Type.String() }, example: { Status: 'done' } },
  'refund-not-done': { schema: { Status: Type.String() }, example: { Status: 'due' } },
  'booking-not-changeable': { schema: { Status: Type.String() }, example: { Status: 'cancelled' } },
  'total-differs': {
    schema: { Total: priceSchema() },
    example: { Total: { Amount: '120.00', Currency: 'EUR' } },
  },
  'ticket-redeemed': {
    schema: { RedeemedAt: Type.String({ format: 'date-time' }) },
    example: { RedeemedAt: '2027-06-12T09:05:00.000Z' },
  },
  'ticket-void': {
    schema: { VoidedAt: Type.String({ format: 'date-time' }) },
    example: { VoidedAt: '2027-06-11T09:00:00.000Z' },
  },
  'quantity-below-redeemed': {
    schema: {
      Units: Type.Array(
        Type.Object({
          UnitID: Type.Integer({ minimum: 0 }),
          Quantity: Type.Integer({ minimum: 0 }),
          Redeemed: Type.Integer({ minimum: 1 }),
        }),
      ),
    },
    example: { Units: [{ UnitID: 0, Quantity: 2, Redeemed: 3 }] },
  },
  'cutoff-passed': {
    schema: { CancelBy: Type.String({ format: 'date-time' }) },
    example: { CancelBy: '2027-06-11T09:00:00.000Z' },
  },
  'threshold-exists': { schema: { ThresholdID: Type.Integer({ minimum: 1 }) }, example: { ThresholdID: 12 } },
  'account-limit-reached': { schema: { Limit: Type.Integer({ minimum: 1 }) }, example: { Limit: 100 } },
  'email-not-failed': { schema: { Status: Type.String() }, example: { Status: 'sent' } },
}

function priceSchema() {
  return Type.Object({ Amount: Type.String(), Currency: Type.String() })
}

function lineSchema() {
  return Type.Integer({ minimum: 0, description: 'Index in `Lines`, from 0, if there are several.' })
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
