/** Fixtures for tests of promotions in baskets: the `harbour` fixture, and functions to make and use codes. */
import type { Test } from 'tap'
import type { BasketView } from '../../../src/sales/basket/schemas.ts'
import { harbour } from '../basket/fixtures.ts'

export async function openPromotions(t: Test) {
  const built = await harbour(t)
  const { app, sql, headers, post } = built
  const put = (path: string, payload: object) =>
    app.inject({ method: 'PUT', url: `/api/v2/operator${path}`, headers, payload })
  return {
    ...built,
    put,
    /** Makes a promotion, by default SUMMER with 10 %; returns its id. */
    promote: async (changes: Record<string, unknown> = {}): Promise<number> => {
      const terms = 'Amount' in changes ? {} : { Percent: '10' }
      const answer = await post('/promotions', { Code: 'SUMMER', ...terms, ...changes })
      t.equal(answer.statusCode, 201, answer.body)
      return answer.json().data.PromotionID
    },
    use: ({ BasketID }: BasketView, Code = 'SUMMER') => put(`/baskets/${BasketID}/promotion`, { Code }),
    /** The BasketID of each use of a promotion. */
    uses: async () => {
      const rows = await sql<{ id: number }[]>`select basket_id as id from promotion_uses order by 1`
      return rows.map(({ id }) => id)
    },
  }
}

/** The status of a response, and the reason if it refuses a promotion. */
export function refusalOf(answer: { statusCode: number; json: () => { Reason?: string } }) {
  return { status: answer.statusCode, reason: answer.json().Reason }
}

export const discountsOf = ({ Lines }: BasketView) => Lines.map(({ Discount }) => Discount?.Amount ?? null)
