/** Requests to the routes of webhooks, as the operator and as several of its partners. */
import type { Test } from 'tap'
import { makeCaller } from '../../helper.ts'
import { buildQuayWithWebhooks } from './fixtures.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Who = 'operator' | 'Atlas' | 'Borealis' | 'nobody'

export const hook = { URL: 'https://receiver.example/hook', EventTypes: ['booking.*'] }

/** Atlas and Borealis are partners; `nobody` has a key without a partner. */
export async function openWebhookApi(t: Test, settings: Parameters<typeof buildQuayWithWebhooks>[1] = {}) {
  const quay = await buildQuayWithWebhooks(t, settings)
  const { app, sql, accountId } = quay
  const borealis = await makeCaller(sql, { partner: 'Borealis' })
  const nobody = await makeCaller(sql)
  const callers = { operator: quay, Atlas: quay, Borealis: borealis, nobody }
  const partners = await sql<{ id: number; name: string }[]>`
    select id, name from partners where account_id = ${accountId}`
  const partnerId = (name: string) => partners.find((partner) => partner.name === name)!.id

  /** Sends a request. Returns the status, the headers, the whole body as `problem`, and the `data` in it. */
  async function call(
    who: Who,
    method: Method,
    path: string,
    payload?: object,
    more: Record<string, string> = {},
  ) {
    const answer = await app.inject({
      method,
      url: `/api/v2/${who === 'operator' ? 'operator' : 'ota'}/webhooks${path}`,
      headers: { ...callers[who].headers, ...more },
      ...(payload && { payload }),
    })
    const body = answer.json()
    return { status: answer.statusCode, data: body.data, problem: body, headers: answer.headers }
  }
  return { ...quay, partnerId, call }
}
