/** Invalid requests of resellers: NUL characters, wrong types, huge numbers and unknown ids never get a 5xx. */
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { fingerprint } from '../fingerprint.ts'
import { morning, openReseller } from './bookings/fixtures.ts'

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

const contact = {
  ...{ fullName: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace', emailAddress: 'ada@example.com' },
  ...{
    phoneNumber: '+351912345678',
    locales: ['en'],
    postalCode: '1100-053',
    country: 'PT',
    notes: 'Vegetarian',
  },
}
const questionAnswers = [{ questionId: '1', value: 'Yes' }]
const said = { resellerReference: 'OTA-1', notes: 'A birthday', contact, questionAnswers }
const unitItems = () => [
  { uuid: randomUUID(), unitId: '0', resellerReference: 'T-1', contact, questionAnswers },
]

/** Returns, for each part of the value, its path, and a copy of the value with that part replaced by `wrong`. */
function spoil(value: Json, wrong: Json, place = ''): [place: string, spoiled: Json][] {
  if (typeof value !== 'object' || value === null) return [[place, wrong]]
  const whole: [string, Json][] = place === '' ? [] : [[place, wrong]]
  const parts = Object.entries(value).flatMap(([name, part]) =>
    spoil(part, wrong, `${place}/${name}`).map(([at, spoiled]): [string, Json] => {
      const copy = Array.isArray(value) ? value.with(Number(name), spoiled) : { ...value, [name]: spoiled }
      return [at, copy]
    }),
  )
  return [...whole, ...parts]
}

async function openTarget(t: Parameters<typeof openReseller>[0]) {
  const reseller = await openReseller(t)
  const { activityId, reserve, ask, places } = reseller
  const { uuid } = await reserve()
  const dates = { localDateStart: '2030-06-15', localDateEnd: '2030-06-15' }
  const subject = {
    productId: activityId,
    optionId: 'DEFAULT',
    units: [{ id: '0', quantity: 1 }],
    currency: 'EUR',
  }
  /** Valid requests of the routes for availability and bookings that take a body. */
  const requests: ['POST' | 'PATCH' | 'DELETE', string, { [name: string]: Json }][] = [
    ['POST', '/availability', { ...subject, ...dates }],
    ['POST', '/availability', { ...subject, availabilityIds: [morning] }],
    ['POST', '/availability/calendar', { ...subject, ...dates }],
    [
      'POST',
      '/bookings',
      {
        uuid: randomUUID(),
        ...places,
        currency: 'EUR',
        expirationMinutes: 5,
        unitItems: unitItems(),
        ...said,
      },
    ],
    ['PATCH', `/bookings/${uuid}`, { ...places, expirationMinutes: 5, unitItems: unitItems(), ...said }],
    ['POST', `/bookings/${uuid}/confirm`, { unitItems: unitItems(), ...said }],
    ['POST', `/bookings/${uuid}/extend`, { expirationMinutes: 5 }],
    ['POST', `/bookings/${uuid}/cancel`, { reason: 'Ill', force: true }],
    ['DELETE', `/bookings/${uuid}`, { reason: 'Ill', force: true }],
  ]
  /** Sends a request with the octo/questions capability, so that answers are validated too. */
  const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: Json) =>
    ask(method, path, {
      ...(body !== undefined && { body: body as object }),
      capabilities: ['octo/questions'],
    })
  return { ...reseller, uuid, requests, send }
}

/** An OCTO error: a code, and a message for people. */
const octoError = { error: /^[A-Z_]+$/, errorMessage: /\S/ }

t.test('a text with a NUL character is refused in any field, and nothing is changed', async (t) => {
  const { requests, send, sql } = await openTarget(t)
  const before = await fingerprint(sql)
  for (const [method, path, body] of requests)
    for (const [place, spoiled] of spoil(body, 'a\0b')) {
      const answer = await send(method, path, spoiled)
      t.equal(answer.status, 400, `${method} ${path.slice(0, 12)} ${place}: ${JSON.stringify(answer.body)}`)
      t.match(answer.body, octoError)
    }
  for (const query of ['resellerReference', 'supplierReference', 'localDate', 'productId', 'optionId'])
    t.match(await send('GET', `/bookings?localDateStart=2030-06-15&localDateEnd=2030-06-15&${query}=%00`), {
      status: 400,
      body: octoError,
    })
  t.same(await fingerprint(sql), before)
})

t.test('a field of a wrong type or size gets 200 or a refusal, never a 5xx', async (t) => {
  const { requests, send } = await openTarget(t)
  const wrong: Json[] = [
    true,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    1e308,
    [],
    {},
    [[]],
    [null],
    '',
    ' ',
    '\uD800',
    '𝒜\u202E',
    'x'.repeat(20_000),
  ]
  // The last two requests would cancel the booking, so they are left out.
  for (const part of wrong)
    for (const [method, path, body] of requests.slice(0, -2))
      for (const [place, spoiled] of spoil(body, part)) {
        const { status, body: answer } = await send(method, path, spoiled)
        const name = `${method} ${path.slice(0, 12)} ${place} ${JSON.stringify(part).slice(0, 20)}`
        if (status !== 200) t.match({ status, answer }, { status: 400, answer: octoError }, name)
      }
})

t.test('an unknown id of any form is named by the error', async (t) => {
  const { send, activityId } = await openTarget(t)
  const strange = [
    'nonsense',
    's_x',
    '0',
    '-1',
    '99999999999999999999',
    '%F0%9F%9B%B6',
    '..%2f..',
    "'--",
    randomUUID(),
  ]
  for (const id of strange) {
    const named = decodeURIComponent(id)
    t.match(await send('GET', `/products/${id}`), {
      status: 400,
      body: { error: 'INVALID_PRODUCT_ID', productId: named },
    })
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/confirm'],
      ['POST', '/extend'],
      ['POST', '/cancel'],
      ['DELETE', ''],
    ] as const)
      t.match(
        await send(method, `/bookings/${id}${path}`, method === 'GET' ? undefined : {}),
        { status: 400, body: { error: 'INVALID_BOOKING_UUID', uuid: named } },
        `${method} ${id}${path}`,
      )
    const places = { productId: activityId, optionId: 'DEFAULT', availabilityId: morning }
    for (const [field, error] of [
      ['productId', 'INVALID_PRODUCT_ID'],
      ['optionId', 'INVALID_OPTION_ID'],
      ['availabilityId', 'INVALID_AVAILABILITY_ID'],
    ] as const) {
      const answer = await send('POST', '/bookings', {
        ...places,
        unitItems: [{ unitId: '0' }],
        [field]: named,
      })
      t.match(answer, { status: 400, body: { error, [field]: named } }, `${field} ${id}`)
    }
  }
})

t.test(
  'a body that is not a JSON object gets an OCTO error, and capabilities may be in several headers',
  async (t) => {
    const { app, headers, uuid } = await openTarget(t)
    const send = (payload: string, type = 'application/json') =>
      app.inject({
        method: 'POST',
        url: `/octo/bookings/${uuid}/extend`,
        headers: { ...headers, 'content-type': type },
        payload,
      })
    for (const text of [
      '{',
      '{"a":1,}',
      'kayak',
      '\uFEFF{',
      '{"a":1e400}}',
      '"x"',
      '[[]]',
      '['.repeat(100_000),
    ]) {
      const { statusCode, body } = await send(text)
      t.match({ statusCode, body: JSON.parse(body) }, { statusCode: 400, body: octoError }, text.slice(0, 10))
    }
    t.match((await send('<a/>', 'application/xml')).json(), octoError)
    const twice = { ...headers, 'octo-capabilities': ['octo/pricing', 'octo/content'] }
    const answer = await app.inject({
      url: `/octo/bookings/${uuid}`,
      headers: twice as unknown as Record<string, string>,
    })
    t.equal(answer.statusCode, 200)
    t.equal(answer.headers['octo-capabilities'], 'octo/content, octo/pricing')
  },
)
