/** Fixtures for tests of test mode: an account with a product, and a partner that has a live key and a test key. */
import { pino } from 'pino'
import type { Test } from 'tap'
import type { Scope } from '../../src/accounts/model.ts'
import { createPump } from '../../src/events/pump/pump.ts'
import { createTestKey } from '../../src/test-mode/service.ts'
import { bookingBody, bookingPath, build, makeCaller, makeProduct } from '../helper.ts'

export const partnerPath = '/api/v2/ota/marketplace'
export const operatorPath = '/api/v2/operator'
const scopes: Scope[] = ['ota', 'operator']

/** Makes the account, its product and the keys. `live` and `test` are the headers with the keys. */
export async function makeTestPartner(t: Test, settings: Parameters<typeof build>[1] = {}) {
  const built = await build(t, settings)
  const { app, sql } = built
  const { accountId, headers: live } = await makeCaller(sql, { partner: 'Atlas', scopes })
  const slots = { '2030-06-15 10:00': 6, '2030-06-15 12:00': 2, '2030-06-16 10:00': 6 }
  const product = await makeProduct(sql, accountId, { slots })
  const testKey = await createTestKey(sql, { accountId, partner: 'Atlas', scopes, expiresInDays: null })
  const test = { authorization: `Bearer ${testKey}` }

  const ask = async (
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    headers: Record<string, string>,
    payload?: object,
  ) => {
    const response = await app.inject({ method, url, headers, ...(payload && { payload }) })
    const text = response.body
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      body: text ? JSON.parse(text) : null,
    }
  }
  const book = (key: Record<string, string>, email = 'ada@example.com', changes: object = {}) =>
    ask('POST', bookingPath, key, bodyFor(email, changes))
  const bodyFor = (email: string, changes: object = {}) =>
    bookingBody(product.activityId, {
      Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: email },
      ...changes,
    })
  /** Numbers all events, so that change feeds show them. */
  const numberEvents = createPump({ sql, log: pino({ level: 'silent' }), consumers: [] })
  /** How many bookings the test account has. */
  const countTests = async () =>
    (await sql`select count(*)::integer as count from bookings where account_id = ${-accountId}`)[0]!.count
  return {
    ...built,
    accountId,
    product,
    live,
    test,
    testKey,
    ask,
    book,
    bodyFor,
    countTests,
    number: numberEvents,
  }
}
