/**
 * The service under attack, in this process: the web application and a worker on real stores, two accounts
 * with products and tills, one with a test account, and keys of every kind. It remembers values of
 * responses for later requests.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Logger, pino } from 'pino'
import { scopes, testAccountOf } from '../../src/accounts/model.ts'
import { buildApp } from '../../src/app.ts'
import { defaultUnitAlias } from '../../src/inventory/price-list.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { startJobWorker } from '../../src/queue/worker.ts'
import { createSecret } from '../../src/sales/payment/secrets.ts'
import { closeServices, openServices } from '../../src/services.ts'
import { allowCatalogueWrites } from '../../src/test-mode/queries.ts'
import { createTestKey } from '../../src/test-mode/service.ts'
import { jobHandlers } from '../../workers/handlers.ts'
import { makeCaller, makeProduct, testConfig } from '../helper.ts'
import { checkAgainstDocument } from '../openapi-check.ts'
import { until } from '../until.ts'
import { knownNames } from './names.ts'
import { giveFamilyUnits, giveRules, listAvailabilityIds } from './products.ts'
import type { Caller } from './requests.ts'
import type { Json } from './values.ts'

const secretKey = 'a secret key of thirty-two letters'
const maxKnown = 60
/** How many of the first values of each name are never dropped, because the world was made with them. */
const keptKnown = 12
const shortLived = ['BasketID', 'BookingReference', 'bookingUuid']
const withUnits = ['Kayak', 'Surf', 'Sail']

export type World = Awaited<ReturnType<typeof openWorld>>

/** @param redisUrl empty keeps the queues in PostgreSQL. */
export async function openWorld(databaseUrl: string, redisUrl: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'abs-fuzz-'))
  const config = testConfig({
    SECRET_KEY: secretKey,
    METRICS_TOKEN: 'a token for the metrics',
    // The requests come from this machine, so their forwarding headers are trusted.
    TRUSTED_PROXIES: 'loopback',
    DATA_DIR: folder,
    // On a machine that stops for seconds, no request times out, but one that hangs is found.
    REQUEST_TIMEOUT_SECONDS: '60',
    QUEUE_PREFIX: `{fuzz-${randomBytes(4).toString('hex')}}`,
    ...(redisUrl && { REDIS_URL: redisUrl }),
  })
  const complaints: string[] = []
  const log = complainTo(complaints)
  // Not named `web`, because statements of a web process time out after a few seconds, with a 503.
  const services = openServices(config, databaseUrl, 'fuzz', log)
  const working = openServices(config, databaseUrl, 'worker', log)
  const options = { redisUrl: config.REDIS_URL, databaseUrl, prefix: config.QUEUE_PREFIX, log }
  const worker = await startJobWorker(options, jobHandlers(working))
  const app = await buildApp(services)
  checkAgainstDocument(app)
  await app.ready()
  await until(() => services.queue.state().reachable)
  const { sql } = services
  const { tokens, secret, accountIds } = await makeKeys(sql)
  const known = await makeThings(sql, accountIds)
  const [accountId] = accountIds
  const request = { accountId: accountId!, partner: 'Tours Online', scopes, expiresInDays: null }
  tokens.test = await createTestKey(sql, request)
  return {
    app,
    sql,
    accountIds: [...accountIds, testAccountOf(accountId!)],
    tokens,
    secret,
    /** The time limit of a request in milliseconds: its timeout, plus the time to notice it. */
    requestTimeoutMs: config.REQUEST_TIMEOUT_SECONDS * 1250,
    known,
    /** Restocks places and units, because requests that close and delete would soon leave nothing to sell. */
    async restock() {
      await known.giveUnits()
      await sql`update products set in_shopfront = true where account_id = ${accountId!}`
      await sql.begin(async (tx) => {
        await allowCatalogueWrites(tx)
        await tx`update timeslots set status = 'open', capacity = greatest(capacity, booked + held + 50)`
      })
    },
    /** Reasons of 5xx responses and failed jobs since the last call. */
    takeComplaints: () => complaints.splice(0),
    /** Waits until the worker has nothing left to store. */
    settle: () => until(async () => (await app.inject('/readyz')).json().data?.Backlog?.Jobs === 0),
    async close() {
      working.state.draining = true
      await worker.close()
      await closeServices(working)
      await app.close()
      await closeServices(services)
      await rm(folder, { recursive: true })
    },
  }
}

/** A logger that adds one line for each error to `complaints`. */
function complainTo(complaints: string[]): Logger {
  const write = (line: string) => {
    const { err, msg, job, reason } = JSON.parse(line)
    complaints.push(
      [msg, job, reason, err?.message, err?.stack?.split('\n')[1]?.trim()].filter(Boolean).join(' | '),
    )
  }
  return pino({ level: 'error' }, { write })
}

async function makeKeys(sql: Sql) {
  const make = async (
    slug: string,
    some: readonly (typeof scopes)[number][],
    partner: string | null = null,
  ) => makeCaller(sql, { slug, scopes: [...some], partner })
  const right = await make('quay', scopes, 'Tours Online')
  const elsewhere = await make('elsewhere', scopes)
  const revoked = await make('quay', scopes)
  await sql`update api_keys set revoked_at = now() where id = (select max(id) from api_keys)`
  const tokens: Partial<Record<Caller, string>> = { garbage: 'abs_1_x', right: right.token }
  for (const scope of scopes) tokens[scope] = (await make('quay', [scope])).token
  const secret = await createSecret(sql, secretKey, right.accountId)
  return {
    tokens: { ...tokens, elsewhere: elsewhere.token, revoked: revoked.token } as typeof tokens,
    secret,
    accountIds: [right.accountId, elsewhere.accountId],
  }
}

const days = Array.from({ length: 8 }, (_, index) =>
  new Date(Date.now() + (index + 10) * 864e5).toISOString().slice(0, 10),
)
const texts = {
  Date: days,
  Time: ['10:00', '14:00'],
  Code: ['SUMMER', 'WINTER-10'],
  PromotionCode: ['SUMMER', 'WINTER-10'],
  Search: [
    'ada kayak 15 june',
    '0171/123 45 67 tomorrow',
    "o'brien's \\ & (a | b) ! <-> 'c':*",
    '31.2. 2030-99-99 +++ 000000 #/',
    '\u{1f6f6}\u0301 İ ﷺ '.repeat(10),
  ],
  Currency: ['EUR', 'JPY'],
  TimeZone: ['Europe/Lisbon', 'Asia/Kathmandu'],
  Phone: ['+351 912 345 678'],
  PaymentReference: ['OTA-1', 'OTA-2'],
  // No name that ends with .invalid leads anywhere (RFC 6761).
  URL: ['https://receiver.invalid/hook', 'https://127.0.0.1/hook', 'http://receiver.invalid/hook'],
  EventType: ['*', 'booking.*', 'product.changed', 'availability.changed', 'email.*'],
  optionId: ['DEFAULT'],
  notificationType: ['PRODUCT_UPDATE', 'AVAILABILITY_UPDATE', 'booking_update'],
  url: ['https://receiver.invalid/octo', 'https://127.0.0.1/octo', 'http://receiver.invalid/octo'],
  resellerReference: ['OTA-1', 'OTA-2'],
}

export type KnownThings = {
  /** @param activity the ActivityID of the product that a unit should belong to. */
  get(name: string, at: number, activity?: Json): Json
  /** Gives the products with units those that they had at first, with new ids. */
  giveUnits(): Promise<void>
  learn(answer: unknown): void
  add(name: string, value: Json): void
}

async function makeThings(sql: Sql, accountIds: number[]): Promise<KnownThings> {
  const things = new Map<string, Json[]>(knownNames.map((name) => [name, []]))
  const add = (name: string, value: Json) => {
    const some = things.get(name)
    if (!some || some.includes(value)) return
    // Of short-lived values, the newest are the most useful.
    const isShortLived = shortLived.includes(name)
    if (isShortLived) some.unshift(value)
    else some.push(value)
    if (some.length > maxKnown) some.splice(isShortLived ? maxKnown : keptKnown, 1)
  }
  const slots = Object.fromEntries(
    days.flatMap((day) =>
      [`${day} 10:00`, `${day} 14:00`].map((slot, index) => [slot, index === 0 ? 300 : 6]),
    ),
  )
  const [own, other] = accountIds
  const names = ['Kayak', 'Canoe', 'Sauna', 'Surf', 'Sail', 'Climb', 'Dive']
  const units = new Map<Json, Json[]>()
  const families: { id: number; activityId: string }[] = []
  for (const [accountId, name] of [
    ...names.map((name) => [own!, name] as const),
    [other!, 'Hike'] as const,
  ]) {
    const product = await makeProduct(sql, accountId, { name, slots })
    add('ActivityID', product.activityId)
    add('ProductID', product.id)
    add('Name', name)
    if (withUnits.includes(name)) families.push(product)
    await giveRules(sql, product.id, name)
  }
  const giveAnew = async () => {
    for (const { id, activityId } of families) {
      const ids = await giveFamilyUnits(sql, own!, id)
      units.set(activityId, [...ids, defaultUnitAlias])
      for (const unit of ids) add('UnitID', unit)
      for (const unit of [defaultUnitAlias, ...ids]) add('unitId', String(unit))
    }
  }
  for (const accountId of accountIds) {
    const [till] = await sql<{ id: number }[]>`
      insert into tills (account_id, user_id, currency, float_minor) values (${accountId}, 1, 'EUR', 10000)
      returning id`
    add('TillID', till!.id)
  }
  await giveAnew()
  for (const { id } of await sql<{ id: number }[]>`select id from timeslots order by id`)
    add('TimeslotID', id)
  for (const id of await listAvailabilityIds(sql)) add('availabilityId', id)
  for (const [name, some] of Object.entries(texts)) for (const text of some) add(name, text)
  const learn = (answer: unknown): void => {
    if (typeof answer !== 'object' || answer === null) return
    if ('unitItems' in answer && 'uuid' in answer) add('bookingUuid', answer.uuid as Json)
    if ('notificationTypes' in answer && 'id' in answer) add('subscriptionId', answer.id as Json)
    for (const [name, value] of Object.entries(answer)) {
      if (typeof value === 'object') learn(value)
      // Newer products rarely have places to sell.
      else if (name !== 'ActivityID' && !(name in texts)) add(name, value as Json)
    }
  }
  const get = (name: string, at: number, activity?: Json) => {
    // Few of all units belong to the product of the request.
    if (name === 'UnitID' && activity !== undefined && at % 8 > 0)
      return pick(units.get(activity) ?? [defaultUnitAlias], at)
    if (name === 'unitId' && activity !== undefined && at % 8 > 0)
      return String(pick(units.get(activity) ?? [defaultUnitAlias], at))
    return pick(things.get(name) ?? [], at)
  }
  return { get, giveUnits: giveAnew, learn, add }
}

/** A known value; an id that does not exist if none is known. */
function pick(some: Json[], at: number): Json {
  return some.length > 0 ? some[at % some.length] : 999_999_999
}
