/** Fixtures for tests of OCTO: an operator with a product, and a reseller that sends requests. */
import type { Test } from 'tap'
import { build, makeCaller, makeProduct } from '../helper.ts'

type Settings = Parameters<typeof build>[1] & { slots?: Record<string, number> }

export const everyCapability = ['octo/content', 'octo/pricing', 'octo/questions']

/** A reseller with a key of the partner Viator; the product is a kayak tour in Lisbon for 45.00 EUR. */
export async function makeReseller(t: Test, { slots = {}, ...settings }: Settings = {}) {
  const built = await build(t, settings)
  const { app, sql } = built
  const caller = await makeCaller(sql, { partner: 'Viator' })
  const product = await makeProduct(sql, caller.accountId, { slots })
  /** Sends a request; returns the status, the body and the headers of the response. */
  const ask = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    { body, capabilities = [], headers = {} }: AskOptions = {},
  ) => {
    const answer = await app.inject({
      method,
      url: `/octo${path}`,
      headers: { ...caller.headers, 'octo-capabilities': capabilities.join(', '), ...headers },
      ...(body && { payload: body }),
    })
    return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
  }
  return { ...built, ...caller, ...product, ask }
}

type AskOptions = {
  body?: object
  capabilities?: readonly string[]
  headers?: Record<string, string>
}

export const june = { localDateStart: '2030-06-01', localDateEnd: '2030-06-30' }

/** A reseller, with functions that check availability and set how many places are booked. */
export async function checking(t: Test, settings: Parameters<typeof makeReseller>[1] = {}) {
  const reseller = await makeReseller(t, settings)
  const { sql, ask, activityId } = reseller
  const check = (changes: object = june, capabilities: readonly string[] = []) =>
    ask('POST', '/availability', {
      body: { productId: activityId, optionId: 'DEFAULT', ...changes },
      capabilities,
    })
  return {
    ...reseller,
    check,
    /** Each timeslot as `status vacancies`, with `!` where it cannot be booked. */
    async brief(changes: object = june): Promise<string[]> {
      const { body } = await check(changes)
      return (body as Brief[]).map(
        ({ status, vacancies, available }) => `${status} ${vacancies}${available ? '' : '!'}`,
      )
    },
    take: (capacity: number, places: number) =>
      sql`update timeslots set booked = ${places} where capacity = ${capacity}`,
  }
}
type Brief = { status: string; vacancies: number; available: boolean }
