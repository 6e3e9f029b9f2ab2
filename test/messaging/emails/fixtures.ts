/** Fixtures for tests of e-mail: an operator with a product, bookings, an outbox, and a sender. */
import { pino } from 'pino'
import type { Test } from 'tap'
import { createRenderBudget, type RenderBudget } from '../../../src/messaging/emails/render-budget.ts'
import { createSending, type SendingOptions } from '../../../src/messaging/emails/sending.ts'
import { openDatabase, type Sql } from '../../../src/platform/postgres/database.ts'
import { clockAt } from '../../clock.ts'
import { build, makeCaller, makeProduct, testConfig } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'

export const secret = 'a secret of at least 32 characters'
export const slotStart = '2030-06-15 10:00'

/** The app, an account with a key that has every scope, and a product. */
export async function buildQuay(t: Test, settings: Parameters<typeof build>[1] = {}) {
  const built = await build(t, { ...settings, environment: { SECRET_KEY: secret, ...settings.environment } })
  const caller = await makeCaller(built.sql, { scopes: ['ota', 'operator', 'usage:read', 'usage:write'] })
  const product = await makeProduct(built.sql, caller.accountId, {
    slots: { [slotStart]: 1000, '2030-06-16 10:00': 1000 },
  })
  const call = (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    payload?: object,
    more: object = {},
  ) =>
    built.app.inject({
      method,
      url: `/api/v2/operator${path}`,
      headers: { ...caller.headers, ...more },
      ...(payload && { payload }),
    })
  return { ...built, ...caller, product, call }
}

type BookingSettings = {
  slot?: string
  status?: string
  email?: string | null
  firstName?: string
  lastName?: string
  cancelReason?: string
  channel?: string
}

let made = 0

/** Inserts a booking, but no events. Returns its id, its basket id and its reference. */
export async function makeBooking(sql: Sql, accountId: number, settings: BookingSettings = {}) {
  const { slot = slotStart, status = 'confirmed', email = 'ada@example.com', channel = 'partner' } = settings
  const { firstName = 'Ada', lastName = 'Lovelace', cancelReason = 'customer' } = settings
  const reference = `REF${String(++made).padStart(5, '0')}`
  const basket = { waitlisted: 'waiting', held: 'open', cancelled: 'completed' }[status] ?? 'completed'
  const [booking] = await sql<{ id: number; basketId: number }[]>`
    with drawn as (
      select nextval('basket_ids') as id
    ), basket as (
      insert into baskets (account_id, id, channel, status, completed_at, expires_at)
      select ${accountId}, id, ${channel}, ${basket},
        case when ${basket} = 'completed' then app_now() end,
        case when ${basket} = 'open' then app_now() + interval '2 hours' end
      from drawn where ${channel} <> 'partner'
    )
    insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants,
      unit_price_minor, currency, first_name, last_name, email, answers, confirmed_at, cancelled_at, cancel_reason)
    select ${accountId}, nextval('booking_ids'), drawn.id, timeslots.id, ${reference}, ${channel}, ${status}, 2,
      4500, 'EUR', ${firstName}, ${lastName}, ${email}, '[]',
      case when ${status} = 'confirmed' or ${status} = 'cancelled' and ${channel} = 'partner' then app_now() end,
      case when ${status} = 'cancelled' then app_now() end,
      case when ${status} = 'cancelled' then ${cancelReason} end
    from drawn, timeslots
    where timeslots.account_id = ${accountId} and date = ${slot.slice(0, 10)} and time = ${slot.slice(11)}
    returning id, basket_id as "basketId"`
  return { ...booking!, reference }
}

/** Puts e-mails into the outbox; returns their ids. */
export async function makeEmails(
  sql: Sql,
  accountId: number,
  rows: { kind: string; bookingId?: number; workflowId?: number; entryId?: number; details?: object }[],
): Promise<number[]> {
  const ids: number[] = []
  for (const { kind, bookingId = null, workflowId = null, entryId = null, details = {} } of rows) {
    const [row] = await sql<{ id: number }[]>`
      insert into emails (account_id, kind, booking_id, workflow_id, waitlist_entry_id, details)
      values (${accountId}, ${kind}, ${bookingId}, ${workflowId}, ${entryId}, ${sql.json(details as never)})
      returning id`
    ids.push(row!.id)
  }
  return ids
}

type WorkflowSettings = {
  trigger?: string
  offsetMinutes?: number
  subject?: string
  body?: string
  active?: boolean
  productId?: number | null
}

export async function makeWorkflow(sql: Sql, accountId: number, settings: WorkflowSettings = {}) {
  const { trigger = 'booking-confirmed', offsetMinutes = 0, active = true, productId = null } = settings
  const { subject = 'About {{ booking.reference }}', body = 'Dear {{ customer.first_name }}' } = settings
  const [row] = await sql<{ id: number }[]>`
    insert into workflows (account_id, name, trigger, offset_minutes, product_id, subject, body, active)
    values (${accountId}, ${`Workflow ${++made}`}, ${trigger}, ${offsetMinutes}, ${productId}, ${subject}, ${body},
      ${active})
    returning id`
  return row!.id
}

/** The function of the job that sends e-mails, as in a worker with this configuration. */
export function makeSending(
  sql: Sql,
  environment: Record<string, string>,
  options: Partial<SendingOptions> = {},
) {
  const config = testConfig({ MAIL_FROM: 'quay@booking.test', SECRET_KEY: secret, ...environment })
  const log = pino({ level: 'silent' })
  return createSending({ sql, log, config, renders: byTheClock(), state: { draining: false }, ...options })
}

/** A template budget that counts the time that passes, so that a test on a busy machine uses it up too. */
export function byTheClock(): RenderBudget {
  const clock = () => performance.now()
  return createRenderBudget(clock, clock)
}

/** Numbers the events, and returns all usage entries in their order. */
export async function readMetered(sql: Sql) {
  await pumpEvents(sql)
  return sql<{ meter: string; extraInfo: string }[]>`
    select meter, extra_info as "extraInfo" from meter_entries order by id`
}

/** The e-mails of the outbox in order. */
export function readOutbox(sql: Sql) {
  return sql<{ id: number; kind: string; status: string; reason: string | null; attempts: number }[]>`
    select id, kind, status, reason, attempts from emails order by id`
}

/** Makes all queued e-mails due. */
export async function makeDue(sql: Sql): Promise<void> {
  await sql`update emails set next_try_at = app_now() where status = 'queued'`
}

/** Ends every lease, and makes its e-mail due. */
export async function endLeases(sql: Sql): Promise<void> {
  await sql`update emails set leased_until = app_now(), next_try_at = app_now() where lease is not null`
}

/** The same database with its clock set to an instant, from which it runs on. */
export function openAt(t: Test, url: string, instant: string): Sql {
  const moved = new URL(url)
  moved.searchParams.set('app.clock_offset', clockAt(instant).clockOffset)
  const sql = openDatabase(moved.href, { poolSize: 4, applicationName: 'abs-test' })
  t.teardown(() => sql.end())
  return sql
}
