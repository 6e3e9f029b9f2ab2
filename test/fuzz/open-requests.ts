/**
 * Requests that are read before the sender is known: signatures of payment events, the sign-in form, nearly
 * valid links and cookies, headers of every kind, and public addresses.
 */
import fc from 'fast-check'
import { makeKey } from '../../src/accounts/model.ts'
import { makeSession } from '../../src/accounts/users/model.ts'
import { makeFeedName } from '../../src/sales/calendar-feed/model.ts'
import { sign } from '../../src/sales/payment/model.ts'
import { offerUrl } from '../../src/sales/waitlist/model.ts'
import type { Document, FuzzRequest } from './requests.ts'
import { headerText, hostile, type Json, type Schema, valid } from './values.ts'

/** Addresses for requests without a valid key, by operation. `{Rest}` is sent without encoding. */
export const openRoutes = {
  signInPage: 'GET /dashboard/sign-in',
  signIn: 'POST /dashboard/sign-in',
  page: 'GET /dashboard/{Page}',
  form: 'POST /dashboard/{Page}',
  asset: 'GET /dashboard/assets/{Page}',
  offer: 'GET /waitlist/{Token}',
  takeOffer: 'POST /waitlist/{Token}/take',
  leaveOffer: 'POST /waitlist/{Token}/leave',
  calendarFeed: 'GET /calendar/{Feed}',
  unsubscribePage: 'GET /email/unsubscribe/{Token}',
  unsubscribe: 'POST /email/unsubscribe/{Token}',
  problem: 'GET /problems/{Page}',
  reference: 'GET /docs/{Page}',
  metrics: 'GET /metrics',
  products: 'GET /api/v2/ota/marketplace/products',
  usage: 'POST /api/v2/usage/meters',
  read: 'GET /{Rest}',
  write: 'POST /{Rest}',
} as const
type OpenOperation = keyof typeof openRoutes

const mac = '0'.repeat(64)

/** Text in which a few characters are replaced, put in or left out. */
function mangled(...texts: string[]): fc.Arbitrary<string> {
  const part = fc.oneof(
    fc.constantFrom('', '\0', '.', '_', '=', ',', ';', '"', '%', '%00', 'é', ' ', '9'),
    headerText,
  )
  const change = fc.record({ at: fc.nat(200), length: fc.nat(3), part })
  return fc.tuple(fc.constantFrom(...texts), fc.array(change, { maxLength: 3 })).map(([text, changes]) =>
    changes.reduce((changed, { at, length, part }) => {
      const place = at % (changed.length + 1)
      return changed.slice(0, place) + part + changed.slice(place + length)
    }, text),
  )
}

// Keys, session tokens and offers with wrong secrets, of ids that exist and of ids that do not.
const keys = [makeKey(1).token, makeKey(Number.MAX_SAFE_INTEGER).token, 'abs_99999999999999999999_x']
const sessions = [makeSession(1).token, makeSession(Number.MAX_SAFE_INTEGER).token]
const offers = [offerUrl('', 'some other key of thirty-two letters', { accountId: 1, entryId: 1 })]
const signature = sign('secret', Math.floor(Date.now() / 1000), Buffer.from('{}'))
const addresses = [
  '192.0.2.1',
  '::ffff:192.0.2.1',
  '2001:db8::1',
  '192.0.2.1:80',
  'unknown',
  ', , ,',
  '999.1.1.1',
]

/** Replaces characters that a header cannot contain: control characters, and those above U+00FF. */
const inHeader = (texts: fc.Arbitrary<string>) =>
  texts.map((text) => text.replace(/[^ -~\xA0-\xFF]/g, '?').trim())

/** Headers that identify the sender. */
const credentials = fc.record({
  authorization: inHeader(mangled(...keys.map((key) => `Bearer ${key}`), 'Basic YTpi', 'Bearer')),
  cookie: inHeader(
    mangled(...sessions.map((token) => `abs_session=${token}; a=%zz`), '=', '__proto__=x; =;'),
  ),
})

const others: fc.Arbitrary<Record<string, string>> = fc.record({
  host: inHeader(mangled('booking.test', 'booking.test:99999', '[::1', '')),
  'x-forwarded-for': inHeader(mangled(...addresses, addresses.join(', '))),
  'x-forwarded-host': inHeader(mangled('evil.test', 'a, b')),
  'x-forwarded-proto': inHeader(mangled('https', 'ftp')),
  forwarded: inHeader(mangled('for=192.0.2.1;host=x;proto=https', 'for="[2001:db8::1]"')),
  origin: inHeader(mangled('http://booking.test', 'null')),
  referer: inHeader(mangled('http://booking.test/dashboard/today?q=1', '//')),
  'sec-fetch-site': inHeader(mangled('same-origin', 'cross-site')),
  'if-none-match': inHeader(mangled('"x"', '*', 'W/"x", "y"')),
  'last-event-id': inHeader(mangled('1-1', '99999999999999999999')),
  'accept-version': inHeader(mangled('1.x', '*')),
  expect: fc.constantFrom('100-continue', 'a miracle'),
  range: inHeader(mangled('bytes=0-1', 'bytes=9-1, -5')),
  'request-id': headerText,
})
// With all headers at once, most requests would be refused because of one of them.
const someHeaders = fc
  .tuple(credentials, others, fc.array(fc.nat(20), { maxLength: 3 }))
  .map(([given, all, chosen]) => ({
    ...given,
    ...Object.fromEntries(Object.entries(all).filter((_, index) => chosen.includes(index))),
  }))

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom(
    'quay',
    ' QUAY ',
    'owner@quay.test',
    '/dashboard/today',
    '\0',
    '\uD800',
    'x'.repeat(5000),
    '',
  ),
)
const names = fc.constantFrom(
  'Account',
  'Email',
  'Password',
  'Next',
  '_csrf',
  'Account[0]',
  '__proto__',
  'next',
  '',
)
/** A form or a query, as text; most of its fields are well encoded. */
const forms = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .array(fc.tuple(names, texts), { maxLength: 8 })
      .map((fields) => `${new URLSearchParams(fields)}`),
  },
  { weight: 1, arbitrary: mangled('Account=quay&Email=a%40b.test&Password=x', 'Account=%zz&&=&Email=%00') },
)
const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }
const signInForms = fc
  .record({ Account: texts, Email: texts, Password: texts, Next: texts })
  .map((fields) => `${new URLSearchParams(fields)}`)

const segments = [
  '',
  '.',
  '..',
  '%2e%2e',
  '%00',
  '%zz',
  '%',
  ';',
  '?',
  '#',
  '@',
  ':',
  '*',
  'constructor',
  'x'.repeat(5000),
]
const addressParts = fc.array(
  fc.oneof(
    fc.constantFrom(...segments),
    fc.constantFrom(
      'api',
      'v2',
      'ota',
      'dashboard',
      'usage',
      'problems',
      'docs',
      'static',
      'octo',
      'bookings',
    ),
  ),
  { maxLength: 6 },
)
const anywhere = addressParts.map((parts) => parts.join('/').replace(/^\/+/, ''))

const pages = fc.oneof(
  fc.constantFrom<Json>(
    'today',
    'scan',
    'sign-out',
    'live',
    'queues',
    'bookings',
    'unavailable',
    'json',
    'service.css',
  ),
  hostile,
)
const tokens: fc.Arbitrary<Json> = fc.oneof(mangled(...offers.map((url) => url.split('/').at(-1)!)), hostile)
const feeds: fc.Arbitrary<Json> = fc.oneof(mangled(makeFeedName(1).name, makeFeedName(-1).name), hostile)

/** Values for the parameters of the addresses. */
const parts: Record<string, fc.Arbitrary<Json>> = { Page: pages, Token: tokens, Feed: feeds, Rest: anywhere }

function openRequest(operation: OpenOperation): fc.Arbitrary<FuzzRequest> {
  const [method, path] = openRoutes[operation].split(' ') as [string, string]
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, parts[name!]!] as const)
  const plain = {
    operation: fc.constant(operation),
    caller: fc.constant('none' as const),
    path: fc.record(Object.fromEntries(named)),
    query: fc.array(fc.tuple(names, hostile), { maxLength: 2 }),
    headers: someHeaders,
  }
  if (method === 'GET') return fc.record(plain)
  return fc.record({
    ...plain,
    headers: someHeaders.map((headers) => ({ ...formHeaders, ...headers })),
    body: fc.record({ text: operation === 'signIn' ? fc.oneof(signInForms, forms) : forms }),
  })
}

/** Payment events without a valid signature, for accounts that may exist. */
function paymentEvent(schema: Schema): fc.Arbitrary<FuzzRequest> {
  const signatures = inHeader(
    mangled(signature, `${signature},v1=${mac}`, `t=1,v1=${mac}`, `t=999999999999,v1=${mac}`, 't=1'),
  )
  const accounts = fc.oneof(mangled('quay', 'elsewhere'), hostile)
  const body = fc.tuple(valid(schema), accounts).map(([event, account]) => ({
    json: { ...(event as Record<string, Json>), Account: account },
  }))
  return fc.record({
    operation: fc.constant('takePaymentEvent'),
    caller: fc.constant('none' as const),
    path: fc.constant({}),
    query: fc.constant([]),
    headers: fc.tuple(signatures, someHeaders).map(([given, headers]) => ({
      'content-type': 'application/json',
      ...headers,
      'payment-signature': given,
    })),
    body,
  })
}

export function openRequests({ paths }: Document): fc.Arbitrary<FuzzRequest> {
  const eventBody = paths['/api/v2/payments/events']!.post!.requestBody!
  return fc.oneof(
    { weight: 3, arbitrary: paymentEvent(eventBody.content['application/json']!.schema) },
    ...(Object.keys(openRoutes) as OpenOperation[]).map((operation) => openRequest(operation)),
  )
}
