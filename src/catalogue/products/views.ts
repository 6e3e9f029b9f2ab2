/** Products and questions as they are written on the wire, the same on every interface. */
import type { Static } from '../../platform/schema/typebox.ts'
import { fromRow, toActivityId } from '../model.ts'
import type { Product, Question } from '../queries.ts'
import type { ownProductSchema, productSchema, questionSchema } from '../schemas.ts'

/** What partners see. */
export function productView(product: Product): Static<typeof productSchema> {
  const { InShopfront, CancelCutoffMinutes, ...view } = ownProductView(product)
  return view
}

/** What the operator sees besides: whether it is sold, and how long it can be cancelled. */
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
    CancelCutoffMinutes: own.CancelCutoffMinutes ?? 0,
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
    AppliesTo: question.appliesTo as 'booking' | 'participant',
  }
}
