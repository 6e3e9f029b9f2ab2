/** Sends requests, and reports what is wrong with a response. */
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import { octoErrorCodes } from '../../src/octo/errors.ts'
import { within } from '../../src/platform/async/deadline.ts'
import { sign } from '../../src/sales/payment/model.ts'
import type { FuzzRequest } from './requests.ts'
import type { Json } from './values.ts'
import type { World } from './world.ts'

export type Route = {
  method: string
  path: string
  isPayment: boolean
  /** Whether it is one of `openRoutes`: a response may be a page, and `{Rest}` is sent without encoding. */
  isOpen?: boolean
}

/**
 * Sends requests at the same time. Returns what is wrong with their responses; null when nothing is.
 * @throws when a response is late.
 */
export async function faultOf(
  world: World,
  routes: ReadonlyMap<string, Route>,
  burst: readonly FuzzRequest[],
): Promise<string | null> {
  const answers = await Promise.all(burst.map((one) => send(world, routes.get(one.operation)!, one)))
  const faults = answers.flatMap((answer, index) => {
    const fault = judge(answer, routes.get(burst[index]!.operation)!)
    return fault ? `${burst[index]!.operation}: ${fault}` : []
  })
  const complaints = world.takeComplaints()
  return faults.length + complaints.length > 0 ? [...faults, ...complaints].join('\n') : null
}

async function send(world: World, route: Route, request: FuzzRequest): Promise<Response> {
  const asked = world.app.inject(toInject(world, route, request))
  const answer = await within(
    world.requestTimeoutMs,
    asked,
    () => new Error(`${request.operation}: no answer in time`),
  )
  if (answer.statusCode < 300 && !route.isOpen && request.caller !== 'elsewhere') {
    world.known.learn(answer.json())
    const cursor = /[?&]Cursor=([^&>]+)/.exec(String(answer.headers.link ?? ''))?.[1]
    if (cursor) world.known.add('Cursor', decodeURIComponent(cursor))
  }
  return answer
}

/**
 * The rules for every response. The application under test compares each response with the OpenAPI
 * document by itself (openapi-check).
 */
function judge({ statusCode: status, headers, body, raw }: Response, { isOpen }: Route): string | null {
  if (status >= 500) return `${status} ${body.slice(0, 300)}`
  if (!headers['request-id']) return 'no Request-Id'
  if (status < 400) return null
  const type = String(headers['content-type'])
  if (isOpen && type.startsWith('text/html')) return null
  const says = `${status} says ${body.slice(0, 300)}`
  if (/^\/octo\b/.test(raw.req.url ?? '')) return isOctoError(type, body) ? null : says
  if (!type.startsWith('application/problem+json')) return `${status} as ${type}`
  return JSON.parse(body).status === status ? null : says
}

/**
 * Whether this is an error as OCTO requires it. A request that Fastify cannot parse has no route yet, so its error is a
 * problem document under /octo too.
 */
function isOctoError(type: string, body: string): boolean {
  const answer = JSON.parse(body)
  if (type.startsWith('application/problem+json')) return answer.type.endsWith('/malformed-request')
  const { error, errorMessage } = answer
  return octoErrorCodes.includes(error) && typeof errorMessage === 'string' && errorMessage !== ''
}

function toInject(world: World, { method, path, isPayment }: Route, request: FuzzRequest): InjectOptions {
  const text = (value: Json) => toText(resolve(world, value))
  const address = path.replace(/\{(\w+)\}/g, (_, name) =>
    name === 'Rest' ? text(request.path[name]) : encodeURIComponent(text(request.path[name])),
  )
  const query = request.query.map((pair) => pair.map((part) => encodeURIComponent(text(part))).join('='))
  const { body, caller, headers } = request
  const isSigned = isPayment && caller === 'right'
  const payload =
    body && ('text' in body ? body.text : JSON.stringify(resolve(world, forAccount(body.json, isSigned))))
  const token = world.tokens[caller]
  const authorization: Record<string, string> =
    token && !isPayment ? { authorization: `Bearer ${token}` } : {}
  if (isSigned) {
    const seconds = Math.floor(Date.now() / 1000)
    authorization['payment-signature'] = sign(world.secret, seconds, Buffer.from(payload ?? ''))
  }
  return {
    method: method.toUpperCase() as 'GET',
    url: query.length > 0 ? `${address}?${query.join('&')}` : address,
    headers: { ...headers, ...authorization },
    ...(payload !== undefined && { payload }),
  }
}

/** Sets the account of a signed payment event, whose secret verifies the signature. */
function forAccount(json: Json, isSigned: boolean): Json {
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json)
  return isSigned && isObject ? { ...json, Account: 'quay' } : json
}

/** Replaces each `Known` by a value of the service. @param around the product of the enclosing object. */
function resolve(world: World, value: Json, around?: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((part) => resolve(world, part, around))
  if (typeof value.$known === 'string') return world.known.get(value.$known, Number(value.at), around)
  const named = value.ActivityID ?? value.productId
  const activity = named === undefined ? around : resolve(world, named)
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, resolve(world, part, activity)]),
  )
}

function toText(value: Json): string {
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed()
}
