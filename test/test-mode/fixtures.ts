/** An operator with a test key, and a check whether the test account's catalogue equals the live one. */
import type { Test } from 'tap'
import { scopes, testAccountOf } from '../../src/accounts/model.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { followLive } from '../../src/test-mode/following.ts'
import { followedTables, followedTimeslots } from '../../src/test-mode/model.ts'
import { createTestKey } from '../../src/test-mode/service.ts'
import { bookingBody, bookingPath } from '../helper.ts'
import { makeOperator } from '../operator.ts'
import { pumpEvents } from '../pump.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export const mark = { FirstName: 'Tess', LastName: 'Testperson', Email: 'tess@test-mode.example' }

/**
 * An operator as in test/operator.ts. `openTest` makes the test key of the partner Viator, and with it the test
 * account.
 */
export async function makeModes(t: Test, settings: Parameters<typeof makeOperator>[1] = {}) {
  const operator = await makeOperator(t, settings)
  const { app, sql, accountId } = operator
  const testId = testAccountOf(accountId)
  const openTest = async () => {
    const request = { accountId, partner: 'Viator', scopes: [...scopes], expiresInDays: null }
    const token = await createTestKey(sql, request)
    const headers = { authorization: `Bearer ${token}` }
    const ask = async (method: Method, url: string, payload?: object, more: object = {}) => {
      const answer = await app.inject({
        ...{ method, url, headers: { ...headers, ...more } },
        ...(payload && { payload }),
      })
      return { status: answer.statusCode, body: answer.body, json: answer.body ? answer.json() : null }
    }
    const call = (method: Method, path: string, payload?: object) =>
      ask(method, `/api/v2/operator${path}`, payload)
    const book = (activityId: string, changes: Record<string, unknown> = {}) =>
      ask('POST', bookingPath, bookingBody(activityId, { Customer: mark, ...changes }))
    return { token, headers, ask, call, book }
  }
  /** Makes the test account follow all changes. */
  const follow = async () => {
    await pumpEvents(sql)
    await followLive(sql)
    await pumpEvents(sql)
  }
  return { ...operator, testId, openTest, follow }
}

/**
 * The differences between a live catalogue and its copy, by table, without past timeslots. Each is a row as text, after
 * `-` if only the live account has it, and after `+` if only the copy has it.
 */
export async function listCatalogueFaults(sql: Sql, liveId: number): Promise<Record<string, string[]>> {
  const faults: Record<string, string[]> = {}
  for (const { table, own = [] } of [...followedTables, followedTimeslots]) {
    const rows = (accountId: number) => sql`
      select to_jsonb(one) - ${['account_id', ...own]}::text[] ${
        table === 'timeslots' && accountId > 0
          ? sql`|| coalesce((
              select jsonb_build_object('capacity', greatest(one.capacity, copy.booked + copy.held))
              from timeslots as copy where copy.account_id = ${-accountId} and copy.id = one.id
            ), '{}')`
          : sql``
      } as kept
      from ${sql(table)} as one where account_id = ${accountId}
      ${table === 'timeslots' ? sql`and date >= (app_now() at time zone 'UTC')::date - 1` : sql``}`
    const found = await sql<{ fault: string }[]>`
      select side || kept::text as fault from (
        (select '-' as side, kept from (${rows(liveId)}) as live except select '-', kept from (${rows(-liveId)}) as copy)
        union all
        (select '+' as side, kept from (${rows(-liveId)}) as copy except select '+', kept from (${rows(liveId)}) as live)
      ) as faults order by 1`
    if (found.length > 0) faults[table] = found.map(({ fault }) => fault)
  }
  return faults
}
