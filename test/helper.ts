/**
 * The basis of tests: a database cloned from the migrated template, an app on it, and functions that make rows.
 * Each test finds the database empty.
 */
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { Test } from 'tap'
import type { Scope } from '../src/accounts/model.ts'
import { createAccount, createKey } from '../src/accounts/service.ts'
import { buildApp } from '../src/app.ts'
import { toActivityId } from '../src/catalogue/model.ts'
import { tryAgain } from '../src/platform/async/try-again.ts'
import { type Config, readConfig } from '../src/platform/config/config.ts'
import { findPoolUse, openDatabase, type Sql } from '../src/platform/postgres/database.ts'
import { closeServices, openServices, type Services } from '../src/services.ts'
import { createClock } from './clock.ts'
import { createEmptying } from './emptying.ts'
import { checkAgainstDocument } from './openapi-check.ts'
import { borrow, type Owner } from './shared.ts'
import { until } from './until.ts'

type DatabaseSettings = {
  /** The difference of the database's clock (app_now) from the real one: a PostgreSQL interval. */
  clockOffset?: string
}

/** A database of the test's own, dropped at the end of it. */
export async function createDatabase(t: Owner, { clockOffset = '0' }: DatabaseSettings = {}) {
  const { TEST_DATABASE_URL = '', TEST_TEMPLATE_DATABASE = '' } = process.env
  const admin = await borrow(t, 'administrator', async (owner) => {
    const one = openDatabase(TEST_DATABASE_URL, { poolSize: 1, applicationName: 'abs-test' })
    owner.teardown(() => one.end())
    return { one, refresh: async () => true }
  })
  const name = `test_${randomBytes(8).toString('hex')}`
  await onceUnused(
    () => admin`create database ${admin(name)} template ${admin(TEST_TEMPLATE_DATABASE)} strategy file_copy`,
  )
  const url = new URL(TEST_DATABASE_URL)
  url.pathname = `/${name}`
  // An empty value keeps the clock of the database. With this parameter, more can be added to the URL as `&…`.
  url.searchParams.set('app.clock_offset', '')
  const sql = openDatabase(url.href, { poolSize: 10, applicationName: 'abs-test' })
  const moveClock = createClock(sql)
  await moveClock(clockOffset)
  t.teardown(async () => {
    await sql.end()
    await onceUnused(() => admin`drop database ${admin(name)} with (force)`)
  })
  return { url: url.href, sql, admin, name, moveClock }
}

/**
 * Retries the change if sessions still use the database. PostgreSQL waits five seconds for sessions to end,
 * and on a machine that stops for seconds, a session may take longer.
 */
function onceUnused<T>(change: () => Promise<T>): Promise<T> {
  return tryAgain(change, { tries: 10, when: (error) => (error as { code?: string }).code === '55006' })
}

/** A configuration in which requests time out after minutes: a machine that stops for seconds causes no 503. */
export function testConfig(environment: Record<string, string> = {}): Config {
  const defaults = { LOG_LEVEL: 'silent', PUBLIC_URL: 'http://booking.test', REQUEST_TIMEOUT_SECONDS: '120' }
  return readConfig({ ...defaults, ...environment })
}

type AppSettings = DatabaseSettings & {
  environment?: Record<string, string>
  services?: Partial<Services>
  /** For a test whose work may continue after its end, or that needs connections without prepared plans. */
  isOwn?: boolean
}

/**
 * The web application on an empty database, which an earlier test of the process may have used. Every response is
 * checked against its OpenAPI document.
 */
export async function build(t: Test, { isOwn = false, clockOffset = '0', ...settings }: AppSettings = {}) {
  const make = async (owner: Owner) => {
    const database = await createDatabase(owner)
    const prefix = `{test-${randomBytes(8).toString('hex')}}`
    const environment = { QUEUE_PREFIX: prefix, ...settings.environment }
    const { isUnused, ...built } = await buildOn(owner, database.url, environment, 'test', settings.services)
    const empty = await createEmptying(database.sql)
    const refresh = async () => (await isUnused()) && empty()
    return { one: { ...built, ...database }, refresh }
  }
  const isShared = !isOwn && !settings.services
  const built = isShared
    ? await borrow(t, `app ${JSON.stringify(settings.environment ?? {})}`, make)
    : (await make(t)).one
  await built.moveClock(clockOffset)
  return built
}

// A machine that runs several tests at once may stop for seconds.
const longTimeouts = { connectMs: 60_000, lockedMs: 60_000 }

/**
 * A web application with its own services on the given database, as in another process. With another name
 * than `test`, or with a database behind a proxy, it has the timeouts of production.
 */
export async function buildOn(
  t: Owner,
  databaseUrl: string,
  environment: Record<string, string> = {},
  name = 'test',
  replaced: Partial<Services> = {},
) {
  // Logs only errors, because tests cause warnings on purpose.
  const log = pino({ level: 'error' }, pino.destination(2))
  const { TEST_DATABASE_URL = '' } = process.env
  const isDirect = new URL(databaseUrl).host === new URL(TEST_DATABASE_URL).host
  const timeouts = name === 'test' && isDirect ? longTimeouts : {}
  const opened = openServices(testConfig(environment), databaseUrl, name, log, timeouts)
  const services = { ...opened, ...replaced }
  const app = await buildApp(services)
  checkAgainstDocument(app)
  let isClosed = false
  app.addHook('onClose', async () => {
    isClosed = true
  })
  await app.ready()
  t.teardown(async () => {
    await app.close()
    await closeServices(services)
  })
  const isUntouched = watchServices(services)
  const isUnused = async () => {
    if (isClosed || !isUntouched() || (app.server.listening && !reusable.has(app))) return false
    app.server.closeAllConnections()
    const pools = [services.sql, services.longReads, ...(services.selling ? [services.selling] : [])]
    // Requests of a closed connection may still be under way.
    await until(() => pools.every((pool) => findPoolUse(pool).used === 0), 10_000)
    return true
  }
  return { app, services, isUnused }
}

const reusable = new WeakSet<FastifyInstance>()

/** Makes the app listen for tests in a browser, also for later ones; returns its origin. */
export async function listenOn(app: FastifyInstance): Promise<string> {
  if (!app.server.listening) {
    reusable.add(app)
    return app.listen({ host: '127.0.0.1', port: 0 })
  }
  const { port } = app.server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

/** Returns a function that says whether all services, and their properties, are still the same as now. */
function watchServices(services: Services): () => boolean {
  const parts = Object.entries(services).map(([name, part]) => {
    return { name, part, before: { ...(part as object) } }
  })
  return () =>
    parts.every(({ name, part, before }) => {
      if (services[name as keyof Services] !== part) return false
      return Object.entries(before).every(([key, value]) => (part as Record<string, unknown>)[key] === value)
    })
}

/**
 * Makes a key with these scopes in the account with this slug, and makes the account if it does not exist.
 */
export async function makeCaller(
  sql: Sql,
  {
    slug = 'quay',
    timeZone = 'Europe/Lisbon',
    partner = null,
    scopes = ['ota'] as Scope[],
  }: {
    slug?: string
    timeZone?: string
    partner?: string | null
    scopes?: Scope[]
  } = {},
) {
  const [known] = await sql<{ id: number }[]>`select account_id as id from accounts where slug = ${slug}`
  const accountId = known?.id ?? (await createAccount(sql, { slug, name: slug, timeZone })).id
  const token = await createKey(sql, { accountId, partner, scopes, expiresInDays: null })
  return { accountId, token, headers: { authorization: `Bearer ${token}` } }
}

type ProductSettings = {
  name?: string
  timeZone?: string
  inShopfront?: boolean
  durationMinutes?: number
  /** `YYYY-MM-DD HH:MM` to capacity. */
  slots?: Record<string, number>
}

/** Makes a product, by default in the shopfront and without timeslots. */
export async function makeProduct(
  sql: Sql,
  accountId: number,
  {
    name = 'Kayak',
    timeZone = 'Europe/Lisbon',
    inShopfront = true,
    durationMinutes = 90,
    slots = {},
  }: ProductSettings = {},
) {
  const [product] = await sql<{ id: number; activity: string }[]>`
    insert into products (account_id, name, description, duration_minutes, price_minor, currency, time_zone,
      in_shopfront)
    values (${accountId}, ${name}, 'On the water.', ${durationMinutes}, 4500, 'EUR', ${timeZone}, ${inShopfront})
    returning id, activity_id as activity`
  const { id, activity } = product!
  for (const [when, capacity] of Object.entries(slots)) {
    await sql`
      insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
      values (${accountId}, ${id}, ${when.slice(0, 10)}, ${when.slice(11)},
        local_instant(${when}::timestamp, ${timeZone}), ${capacity})`
  }
  return { id, activityId: toActivityId(activity) }
}

/** A valid booking request, with the changes of a test. */
export function bookingBody(activityId: string, changes: Record<string, unknown> = {}) {
  return {
    ActivityID: activityId,
    Date: '2030-06-15',
    Time: '10:00',
    Participants: 2,
    Customer: { FirstName: 'Ada', LastName: 'Lovelace', Email: 'ada@example.com' },
    ...changes,
  }
}

export const bookingPath = '/api/v2/ota/marketplace/booking'
