/** local_instant(), which turns a local time into an instant, across clock changes. */
import fc from 'fast-check'
import t from 'tap'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { createDatabase } from '../../helper.ts'

/** Local times with their UTC instants; null for a local time that never existed. */
const cases: [zone: string, wall: string, instant: string | null][] = [
  ['Europe/Lisbon', '2027-03-28 00:59', '2027-03-28T00:59Z'],
  ['Europe/Lisbon', '2027-03-28 01:00', null],
  ['Europe/Lisbon', '2027-03-28 01:59', null],
  ['Europe/Lisbon', '2027-03-28 02:00', '2027-03-28T01:00Z'],
  ['Europe/Lisbon', '2027-10-31 00:59', '2027-10-30T23:59Z'],
  ['Europe/Lisbon', '2027-10-31 01:00', '2027-10-31T00:00Z'],
  ['Europe/Lisbon', '2027-10-31 01:59', '2027-10-31T00:59Z'],
  ['Europe/Lisbon', '2027-10-31 02:00', '2027-10-31T02:00Z'],
  // The clocks change by half an hour only.
  ['Australia/Lord_Howe', '2027-10-03 01:59', '2027-10-02T15:29Z'],
  ['Australia/Lord_Howe', '2027-10-03 02:00', null],
  ['Australia/Lord_Howe', '2027-10-03 02:29', null],
  ['Australia/Lord_Howe', '2027-10-03 02:30', '2027-10-02T15:30Z'],
  ['Australia/Lord_Howe', '2027-04-04 01:29', '2027-04-03T14:29Z'],
  ['Australia/Lord_Howe', '2027-04-04 01:30', '2027-04-03T14:30Z'],
  ['Australia/Lord_Howe', '2027-04-04 01:59', '2027-04-03T14:59Z'],
  ['Australia/Lord_Howe', '2027-04-04 02:00', '2027-04-03T15:30Z'],
  // Summer time began at midnight: that day began at 01:00. It ended at midnight: 23:00 occurred twice.
  ['America/Sao_Paulo', '2018-11-03 23:59', '2018-11-04T02:59Z'],
  ['America/Sao_Paulo', '2018-11-04 00:00', null],
  ['America/Sao_Paulo', '2018-11-04 00:59', null],
  ['America/Sao_Paulo', '2018-11-04 01:00', '2018-11-04T03:00Z'],
  ['America/Sao_Paulo', '2019-02-16 23:30', '2019-02-17T01:30Z'],
  ['America/Sao_Paulo', '2019-02-17 00:00', '2019-02-17T03:00Z'],
  // The date line moved: there was no 30 December.
  ['Pacific/Apia', '2011-12-29 23:59', '2011-12-30T09:59Z'],
  ['Pacific/Apia', '2011-12-30 00:00', null],
  ['Pacific/Apia', '2011-12-30 12:00', null],
  ['Pacific/Apia', '2011-12-30 23:59', null],
  ['Pacific/Apia', '2011-12-31 00:00', '2011-12-30T10:00Z'],
  // The clocks never change.
  ['Asia/Kathmandu', '2027-03-28 01:30', '2027-03-27T19:45Z'],
  ['UTC', '2027-03-28 01:30', '2027-03-28T01:30Z'],
]

async function instantOf(sql: Sql, wall: string, zone: string): Promise<Date | null> {
  const [row] = await sql<{ instant: Date | null }[]>`
    select local_instant(${wall}::text::timestamp, ${zone}) as instant`
  return row!.instant
}

t.test('local_instant', async (t) => {
  const { sql } = await createDatabase(t)

  t.test(
    'is null for local times that clock changes skip, and the first instant of local times that occur twice',
    async (t) => {
      for (const [zone, wall, instant] of cases) {
        t.same(await instantOf(sql, wall, zone), instant && new Date(instant), `${wall} in ${zone}`)
      }
    },
  )

  t.test('is the first instant that has the local time, and null only if no instant has it', async (t) => {
    const minutes = fc.integer({ min: -36 * 12, max: 36 * 12 }).map((steps) => steps * 5)
    const near = fc.constantFrom(...cases.map(([zone, wall]) => ({ zone, wall })))
    const times = fc.sample(fc.tuple(near, minutes), 600)
    // Checks the local time of every instant up to two days before and after, in steps of five minutes.
    const wrong = await sql`
      with asked as (
        select zone, wall::timestamp + shift * interval '1 minute' as wall
        from unnest(
          ${times.map(([{ zone }]) => zone)}::text[], ${times.map(([{ wall }]) => wall)}::text[],
          ${times.map(([, shift]) => shift)}::integer[]
        ) as given (zone, wall, shift)
      )
      select zone, wall, local_instant(wall, zone) as answer, shown.first
      from asked cross join lateral (
        select min(instant) as first
        from generate_series((wall - interval '2 days') at time zone 'UTC',
          (wall + interval '2 days') at time zone 'UTC', interval '5 minutes') as instant
        where instant at time zone zone = wall
      ) as shown
      where local_instant(wall, zone) is distinct from shown.first`
    t.same([...wrong], [])
  })
})
