/** The choice of a timeslot, in addresses: of which product, and from which day on. */
import { type Static, Type } from '../../platform/schema/typebox.ts'
import { dateIn, isCalendarDate } from '../../platform/text/calendar.ts'
import { listQuerySchema } from '../../sales/booking/desk/schemas.ts'

const { ProductID, From } = listQuerySchema.properties

export const choiceSchema = Type.Object({ ProductID, From })

/** What an address names, as far as it makes sense: of a form whose body is wrong the address was not checked. */
export function choiceOf(query: Static<typeof choiceSchema>, timeZone: string) {
  const productId = Number(query.ProductID)
  return {
    productId: Number.isSafeInteger(productId) && productId > 0 ? productId : null,
    from: isCalendarDate(String(query.From)) ? query.From! : dateIn(timeZone, new Date()),
  }
}
