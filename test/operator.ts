/** An operator at work: an app on a fresh database, and requests to /api/v2/operator with a key of its scope. */
import type { Test } from 'tap'
import { bookingBody, bookingPath, build, makeCaller } from './helper.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export async function makeOperator(t: Test, settings: Parameters<typeof build>[1] = {}) {
  const built = await build(t, settings)
  const { app, sql } = built
  const { accountId, headers } = await makeCaller(sql, { scopes: ['operator'] })
  const partner = await makeCaller(sql, { partner: 'Viator' })
  /** An answer as status and body; `data` is what succeeded, `problem` what did not. */
  const call = async (method: Method, path: string, payload?: object, more: object = {}) => {
    const answer = await app.inject({
      method,
      url: `/api/v2/operator${path}`,
      headers: { ...headers, ...more },
      ...(payload && { payload }),
    })
    const body = answer.json()
    return { status: answer.statusCode, data: body.data, problem: body, headers: answer.headers }
  }
  /** A partner's booking; with its status and reference. */
  const book = async (activityId: string, changes: Record<string, unknown> = {}) => {
    const answer = await app.inject({
      method: 'POST',
      url: bookingPath,
      headers: partner.headers,
      payload: bookingBody(activityId, changes),
    })
    return { status: answer.statusCode, reference: answer.json().data?.BookingReference as string }
  }
  return { ...built, accountId, headers, partner, call, book }
}

/** The names of the fields that a 422 names. */
export function fieldsOf({ problem }: { problem: { errors?: { field: string }[] } }): string[] {
  return (problem.errors ?? []).map(({ field }) => field)
}
