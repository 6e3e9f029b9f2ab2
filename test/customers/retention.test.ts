/** Deleting personal data after the configured time: of bookings, e-mails, and runs of workflows. */
import t from 'tap'
import { eraseOldCustomers, sweepEmails } from '../../src/customers/retention.ts'
import { sweepWorkflows } from '../../src/messaging/workflows/sweep.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { listCounterDifferences } from '../../src/reports/sales-audit/queries.ts'
import { testConfig } from '../helper.ts'
import { makeEmails, makeWorkflow, openAt } from '../messaging/emails/fixtures.ts'
import { pumpEvents } from '../pump.ts'
import { dyingAt, leaveTraces, listTraces, openHarbour, quill, readNumbers } from './fixtures.ts'

const retentionConfig = (days: number, DATA_DIR: string) => {
  return testConfig({
    PERSONAL_DATA_RETENTION_DAYS: String(days),
    EMAIL_RETENTION_DAYS: String(days),
    DATA_DIR,
  })
}

t.test(
  'customers are erased the configured number of days after the end of their timeslot, and no sooner',
  async (t) => {
    const harbour = await openHarbour(t)
    const { sql, url, accountId, dataDir, book, partner, app } = harbour
    const { booked } = await leaveTraces(t, harbour)
    // A test e-mail and its stored response belong to no booking: they have retention periods of their own.
    await sql`delete from emails where kind = 'test'`
    await sql`delete from idempotency_keys where operation = 'workflow.test'`
    await book({ Time: '12:00' })
    const before = await readNumbers(sql)
    const changesPath = '/api/v2/ota/marketplace/booking?UpdatedSince=2020-01-01T00:00:00Z'
    const changes = async () => {
      await pumpEvents(sql)
      return app.inject({ url: changesPath, headers: partner.headers })
    }
    const changesBefore = (await changes()).json().data

    // The timeslot at 10:00 in Lisbon ends at 10:30 UTC.
    const justBefore = openAt(t, url, '2030-07-15T10:20:00Z')
    const justAfter = openAt(t, url, '2030-07-15T10:31:00Z')
    t.equal(
      await eraseOldCustomers(justAfter, retentionConfig(0, dataDir)),
      0,
      'with 0 days, no customer is erased',
    )
    t.equal(await eraseOldCustomers(justBefore, retentionConfig(30, dataDir)), 0)
    t.equal(
      await eraseOldCustomers(justAfter, retentionConfig(30, dataDir)),
      6,
      'all bookings of that timeslot',
    )
    t.match(await sql`select email from bookings where email is not null`, [{ email: quill.Email }])
    t.equal(await eraseOldCustomers(justAfter, retentionConfig(30, dataDir)), 0)
    t.equal(await eraseOldCustomers(openAt(t, url, '2030-07-16T00:00:00Z'), retentionConfig(30, dataDir)), 1)

    t.same(await listTraces(sql), [])
    t.equal(await readNumbers(sql), before)
    t.same(await listCounterDifferences(sql, accountId), [])
    t.same((await changes()).json().data, changesBefore, 'partners see no change')
    t.match(await sql`select * from erasures order by id`, [
      { cause: 'retention', bookings: 6, finished_at: Date },
      { cause: 'retention', bookings: 1, finished_at: Date },
    ])
    const [row] = await sql`
    select actor from events join bookings on bookings.id = booking_id
    where reference = ${booked} and type = 'booking.customer-erased'`
    t.equal(row!.actor, 'service')
  },
)

t.test('a timeslot with more bookings than one transaction erases is finished in one run', async (t) => {
  const { sql, later, book, dataDir } = await openHarbour(t)
  await book()
  await sql`
    insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants,
      unit_price_minor, currency, first_name, last_name, email, answers, cancelled_at, cancel_reason)
    select account_id, 1000000 + number, basket_id, timeslot_id, 'MANY' || number, channel, 'cancelled', 1,
      unit_price_minor, currency, first_name, last_name, email, answers, app_now(), 'operator'
    from bookings cross join generate_series(1, 1000) as number`
  t.equal(await eraseOldCustomers(later, retentionConfig(30, dataDir)), 1001)
  t.same(await listTraces(sql), [])
})

t.test('the customer of a held booking is erased only after the hold ends', async (t) => {
  const { sql, later, hold, dataDir } = await openHarbour(t)
  await hold([{}], { Customer: quill })
  t.equal(await eraseOldCustomers(later, retentionConfig(30, dataDir)), 0)
  await sql`update timeslots set held = 0`
  await sql`update bookings set status = 'expired'`
  t.equal(await eraseOldCustomers(later, retentionConfig(30, dataDir)), 1)
})

t.test('the next run finishes an interrupted erasure; concurrent runs erase each booking once', async (t) => {
  const { sql, later, book, dataDir, accountId, id } = await openHarbour(t)
  await sql`
    insert into timeslots (account_id, product_id, date, time, starts_at, capacity)
    select ${accountId}, ${id}, day, '10:00', day, 2 from generate_series(date '2030-06-20', '2030-09-30', '1 day') as day`
  for (const date of ['2030-06-20', '2030-08-10', '2030-09-30']) await book({ Date: date })
  await t.rejects(eraseOldCustomers(dyingAt(later, 2), retentionConfig(30, dataDir)), {
    cause: { message: 'killed' },
  })
  t.equal((await sql`select from bookings where erasure_id is not null`).length, 1)
  const erased = await Promise.all(
    [1, 2, 3].map(() => eraseOldCustomers(later, retentionConfig(30, dataDir))),
  )
  t.equal(
    erased.reduce((sum, count) => sum + count),
    2,
  )
  t.same(await listTraces(sql), [])
  t.equal((await sql`select from events where type = 'booking.customer-erased'`).length, 3)
  t.equal((await sql`select from timeslots where customers_erased_at is null`).length, 0)
})

async function sweepAll(sql: Sql, days: number, dataDir: string): Promise<number> {
  let sum = 0
  for (let count = 1; count > 0; sum += count) count = await sweepEmails(sql, retentionConfig(days, dataDir))
  return sum
}

t.test('finished e-mails are deleted after the configured days, and waiting ones stay', async (t) => {
  const { sql, later, accountId, dataDir } = await openHarbour(t)
  const kinds = ['sent', 'failed', 'dropped', 'queued']
  const ids = await makeEmails(
    sql,
    accountId,
    kinds.map(() => ({ kind: 'test' })),
  )
  for (const [index, status] of kinds.entries())
    await sql`
      update emails set status = ${status}, sent_at = case when ${status} = 'sent' then now() end
      where id = ${ids[index]!}`
  t.equal(await sweepAll(sql, 30, dataDir), 0)
  t.equal(await sweepAll(later, 0, dataDir), 0, 'with 0 days, no e-mail is deleted')
  t.equal(await sweepAll(later, 30, dataDir), 3)
  t.match(await sql`select status from emails`, [{ status: 'queued' }])
})

t.test('the record of a workflow run outlives its e-mail, but not its workflow or customer', async (t) => {
  const harbour = await openHarbour(t)
  const { sql, url, accountId, dataDir, book, erase } = harbour
  const afterEnd = await makeWorkflow(sql, accountId, { trigger: 'after-end' })
  const gone = await makeWorkflow(sql, accountId)
  await sql`update workflows set armed_at = '2020-01-01', swept_until = '2020-01-01'`
  await book()
  const ended = openAt(t, url, '2030-06-15T11:00:00Z')
  t.equal(await sweepWorkflows(ended), 2)
  const runs = async () =>
    (await sql`select workflow_id as id from workflow_runs order by id`).map(({ id }) => id)
  t.same(await runs(), [afterEnd, gone])
  await sql`update emails set status = 'dropped'`
  await sweepAll(openAt(t, url, '2031-01-01T00:00:00Z'), 30, dataDir)
  t.same(await runs(), [afterEnd, gone], 'the e-mails are deleted, the records of the runs are not')
  await sql`delete from workflows where id = ${gone}`
  t.equal(await sweepAll(ended, 30, dataDir), 1)
  t.same(await runs(), [afterEnd])

  await erase(openAt(t, url, '2030-06-15T11:00:00Z'))
  t.same(await runs(), [])
  await sql`update workflows set swept_until = '2030-06-15'`
  t.equal(await sweepWorkflows(ended), 0, 'nothing becomes due for an erased customer')
})
