/** Messages about faults that pages can show have a translation. Most of them are collected from the source. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import t from 'tap'
import { moveObstacleMessages } from '../../src/catalogue/timeslots/model.ts'
import { problemTypes } from '../../src/http/problem-types.ts'
import { faultIn } from '../../src/languages/faults.ts'
import { textsIn } from '../../src/languages/texts.ts'
import { emailStatuses } from '../../src/messaging/emails/model.ts'
import {
  addressFailure,
  connectFailure,
  nameFailure,
  timeoutFailure,
  tlsFailure,
  tooLargeFailure,
} from '../../src/platform/outgoing/failure.ts'
import { projectPath } from '../../src/platform/project/paths.ts'
import { type InvalidFields, validatorCompiler } from '../../src/platform/schema/validation.ts'
import { basketStatuses } from '../../src/sales/basket/schemas.ts'
import { tooFewFree } from '../../src/sales/booking/pricing.ts'
import { statusSchema } from '../../src/sales/booking/schemas.ts'
import { promotionRefusals } from '../../src/sales/promotion/model.ts'
import { entryStatusSchema } from '../../src/sales/waitlist/schemas.ts'

const portuguese = textsIn('pt-PT')
const isTranslated = (message: string) => faultIn(portuguese, message) !== message

/**
 * Files that have no messages for pages, such as those of the command line, of the processes and of interfaces for
 * programs.
 */
const withoutPages =
  /^(octo|languages|start|queue|test-mode\/certification|platform\/(async|config|embedded|postgres|process|redis))\/|^catalogue\/file\/|commands?\.ts$|^(start|server|program|cli|services|openapi)\.ts$|^dashboard\/parts\/email-words\.ts$/

const literal = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g
const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm
/** Matches the beginning of a message that continues the label of a field. */
const continues =
  /^(must|has to|has|is|are|cannot|can|would|takes nothing|names|makes|does not|belongs|needs|or \w+ (?:must|is)|line) /
/** Matches the code before a literal that is a message. */
const named =
  /(?:\b(?:message|errorMessage|detail)\b\s*[:=]\s*(?:str)?|new (?:Problem|UserError|KeyNotLiveError|SecretError)\((?:\s*(?:'[\w-]+'|error\.slug),)?\s*|problems\.(?:unavailable|malformedRequest)\(\s*|refused\(\s*|\bdrop\(\s*|ofPrice\(\s*|keptOnly\(\s*)$/

/** The messages of a file, with `7` in place of each value. A choice between two words gives two messages. */
function messagesOf(source: string): string[] {
  const code = source.replace(comments, '')
  return [...code.matchAll(literal)].flatMap((found) => {
    const text = found[0].slice(1, -1).replaceAll("\\'", "'")
    const before = code.slice(Math.max(0, found.index - 120), found.index)
    if (!continues.test(text) && !named.test(before)) return []
    if (
      /^[\w-]*$/.test(text) ||
      /'not-found',\s*$/.test(before) ||
      /(?:from|import\() $/.test(before) ||
      /^is \$/.test(text)
    )
      return []
    return alternatives(text).map((one) => one.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '7'))
  })
}

function alternatives(text: string): string[] {
  // Pages leave out the number of the line.
  const whole = text.replace(/\$\{ofLine\(line\)\}/, '')
  const choice = /\$\{[^{}]*\? '([^']*)' : '([^']*)'\}/.exec(whole)
  if (!choice) return [whole]
  return [choice[1]!, choice[2]!].flatMap((word) => alternatives(whole.replace(choice[0], () => word)))
}

/** Messages that no page of the dashboard can show, by what they belong to. */
const onlyForPrograms: Record<string, string[]> = {
  'of the API, whose callers have keys': [
    'A valid API key is required in the header Authorization: Bearer <key>.',
    'This operation needs a key with the scope 7.',
    ...['second', 'seconds'].map((word) => `The key has reached its request limit. Try again in 7 ${word}.`),
    'This Idempotency-Key was used for a different request.',
    'Provide either ID or Name, and not both.',
    'No product in the shopfront matches.',
    'No product in the shopfront has this ActivityID.',
    'A simulated failure of the service, requested by the customer’s address in test mode.',
  ],
  'of payment providers': [
    'The Payment-Signature is missing, or it is not valid for this account, body and time.',
    'An earlier event with this ID had different content.',
    'Payments need SECRET_KEY, which is not set for this service.',
    'the account has no live secret: make one with `payments secrets create`',
  ],
  'of OCTO': [
    'This uuid was used for a reservation with different content.',
    'The reservation has expired.',
    'The body must be application/json.',
  ],
  'of metrics': ['The header Authorization: Bearer <METRICS_TOKEN> is required.'],
  'of calendars that other programs fetch': ['second', 'seconds'].map(
    (word) => `This calendar was fetched too often; please wait 7 ${word}.`,
  ),
  'of the command line': ['the account has no secret 7'],
  'of a job': ['the live catalogue changes faster than it is copied'],
}
const exceptions = Object.values(onlyForPrograms).flat()

/** The possible messages in place of one whose translation depends on its values. */
const variants: Record<string, string[]> = {
  // A page leaves out the advice before the colon.
  'must be given: this timeslot does not sell 7, only 7': ['', 'must be given: '].map(
    (advice) => `${advice}this timeslot does not sell 7, only 7`,
  ),
  'The basket is 7.': basketStatuses.map((status) => `The basket is ${status}.`),
  'The booking is 7.': [...statusSchema.enum, 'redeemed'].map((status) => `The booking is ${status}.`),
  'This waitlist entry is 7.': entryStatusSchema.enum.map((status) => `This waitlist entry is ${status}.`),
  'The e-mail is 7, not failed.': emailStatuses
    .filter((status) => status !== 'failed')
    .map((status) => `The e-mail is ${status}, not failed.`),
  'key 7 is 7: create a new one': ['expired', 'revoked'].map(
    (status) => `key 7 is ${status}: create a new one`,
  ),
  'must be at least 7 7 in all': ['people', 'places'].map((noun) => `must be at least 7 ${noun} in all`),
  'must be at most 7 7 in all': ['people', 'places'].map((noun) => `must be at most 7 ${noun} in all`),
  'must be at most 7 in all, because only 7 is free': [tooFewFree(1)],
  'must be at most 7 in all, because only 7 are free': [tooFewFree(7)],
  'is not the ActivityID of a product 7': ['in the shopfront', 'of this account'].map(
    (where) => `is not the ActivityID of a product ${where}`,
  ),
  'must answer the question “7”7': ['', ' for participant 2, 3'].map(
    (whose) => `must answer the question “7”${whose}`,
  ),
}

t.test('every message about a fault that a page can show has a translation', async (t) => {
  const names = await readdir(projectPath('src'), { recursive: true })
  const files = names.filter((name) => name.endsWith('.ts') && !withoutPages.test(name))
  const found = new Map<string, string>()
  for (const name of files)
    for (const message of messagesOf(await readFile(path.join(projectPath('src'), name), 'utf8')))
      for (const one of variants[message] ?? [message]) found.set(one, name)
  t.ok(found.size > 200, `${found.size} messages were found`)
  const missing = [...found].filter(([message]) => !exceptions.includes(message) && !isTranslated(message))
  t.same(
    missing.map(([message, name]) => `${name}: ${message}`),
    [],
  )
  t.same(
    exceptions.filter((message) => !found.has(message) || isTranslated(message)),
    [],
    'every exception is needed',
  )
})

t.test('the reasons why a delivery of a webhook failed have a translation', async (t) => {
  const [connectCodes, tlsCodes] = [
    ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', undefined],
    [
      ...[
        'CERT_HAS_EXPIRED',
        'CERT_NOT_YET_VALID',
        'DEPTH_ZERO_SELF_SIGNED_CERT',
        'SELF_SIGNED_CERT_IN_CHAIN',
      ],
      ...[
        'UNABLE_TO_GET_ISSUER_CERT',
        'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      ],
      ...['ERR_TLS_CERT_ALTNAME_INVALID', undefined],
    ],
  ]
  const source = await readFile(projectPath('src/messaging/webhooks/deliveries/trying.ts'), 'utf8')
  const own = [...source.matchAll(/'(Its [^'\n]+\.)'/g)].map(([, message]) => message!)
  t.equal(own.length, 3)
  const messages = [
    ...own,
    ...connectCodes.map((code) => connectFailure(code).message),
    ...tlsCodes.map((code) => tlsFailure(code).message),
    ...['did not accept a connection', 'did not begin to answer', 'did not answer'].map(
      (what) => timeoutFailure(what, 15_000).message,
    ),
    ...[nameFailure(), addressFailure(), tooLargeFailure()].map(({ message }) => message),
    'The URL must begin with https://.',
  ]
  t.same(
    messages.filter((message) => !isTranslated(message)),
    [],
  )
})

t.test('an amount in a message has the decimal mark of the language', async (t) => {
  const said = faultIn(portuguese, 'must be at most 45.505 KWD, the amount that is due')
  t.equal(said, 'não pode ser mais de 45,505 KWD, que é o que está por devolver')
})

t.test('every reason why an e-mail failed or cannot be shown has a translation', async (t) => {
  const folder = projectPath('src/messaging/emails')
  const sources = ['sending.ts', 'composing.ts', 'previewing.ts'].map((name) =>
    readFile(path.join(folder, name), 'utf8'),
  )
  const source = (await Promise.all(sources)).join('')
  const messages = [...source.matchAll(/'((?:It|The|Template:) [^'\n]+)'/g)].map(([, message]) => message!)
  t.ok(messages.length >= 8, `${messages.length} messages were found`)
  t.same(
    messages.filter((message) => !isTranslated(message)),
    [],
  )
})

t.test('titles of problems, and reasons against promotions and moves, have a translation', async (t) => {
  const titles = Object.values(problemTypes).map(({ title }) => title)
  const reasons = [...Object.values(promotionRefusals), ...Object.values(moveObstacleMessages)]
  for (const text of [...titles, ...reasons]) t.ok(isTranslated(text), text)
})

t.test(
  'messages of schema rules are plain English and have a translation, also for 1 character or item',
  async (t) => {
    const rules: [object, unknown][] = [
      [{ type: 'string' }, 1],
      [{ type: 'integer' }, 'a'],
      [{ type: 'number' }, 'a'],
      [{ type: 'boolean' }, 'a'],
      [{ type: 'array' }, 'a'],
      [{ type: 'object' }, 'a'],
      [{ type: 'string', minLength: 3 }, 'a'],
      [{ type: 'string', minLength: 1 }, ''],
      [{ type: 'string', maxLength: 1 }, 'abc'],
      [{ type: 'string', maxLength: 3 }, 'abcd'],
      [{ type: 'string', pattern: '^b$' }, 'a'],
      [{ type: 'string', format: 'uri' }, 'a'],
      [{ type: 'string', trimmedLength: 3 }, ''],
      [{ type: 'string', maxBytes: 1 }, 'abc'],
      [{ type: 'number', maxDecimals: 2 }, 0.123],
      [{ type: 'number', minimum: 3 }, 1],
      [{ type: 'number', maximum: 3 }, 4],
      [{ type: 'number', exclusiveMinimum: 3 }, 3],
      [{ type: 'number', exclusiveMaximum: 3 }, 3],
      [{ type: 'array', minItems: 1 }, []],
      [{ type: 'array', minItems: 2 }, []],
      [{ type: 'array', maxItems: 1 }, [1, 2]],
      [{ type: 'array', maxItems: 2 }, [1, 2, 3]],
      [{ type: 'array', uniqueItems: true }, [1, 1]],
      [{ type: 'object', minProperties: 1 }, {}],
      [{ const: 1 }, 2],
      [{ anyOf: [{ const: 1 }, { const: 3 }] }, 2],
    ]
    for (const [schema, value] of rules) {
      const validate = validatorCompiler({ schema, method: 'POST', url: '/', httpPart: 'body' })
      const { error } = validate(value) as { error: InvalidFields }
      const messages = error.fields.map(({ message }) => message)
      t.ok(messages.length > 0 && messages.every(isTranslated), messages.join('; '))
      t.notMatch(messages.join('; '), / NOT |[<>]|schema|constant/)
    }
  },
)
