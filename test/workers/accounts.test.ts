/** While the rows of one account cannot be written, scheduled jobs still do their work for all other accounts. */
import { pino } from 'pino'
import t, { type Test } from 'tap'
import type { Sql } from '../../src/platform/postgres/database.ts'
import type { JobName } from '../../src/queue/jobs.ts'
import { jobs } from '../../src/queue/jobs.ts'
import { queues } from '../../src/queue/queues.ts'
import { jobHandlers } from '../../workers/handlers.ts'
import { build, makeCaller, makeProduct } from '../helper.ts'
import { makeBooking, makeWorkflow, slotStart } from '../messaging/emails/fixtures.ts'

const past = '2020-06-15 10:00'

/** Makes an account for which each of the jobs in `cases` has something to do; returns its id. */
async function addAccount(sql: Sql, slug: string): Promise<number> {
  const { accountId } = await makeCaller(sql, { slug })
  const { id } = await makeProduct(sql, accountId, { slots: { [slotStart]: 1000, [past]: 10 } })
  await sql`
    insert into schedules (account_id, product_id, from_date, to_date, weekdays, times, capacity)
    values (${accountId}, ${id}, '2020-01-01', '2040-01-01', '{1,2,3,4,5,6,7}', '{10:00}', 5)`
  await makeWorkflow(sql, accountId)
  await makeBooking(sql, accountId)
  await makeBooking(sql, accountId, { slot: past })
  const held = await makeBooking(sql, accountId, { status: 'held', channel: 'online' })
  await sql`update timeslots set held = 2 where account_id = ${accountId} and date = '2030-06-15'`
  await sql`
    update baskets set expires_at = app_now() - interval '1 minute'
    where account_id = ${accountId} and id = ${held.basketId}`
  return accountId
}

/** Makes PostgreSQL end every statement that writes a row of the account to the table, as after a timeout. */
async function refuseWrites(sql: Sql, table: string, accountId: number): Promise<void> {
  await sql.unsafe(`
    create function refuse_${table}() returns trigger language plpgsql as $$ begin
      if new.account_id = ${accountId} then
        raise exception 'canceling statement due to statement timeout' using errcode = '57014';
      end if;
      return new;
    end $$;
    create trigger refuse before insert or update on ${table} for each row execute function refuse_${table}()`)
}

async function prepare(t: Test) {
  const environment = { PERSONAL_DATA_RETENTION_DAYS: '30', SCHEDULE_HORIZON_DAYS: '5' }
  const { sql, services } = await build(t, { environment })
  const accountId = await addAccount(sql, 'anchor')
  const others = [await addAccount(sql, 'buoy'), await addAccount(sql, 'coast')]
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  return { sql, accountId, others, lines, handlers: jobHandlers({ ...services, log }) }
}

type Case = { table: string; job: JobName; done: (sql: Sql) => Promise<readonly { accountId: number }[]> }
const account = (sql: Sql) => sql`distinct account_id as "accountId"`

const cases: Case[] = [
  {
    table: 'timeslots',
    job: 'schedules.top-up',
    done: (sql) => sql`select ${account(sql)} from timeslots where schedule_id is not null order by 1`,
  },
  {
    table: 'workflows',
    job: 'workflows.sweep',
    done: (sql) => sql`select ${account(sql)} from emails order by 1`,
  },
  {
    table: 'baskets',
    job: 'holds.sweep',
    done: (sql) => sql`select ${account(sql)} from baskets where status = 'expired' order by 1`,
  },
  {
    table: 'audits',
    job: 'usage.audit',
    done: (sql) => sql`select ${account(sql)} from audits where kind = 'usage-totals' order by 1`,
  },
  {
    table: 'audits',
    job: 'bookings.audit',
    done: (sql) => sql`select ${account(sql)} from audits where kind = 'booked-places' order by 1`,
  },
  {
    table: 'audits',
    job: 'sales-totals.audit',
    done: (sql) => sql`select ${account(sql)} from audits where kind = 'sales-totals' order by 1`,
  },
  {
    table: 'sales_states',
    job: 'sales-totals.keep',
    done: (sql) => sql`select ${account(sql)} from sales_states where account_id > 0 order by 1`,
  },
  {
    table: 'erasures',
    job: 'personal-data.erase-old',
    done: (sql) => sql`select ${account(sql)} from bookings where erasure_id is not null order by 1`,
  },
]

for (const { table, job, done } of cases)
  t.test(`${job} continues with the other accounts, and logs the one that failed`, async (t) => {
    const { sql, accountId, others, lines, handlers } = await prepare(t)
    await refuseWrites(sql, table, accountId)
    const run = handlers[job] as (payload: object) => Promise<unknown>
    await t.rejects(run({}), { message: /^the job failed for 1 of \d accounts$/ })
    t.same(
      (await done(sql)).map((row) => row.accountId),
      others,
    )
    const failures = lines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => /failed for an account/.test(msg))
    t.match(failures, [{ job, accountId, err: { code: '57014' } }])
  })

t.test(
  'expired holds, workflows, maintenance and the numbering of events have separate queues, and maintenance runs several jobs at once',
  async (t) => {
    const queueOf = (name: JobName) => jobs[name].queue
    const apart = new Set([
      queueOf('holds.sweep'),
      queueOf('workflows.sweep'),
      queueOf('usage.audit'),
      queueOf('events.number'),
    ])
    t.equal(apart.size, 4)
    t.ok(queues.maintenance.concurrency > 1)
  },
)
