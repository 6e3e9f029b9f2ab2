/** A basket on the till's pages, with the bookings of its lines and the questions that their products ask. */
import { listQuestionsOf } from '../../catalogue/queries.ts'
import type { Sql } from '../../platform/postgres/database.ts'
import { readBasket } from '../../sales/basket/views.ts'
import { readBooking } from '../../sales/booking/desk/service.ts'

export async function readSale(sql: Sql, accountId: number, basketId: number) {
  const basket = await readBasket(sql, accountId, basketId)
  const standing = basket.Lines.filter(({ Status }) => Status !== 'cancelled')
  const lines = await Promise.all(
    standing.map(async ({ BookingReference }) => {
      const booking = await readBooking(sql, accountId, BookingReference)
      return { booking, questions: await listQuestionsOf(sql, accountId, [booking.ProductID]) }
    }),
  )
  return { basket, lines }
}

export type Sale = Awaited<ReturnType<typeof readSale>>
