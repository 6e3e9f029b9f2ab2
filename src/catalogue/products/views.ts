/** Products and questions in responses to partners and operators. */
import { isDeepStrictEqual } from 'node:util'
import type { Static } from '../../platform/schema/typebox.ts'
import { defaultRules, fromRow, toActivityId } from '../model.ts'
import type { Product } from '../queries.ts'
import type { Question } from '../question-queries.ts'
import { fromSteps } from '../refund-steps.ts'
import type { ownProductSchema, productSchema, questionSchema } from '../schemas.ts'
import { translated } from '../translation.ts'
import { unitView } from '../units/views.ts'
import type { listedProductSchema } from './schemas.ts'

/**
 * The view for partners, in the language of the row's translation. If a product has default rules and no
 * units, its view has no fields for them, so that clients from before these fields existed see no difference.
 */
export function productView(row: Product): Static<typeof productSchema> {
  const product = translated(row)
  const { InShopfront, BookingCutoffMinutes, CancelCutoffMinutes, UpdatedAt, ...view } =
    ownProductView(product)
  const { MinPlaces, MaxPlaces, PricedPer, TakesTimeslot, ...plain } = view
  const rules = { MinPlaces, MaxPlaces, PricedPer, TakesTimeslot }
  const { units, refundTerms } = product
  const more = {
    ...(BookingCutoffMinutes && { BookingCutoffMinutes }),
    ...(refundTerms.length > 0 && { RefundTerms: fromSteps(refundTerms) }),
    UpdatedAt,
  }
  if (!units && isDeepStrictEqual(rules, defaultRules)) return { ...plain, ...more }
  return { ...plain, ...(units && { Units: units.map(unitView) }), ...rules, ...more }
}

/**
 * The view in the list of changes. For a product that has left the shopfront: its ids, and `InShopfront`
 * false.
 */
export function changedProductView(product: Product): Static<typeof listedProductSchema> {
  if (product.inShopfront) return productView(product)
  return { ID: product.id, ActivityID: toActivityId(product.activityId), InShopfront: false }
}

/**
 * The view for the operator. It has all rules and cutoffs and InShopfront, but no units and no refund terms.
 */
export function ownProductView(product: Product): Static<typeof ownProductSchema> {
  const { Name, Description, DurationMinutes, Price, TimeZone, ...own } = fromRow(product)
  return {
    ID: product.id,
    ActivityID: toActivityId(product.activityId),
    Name,
    Description,
    DurationMinutes,
    Price,
    TimeZone,
    InShopfront: own.InShopfront,
    BookingCutoffMinutes: own.BookingCutoffMinutes ?? 0,
    CancelCutoffMinutes: own.CancelCutoffMinutes ?? 0,
    MinPlaces: own.MinPlaces,
    MaxPlaces: own.MaxPlaces,
    PricedPer: own.PricedPer,
    TakesTimeslot: own.TakesTimeslot,
    UpdatedAt: product.updatedAt.toISOString(),
  }
}

export function questionView(question: Question): Static<typeof questionSchema> {
  return {
    ID: question.id,
    Label: question.label,
    Type: question.type as Static<typeof questionSchema>['Type'],
    Required: question.required,
    Options: question.options,
    ...(question.optionLabels && { OptionLabels: question.optionLabels }),
    AppliesTo: question.appliesTo as 'booking' | 'participant',
  }
}
