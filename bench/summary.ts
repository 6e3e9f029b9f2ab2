/** A summary over few entries and over very many, compared with GROUP BY over the entries themselves. */
import type { Sql } from '../src/platform/postgres/database.ts'
import { makeAccount } from './fixtures.ts'
import { type Figures, runLoad } from './harness/load.ts'
import { startWebs, stopAll } from './harness/processes.ts'
import type { Part, Setting } from './part.ts'

export const summary: Part = {
  name: 'summary',
  shows:
    'Totals of 100 meters over 400 days, requested over HTTP one after another, compared with GROUP BY over the entries.',
  duration: (seconds) => 3 * (seconds + 10) + 120,
  run,
}

const [meters, days] = [100, 400]
const range = { from: '2025-01-01', to: '2026-02-04' }
const maxGrowth = 1.2

async function run(setting: Setting): Promise<void> {
  const { short, seconds, workplace, report } = setting
  const { databaseUrl, redisUrl, sql } = workplace
  const { accountId, token } = await makeAccount(sql)
  const webs = await startWebs(1, { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl })
  const times: number[] = []
  try {
    let filled = 0
    for (const entries of short ? [1000, 10_000] : [10_000, 1_000_000, 10_000_000]) {
      await fill(sql, accountId, filled, entries)
      filled = entries
      const figures = await ask(webs[0]!.url, token, short ? 0.3 : seconds)
      const grouped = await timeGroupBy(sql, accountId)
      times.push(figures.p50)
      await check(setting, webs[0]!.url, token, entries)
      tell(setting, entries, figures, grouped)
    }
  } finally {
    await stopAll(webs)
  }
  const measured = Math.max(...times) / Math.min(...times)
  const unit = '× from the least to the most'
  report.target({ name: 'summary stays flat', measured, unit, atMost: maxGrowth })
  report.note(
    'GROUP BY runs in one connection without HTTP, after VACUUM ANALYZE, and does not include the queue. The summary first makes sure that it includes every acknowledged entry.',
  )
}

function tell({ report }: Setting, entries: number, { p50, p99 }: Figures, grouped: number): void {
  const row = {
    entries,
    'summary p50 ms': p50,
    'summary p99 ms': p99,
    'GROUP BY ms': grouped,
    '×': grouped / p50,
  }
  report.row('Milliseconds for one summary', row)
  const chart = `Summary over ${entries.toLocaleString('en-US')} entries`
  report.bar(chart, 'milliseconds', { label: 'this service', value: p50, ours: true })
  report.bar(chart, 'milliseconds', { label: 'GROUP BY over the entries', value: grouped, ours: false })
}

const path = `/api/v2/usage/meters?from=${range.from}&to=${range.to}`

async function ask(url: string, token: string, seconds: number): Promise<Figures> {
  const load = { targets: [url], requests: [{ method: 'GET' as const, path, token }], connections: 1 }
  await runLoad({ ...load, seconds: seconds / 4 })
  return runLoad({ ...load, seconds })
}

async function check({ report }: Setting, url: string, token: string, entries: number): Promise<void> {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const { data } = (await answer.json()) as { data: { Totals: { Events: number }; Meters: unknown[] } }
  const whole = data.Totals.Events === entries && data.Meters.length === meters
  report.check(`the summary of ${entries} entries counts them all`, whole, `${data.Totals.Events} counted`)
}

/** The best of three, in milliseconds. */
async function timeGroupBy(sql: Sql, accountId: number): Promise<number> {
  const times: number[] = []
  for (let tried = 0; tried < 3; tried++) {
    const began = performance.now()
    await sql`
      select meter, sum(usage) as total, count(*) as events from meter_entries
      where account_id = ${accountId} and day between ${range.from} and ${range.to} and voided_at is null
      group by meter order by total desc`
    times.push(performance.now() - began)
  }
  return Math.min(...times)
}

/** Adds entries `from + 1` to `to`, spread over meters and days, and makes the totals from all of them. */
async function fill(sql: Sql, accountId: number, from: number, to: number): Promise<void> {
  await sql`
    insert into meter_entries (account_id, id, accepted_at, meter, usage, occurred_at, day)
    select ${accountId}, n, now(), 'meter ' || n % ${meters}::integer, 1.5, day, day
    from generate_series(${from + 1}::integer, ${to}::integer) as n
    cross join lateral (
      select ${range.from}::date + (n::bigint * 2654435761 / 100 % ${days}::integer)::integer as day
    ) as at`
  await sql`truncate meter_daily, meter_monthly`
  await sql`
    insert into meter_daily (account_id, meter, day, total, events)
    select account_id, meter, day, sum(usage), count(*) from meter_entries group by account_id, meter, day`
  await sql`
    insert into meter_monthly (account_id, meter, month, total, events)
    select account_id, meter, date_trunc('month', day), sum(total), sum(events) from meter_daily
    group by account_id, meter, 3`
  await sql`vacuum analyze meter_entries, meter_daily, meter_monthly`
}
