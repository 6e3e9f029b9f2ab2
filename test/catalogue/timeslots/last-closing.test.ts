/** last_closing(), the instant at which opening hours end, across clock changes. */
import fc from 'fast-check'
import t from 'tap'
import type { OpeningPeriod } from '../../../src/catalogue/opening-hours.ts'
import { createDatabase } from '../../helper.ts'

/** Time zones, each with a day on which its clocks change. The clocks of Kathmandu never change. */
const changes = [
  ['Europe/Lisbon', '2030-03-31'],
  ['Europe/Lisbon', '2030-10-27'],
  ['Europe/Berlin', '2030-03-31'],
  ['Europe/Berlin', '2030-10-27'],
  ['America/New_York', '2030-03-10'],
  ['America/New_York', '2030-11-03'],
  ['Australia/Lord_Howe', '2030-10-06'],
  ['Australia/Lord_Howe', '2030-04-07'],
  // Summer time began and ended at midnight.
  ['America/Sao_Paulo', '2018-11-04'],
  ['America/Sao_Paulo', '2019-02-17'],
  ['Asia/Kathmandu', '2030-03-31'],
] as const

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
const steps = fc.integer({ min: 0, max: 287 }).map((step) => clock(step * 5))
const day = fc.record({
  change: fc.constantFrom(...changes),
  shift: fc.integer({ min: -2, max: 1 }),
  opens: steps,
  closes: steps,
})

t.test('last_closing', async (t) => {
  const { sql } = await createDatabase(t)
  const days = fc.sample(day, 1000)
  // Checks the local time of every instant from a day before the date to three days after it, every five
  // minutes.
  const rows = await sql<{ zone: string; answer: Date; expected: Date; opened: Date | null }[]>`
    select zone, last_closing(date, hours, zone) as answer, local_instant(date + opens, zone) as opened,
      coalesce(shown.last, shown.before + (wall - (shown.before at time zone zone))) as expected
    from unnest(
      ${days.map(({ change }) => change[0])}::text[], ${days.map(({ change }) => change[1])}::date[],
      ${days.map(({ shift }) => shift)}::integer[], ${days.map(({ opens }) => opens)}::time[],
      ${days.map(({ closes }) => closes)}::time[]
    ) as given (zone, changed, shift, opens, closes)
    cross join lateral (
      select changed + shift as date,
        changed + shift + closes + case when closes <= opens then interval '1 day' else '0' end as wall,
        jsonb_build_array(jsonb_build_object('opens', opens::text, 'closes', closes::text)) as hours
    ) as stated
    cross join lateral (
      select max(instant) filter (where instant at time zone zone = wall) as last,
        max(instant) filter (where instant at time zone zone < wall) as before
      from generate_series((date::timestamp at time zone 'UTC') - interval '1 day',
        (date::timestamp at time zone 'UTC') + interval '3 days', interval '5 minutes') as instant
    ) as shown`

  t.test('is the last instant with the local closing time, or later by the skipped time', async (t) => {
    t.same(
      rows.filter(({ answer, expected }) => answer.getTime() !== expected.getTime()),
      [],
    )
    t.equal(rows.length, days.length)
  })

  t.test('is after the opening, and at most 25 hours after it', async (t) => {
    const hours = ({ answer, opened }: (typeof rows)[number]) =>
      (answer.getTime() - opened!.getTime()) / 3_600_000
    const open = rows.filter(({ opened }) => opened !== null)
    t.same(
      open.filter((row) => hours(row) <= 0 || hours(row) > 25),
      [],
    )
    t.ok(open.length > 900)
  })

  t.test('is the closing of the last period, and null without periods', async (t) => {
    const closing = async (hours: OpeningPeriod[] | null) => {
      const json = hours && JSON.stringify(hours)
      const [row] = await sql<{ at: Date | null }[]>`
        select last_closing('2030-06-15', ${json}::text::jsonb, 'Europe/Lisbon') as at`
      return row!.at
    }
    const [day, night] = [
      { opens: '09:00', closes: '17:00' },
      { opens: '20:00', closes: '02:00' },
    ]
    t.same(await closing([day, night]), new Date('2030-06-16T01:00Z'))
    t.equal(await closing(null), null)
  })
})
