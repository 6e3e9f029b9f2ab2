/** One try of a delivery: signs and sends the content, and decides on the outcome. */
import type { Logger } from 'pino'
import { OutgoingFailure, type OutgoingResponse, type Sender } from '../../../platform/outgoing/sender.ts'
import type { Sql } from '../../../platform/postgres/database.ts'
import { isConnectionLost, isRetryable } from '../../../platform/postgres/errors.ts'
import {
  inSpan,
  type TraceContext,
  type TracedSpan,
  traceContext,
} from '../../../platform/tracing/tracing.ts'
import { type BodyKind, signWebhook } from '../endpoints/model.ts'
import type { OpenedSecrets, OwnHeaders, SecretReader } from '../endpoints/secrets.ts'
import { type ClaimedDelivery, secondsUntilNextTry, type TryOutcome } from './model.ts'

/**
 * Makes the JSON bodies of deliveries, in their order; null if the event of a delivery has been deleted from the log.
 */
export type Composer = (sql: Sql, deliveries: readonly ClaimedDelivery[]) => Promise<(string | null)[]>

/** The body, headers and secrets to send; or why it cannot be sent. */
export type Content = ({ body: string } & OpenedSecrets) | { fault: string; isExpired?: true }

const unreadable =
  'Its secrets cannot be decrypted: the worker has no SECRET_KEY, or not the one that encrypted them.'
const notSent =
  'It could not be sent, or its response could not be read, because of an error of the service: its log has the cause.'
const notComposed = 'Its body could not be composed: the log of the service has the cause.'
const expired = { fault: 'Its event has expired, so there is nothing to send.', isExpired: true } as const
const userAgent = 'Activity-Booking-Service-Webhooks/1'

export type ComposingOptions = {
  sql: Sql
  log: Logger
  composers: Readonly<Record<BodyKind, Composer>>
  readSecrets: SecretReader
}

/**
 * Composes the contents of deliveries, in their order. If composing fails, it composes each half separately, so that in
 * the end only the delivery with the error gets a `fault`. A timeout is such an error, because it may be due to one
 * delivery alone.
 * @throws if PostgreSQL is out of reach, or for a conflict that can be retried.
 */
export async function composeApart(
  options: ComposingOptions,
  deliveries: readonly ClaimedDelivery[],
): Promise<Content[]> {
  try {
    return await compose(options, deliveries)
  } catch (error) {
    if (isConnectionLost(error) || isRetryable(error)) throw error
    if (deliveries.length === 1) {
      const [{ accountId, id }] = deliveries as [ClaimedDelivery]
      options.log.error({ accountId, delivery: id, err: error }, 'a delivery cannot be composed')
      return [{ fault: notComposed }]
    }
    const half = deliveries.length >> 1
    return [
      ...(await composeApart(options, deliveries.slice(0, half))),
      ...(await composeApart(options, deliveries.slice(half))),
    ]
  }
}

/** Deliveries with the same kind of body are composed together. */
async function compose(
  { sql, composers, readSecrets }: ComposingOptions,
  deliveries: readonly ClaimedDelivery[],
): Promise<Content[]> {
  const endpoints = new Map(
    deliveries.map(({ accountId, endpointId }) => [`${accountId} ${endpointId}`, { accountId, endpointId }]),
  )
  const bodies = new Map<ClaimedDelivery, string | null>()
  async function composeWith(composer: Composer) {
    const some = deliveries.filter(({ body }) => composers[body] === composer)
    const made = await composer(sql, some)
    for (const [place, delivery] of some.entries()) bodies.set(delivery, made[place]!)
  }
  const used = new Set(deliveries.map(({ body }) => composers[body]))
  const [secrets] = await Promise.all([
    readSecrets(sql, [...endpoints.values()]),
    Promise.all([...used].map(composeWith)),
  ])
  return deliveries.map((delivery) => {
    const body = bodies.get(delivery) ?? null
    if (body === null) return expired
    const own = secrets.get(`${delivery.accountId} ${delivery.endpointId}`)
    return own ? { body, secrets: own.secrets, headers: own.headers } : { fault: unreadable }
  })
}

type SendingTools = { sender: Sender; log: Logger }

/**
 * Tries to send a delivery. Returns null if nothing was sent because no socket became free in time; the
 * delivery is due again when its lease ends. Every other error is returned as an outcome, and counts as a try.
 */
export function trySending(
  options: SendingTools,
  delivery: ClaimedDelivery,
  content: Content,
): Promise<TryOutcome | null> {
  const { traceContext: parent, accountId, type, tries } = delivery
  const attributes = { 'account.id': accountId, 'webhook.type': type, 'webhook.try': tries + 1 }
  const traced = { kind: 'client', parent, links: [traceContext()], attributes } as const
  return inSpan('deliver webhook', traced, async (span) => {
    const outcome = await send(options, delivery, content, span?.context)
    if (outcome) describeTry(span, outcome)
    return outcome
  })
}

function describeTry(span: TracedSpan | null, { isDelivered, httpStatus }: TryOutcome): void {
  if (httpStatus !== null) span?.set({ 'http.response.status_code': httpStatus })
  if (!isDelivered) span?.fail(httpStatus === null ? 'unanswered' : String(httpStatus))
}

/** @param traceparent the header with which the receiver can continue the trace. */
async function send(
  { sender, log }: SendingTools,
  delivery: ClaimedDelivery,
  content: Content,
  traceparent: TraceContext | undefined,
): Promise<TryOutcome | null> {
  const began = performance.now()
  const tries = delivery.tries + 1
  const outcome = (answer: OutgoingResponse | null, fault: string | null): TryOutcome => ({
    delivery,
    isDelivered: answer !== null && answer.status >= 200 && answer.status < 300,
    isGone: answer?.status === 410,
    isExpired: 'fault' in content && content.isExpired === true,
    retrySeconds: secondsUntilNextTry(tries, answer?.retryAfterSeconds ?? null),
    httpStatus: answer?.status ?? null,
    durationMs: performance.now() - began,
    answer: answer?.excerpt ?? null,
    fault,
  })
  if ('fault' in content) return outcome(null, content.fault)
  try {
    const timestamp = Math.floor(Date.now() / 1000)
    const { body, secrets } = content
    const { messageId, url } = delivery
    const headers: OwnHeaders = Object.assign({}, content.headers, {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': messageId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook(secrets, { messageId, timestamp, body }),
      ...(traceparent !== undefined && { traceparent }),
    })
    return outcome(await sender.post(url, headers, body), null)
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) {
      log.error(
        { accountId: delivery.accountId, delivery: delivery.id, err: error },
        'a delivery cannot be sent',
      )
      return outcome(null, notSent)
    }
    return error.reason === 'busy' ? null : outcome(null, error.message)
  }
}
