/** The choice of a timeslot in an address: its product, and the first day to show. */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { dateIn, isCalendarDate } from '../../platform/text/calendar.ts'
import { listQuerySchema } from '../../sales/booking/desk/list-query.ts'

const { ProductID, From } = listQuerySchema.properties

export const choiceSchema = Type.Object({ ProductID, From })

/**
 * The choice in an address. Invalid parts are ignored, because the query of a request is not validated if its
 * body is invalid. Without a valid day, `from` is today.
 */
export function choiceOf(query: Static<typeof choiceSchema>, timeZone: string) {
  const productId = Number(query.ProductID)
  return {
    productId: Number.isSafeInteger(productId) && productId > 0 ? productId : null,
    from: isCalendarDate(String(query.From)) ? query.From! : dateIn(timeZone, new Date()),
  }
}
