/** Shapes of calendar feeds in addresses and forms. */
import { Type } from '../../platform/schema/typebox.ts'

export const feedPathSchema = Type.Object({ FeedID: Type.String({ pattern: '^[1-9]\\d{0,14}$' }) })

export const newFeedSchema = Type.Object({
  ProductID: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  ShowsNames: Type.Optional(Type.Boolean()),
})
