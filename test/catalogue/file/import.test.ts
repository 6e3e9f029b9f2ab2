/** What an import adds, changes and keeps in a catalogue. */
import t from 'tap'
import { exportCatalogue } from '../../../src/catalogue/file/exporting.ts'
import type { CatalogueFile, FileQuestion, FileSchedule } from '../../../src/catalogue/file/schemas.ts'
import { importCatalogue, importCatalogueWithin } from '../../../src/catalogue/file/service.ts'
import { theService } from '../../../src/events/actor.ts'
import type { Sql } from '../../../src/platform/postgres/database.ts'
import { clockAt } from '../../clock.ts'
import { fingerprint } from '../../fingerprint.ts'
import { createDatabase, makeCaller } from '../../helper.ts'
import { pumpEvents } from '../../pump.ts'
import { catalogue, everyDay } from './fixtures.ts'

const today = clockAt('2030-06-01T08:00Z')

async function prepare(t: Parameters<typeof createDatabase>[0]) {
  const { sql } = await createDatabase(t, today)
  const { accountId } = await makeCaller(sql)
  const load = (file: CatalogueFile, horizonDays = 6) =>
    importCatalogue(sql, { accountId, actor: theService }, JSON.stringify(file), { horizonDays })
  return { sql, accountId, load }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

type Slot = { id: number; when: string; capacity: number; booked: number; scheduled: boolean }

function slotsOf(sql: Sql): Promise<Slot[]> {
  return sql<Slot[]>`
    select id, date || ' ' || left(time::text, 5) as when, capacity, booked,
      schedule_id is not null as scheduled
    from timeslots order by product_id, date, time`
}

async function capacities(sql: Sql): Promise<Record<string, number>> {
  return Object.fromEntries((await slotsOf(sql)).map(({ when, capacity }) => [when, capacity]))
}

const nothing = { Questions: [], Timeslots: [], Schedules: [] }

function daily(Capacity: number, changes: Partial<FileSchedule> = {}) {
  return { From: '2030-06-01', To: '2030-06-03', Weekdays: everyDay, Times: ['10:00'], Capacity, ...changes }
}

t.test('a product is made with its questions, timeslots and schedules', async (t) => {
  const { sql, load } = await prepare(t)
  const ActivityID = 's_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10'
  const report = await load(catalogue({ ActivityID }, { Name: 'Surf', InShopfront: false, ...nothing }))
  t.same(report, {
    created: 2,
    updated: 0,
    unchanged: 0,
    timeslotsMade: 1 + 4,
    capacitiesChanged: 0,
    kept: [],
    timeslotsWithdrawn: 0,
    left: [],
    partnersWithLoss: [],
  })
  const [kayak, surf] = await sql`select * from products order by id`
  t.match(kayak, {
    name: 'Kayak tour',
    description: 'Along the cliffs.',
    duration_minutes: 120,
    price_minor: 4500,
    currency: 'EUR',
    time_zone: 'Europe/Lisbon',
    in_shopfront: true,
    activity_id: ActivityID.slice(2),
  })
  t.match(surf, { name: 'Surf', in_shopfront: false, activity_id: /^[0-9a-f-]{36}$/ })
  t.match(await sql`select label, type, required, options, applies_to from questions order by position`, [
    {
      label: 'Can you swim?',
      type: 'select',
      required: true,
      options: ['Yes', 'No'],
      applies_to: 'participant',
    },
    { label: 'Remarks', type: 'textarea', required: false, options: [], applies_to: 'booking' },
  ])
  t.same(await capacities(sql), {
    '2030-06-01 09:00': 8,
    '2030-06-01 15:00': 8,
    '2030-06-03 09:00': 8,
    '2030-06-03 15:00': 8,
    '2030-06-15 10:00': 12,
  })
  const [single] = await sql`select starts_at from timeslots where date = '2030-06-15'`
  t.same(single, { starts_at: new Date('2030-06-15T09:00Z') })
})

t.test('the same file again changes nothing', async (t) => {
  const { sql, load } = await prepare(t)
  const file = catalogue({ TimeZone: 'europe/lisbon' }, { Name: 'Surf', ...nothing })
  await load(file)
  const rows = () => sql`
    select (select json_agg(p.* order by id) from products p) as products,
      (select json_agg(q.* order by id) from questions q) as questions,
      (select json_agg(s.* order by id) from schedules s) as schedules,
      (select json_agg(s.* order by id) from timeslots s) as timeslots`
  const before = await rows()
  t.match(await load(file), { created: 0, updated: 0, unchanged: 2, timeslotsMade: 0, capacitiesChanged: 0 })
  t.strictSame(await rows(), before)
})

t.test('a product is matched by its name, in upper or lower case, and keeps its ids', async (t) => {
  const { sql, load } = await prepare(t)
  await load(catalogue(nothing))
  await sql`update products set updated_at = updated_at - interval '1 minute'`
  const [before] = await sql`select id, activity_id, updated_at from products`
  t.match(await load(catalogue({ ...nothing, Name: 'KAYAK tour', DurationMinutes: 90 })), { updated: 1 })
  const [after, ...others] = await sql`
    select id, activity_id, updated_at, name, duration_minutes from products`
  t.same(others, [])
  t.match(after, {
    id: before!.id,
    activity_id: before!.activity_id,
    name: 'KAYAK tour',
    duration_minutes: 90,
  })
  t.ok(after!.updated_at > before!.updated_at)
})

t.test('products and timeslots that the file leaves out stay', async (t) => {
  const { sql, load } = await prepare(t)
  await load(catalogue({ Schedules: [] }, { Name: 'Surf', ...nothing }))
  await load(catalogue({ ...nothing }))
  t.equal((await sql`select from products`).length, 2)
  t.same(await capacities(sql), { '2030-06-15 10:00': 12 })
})

t.test('a question keeps its id while its label and type stay, and the file sets the order', async (t) => {
  const { sql, load } = await prepare(t)
  const ask = (Label: string, changes: Partial<FileQuestion> = {}) => {
    return { Label, Type: 'text' as const, Required: true, AppliesTo: 'booking' as const, ...changes }
  }
  const questions = () => sql<{ id: number; label: string; type: string; required: boolean }[]>`
    select id, label, type, required from questions order by position`
  await load(catalogue({ ...nothing, Questions: [ask('a'), ask('b'), ask('c'), ask('a')] }))
  const [a, b, , a2] = await questions()
  const report = await load(
    catalogue({
      ...nothing,
      Questions: [ask('b', { Required: false }), ask('a'), ask('c', { Type: 'date' }), ask('a')],
    }),
  )
  t.match(report, { updated: 1, unchanged: 0 })
  const [b2, a3, c2, a4, ...more] = await questions()
  t.same([b2?.id, a3?.id, a4?.id], [b?.id, a?.id, a2?.id])
  t.match(b2, { label: 'b', required: false })
  t.match(c2, { label: 'c', type: 'date' })
  t.same(more, [])
})

t.test('a capacity is set, but never below what is sold and held', async (t) => {
  const { sql, load } = await prepare(t)
  const file = (Capacity: number) =>
    catalogue({ ...nothing, Timeslots: [{ Date: '2030-06-15', Time: '10:00', Capacity }] })
  await load(file(12))
  await sql`update timeslots set booked = 5, held = 2`
  const report = await load(file(3))
  t.match(report, { timeslotsMade: 0, capacitiesChanged: 1 })
  t.same(report.kept, [{ name: 'Kayak tour', date: '2030-06-15', time: '10:00', capacity: 7, wanted: 3 }])
  t.same(await capacities(sql), { '2030-06-15 10:00': 7 })
  t.match(await load(file(3)), { capacitiesChanged: 0, kept: report.kept })

  await sql`update timeslots set held = 0`
  t.match(await load(file(3)), { capacitiesChanged: 1, kept: [{ capacity: 5 }] })
  t.match(await load(file(20)), { capacitiesChanged: 1, kept: [] })
  t.same(await capacities(sql), { '2030-06-15 10:00': 20 })
})

t.test(
  'timeslots follow the capacity of the schedule that made them, never below what is sold',
  async (t) => {
    const { sql, load } = await prepare(t)
    const file = (Capacity: number) => catalogue({ ...nothing, Schedules: [daily(Capacity)] })
    await load(file(8))
    const [schedule] = await sql`select id from schedules`
    await sql`update timeslots set booked = 6 where date = '2030-06-02'`
    const report = await load(file(4))
    t.same(await capacities(sql), { '2030-06-01 10:00': 4, '2030-06-02 10:00': 6, '2030-06-03 10:00': 4 })
    t.match(report, {
      updated: 1,
      capacitiesChanged: 3,
      kept: [{ date: '2030-06-02', capacity: 6, wanted: 4 }],
    })
    t.same(await sql`select id, capacity from schedules`, [{ id: schedule!.id, capacity: 4 }])
  },
)

t.test('a single timeslot takes precedence over a schedule, now and at every later import', async (t) => {
  const { sql, load } = await prepare(t)
  const single = { Date: '2030-06-02', Time: '10:00', Capacity: 2 }
  await load(catalogue({ ...nothing, Schedules: [daily(8)] }))
  await load(catalogue({ ...nothing, Schedules: [daily(9)], Timeslots: [single] }))
  const expected = { '2030-06-01 10:00': 9, '2030-06-02 10:00': 2, '2030-06-03 10:00': 9 }
  t.same(await capacities(sql), expected)
  t.match(await load(catalogue({ ...nothing, Schedules: [daily(9)], Timeslots: [single] })), { unchanged: 1 })
  t.same(await capacities(sql), expected)
})

t.test('an empty list of schedules ends them, and their timeslots stay without a schedule', async (t) => {
  const { sql, load } = await prepare(t)
  await load(catalogue({ ...nothing, Schedules: [daily(8)] }))
  await sql`update timeslots set booked = 1`
  t.match(await load(catalogue(nothing)), { updated: 1, capacitiesChanged: 0 })
  t.same(await sql`select from schedules`, [])
  const slots = await slotsOf(sql)
  t.same(
    slots.map(({ capacity, booked, scheduled }) => [capacity, booked, scheduled]),
    [
      [8, 1, false],
      [8, 1, false],
      [8, 1, false],
    ],
  )
})

t.test('a schedule that takes the place of another takes over the timeslots they share', async (t) => {
  const { sql, load } = await prepare(t)
  await load(catalogue({ ...nothing, Schedules: [daily(8, { Times: ['10:00', '12:00'] })] }))
  const before = await slotsOf(sql)
  await load(catalogue({ ...nothing, Schedules: [daily(5, { To: '2030-06-05' })] }))
  const after = await slotsOf(sql)
  t.same(
    after.map(({ when, capacity, scheduled }) => [when, capacity, scheduled]),
    [
      ['2030-06-01 10:00', 5, true],
      ['2030-06-01 12:00', 8, false],
      ['2030-06-02 10:00', 5, true],
      ['2030-06-02 12:00', 8, false],
      ['2030-06-03 10:00', 5, true],
      ['2030-06-03 12:00', 8, false],
      ['2030-06-04 10:00', 5, true],
      ['2030-06-05 10:00', 5, true],
    ],
  )
  t.same(
    before.map(({ id }) => id).filter((id) => !after.some((slot) => slot.id === id)),
    [],
    'no timeslot is lost',
  )
})

t.test('a product that moves to another time zone keeps its local times', async (t) => {
  const { sql, load } = await prepare(t)
  const file = (TimeZone: string) => catalogue({ ...nothing, TimeZone, Schedules: [daily(8)] })
  await load(file('Europe/Lisbon'))
  await load(file('Europe/Paris'))
  t.same(await sql`select date, starts_at from timeslots order by date`, [
    { date: '2030-06-01', starts_at: new Date('2030-06-01T08:00Z') },
    { date: '2030-06-02', starts_at: new Date('2030-06-02T08:00Z') },
    { date: '2030-06-03', starts_at: new Date('2030-06-03T08:00Z') },
  ])
})

t.test('an account’s import touches no other account', async (t) => {
  const { sql, load } = await prepare(t)
  const { accountId: other } = await makeCaller(sql, { slug: 'other' })
  const file = catalogue({ ActivityID: 's_6f1c2a54-0b7e-4c39-9d5b-2f8f3f1e7a10' })
  await load(file)
  const ours = () =>
    sql`select * from products join timeslots using (account_id) where account_id <> ${other}`
  const before = await ours()
  const changed = catalogue({ ...file.Products[0]!, Description: 'Theirs.', Timeslots: [], Schedules: [] })
  const report = await importCatalogue(
    sql,
    { accountId: other, actor: theService },
    JSON.stringify(changed),
    { horizonDays: 6 },
  )
  t.match(report, { created: 1 })
  t.strictSame(await ours(), before)
})

t.test('imports of one account wait for each other', async (t) => {
  const { load } = await prepare(t)
  const reports = await Promise.all([1, 2, 3].map(() => load(catalogue({}, { Name: 'Surf' }))))
  t.same(reports.map(({ created }) => created).sort(), [0, 0, 2])
  t.same(reports.map(({ timeslotsMade }) => timeslotsMade).sort(), [0, 0, 10])
})

t.test('imports that change capacities and sales that take places do not deadlock', async (t) => {
  const { sql, load } = await prepare(t)
  const Times = Array.from({ length: 20 }, (_, hour) => `${String(hour).padStart(2, '0')}:15`)
  const file = (Capacity: number) => {
    return catalogue({
      ...nothing,
      Schedules: [daily(Capacity, { Times })],
      Timeslots: Times.map((Time) => ({ Date: '2030-06-20', Time, Capacity })),
    })
  }
  await load(file(40))
  const ids = (await slotsOf(sql)).map(({ id }) => id)
  const sell = async (round: number) => {
    const wanted = ids.filter((id) => (id * 7 + round * 13) % 5 === 0)
    await sql.begin(async (tx) => {
      await tx`select from timeslots where id = any(${wanted}::bigint[]) order by id for update`
      await tx`update timeslots set booked = booked + 1 where id = any(${wanted}::bigint[]) and booked < capacity`
    })
  }
  const importing = async () => {
    for (const capacity of [3, 30, 2, 25, 1]) await load(file(capacity))
  }
  const selling = async (worker: number) => {
    for (let round = worker; round < 90; round += 3) await sell(round)
  }
  await t.resolves(Promise.all([importing(), selling(0), selling(1), selling(2)]))
  const slots = await slotsOf(sql)
  t.ok(slots.every(({ capacity, booked }) => capacity === Math.max(1, booked)))
})

t.test('an import that fails half way changes nothing', async (t) => {
  const { sql, load } = await prepare(t)
  await sql`alter table timeslots add constraint no_noon check (time <> '12:00')`
  await t.rejects(
    load(catalogue({ ...nothing, Schedules: [daily(8, { Times: ['10:00', '12:00'] })] })),
    /no_noon/,
  )
  t.same(await sql`select from products`, [])
  t.same(await sql`select from timeslots`, [])
})

/** Imports a file. Returns how many statements that takes, and how many rows of tables it reads and writes. */
async function costOf({ sql, accountId }: Prepared, file: CatalogueFile, horizonDays = 6) {
  let statements = 0
  sql.options.debug = (_connection, text) => {
    // Leaves out the queries of data types that the driver sends when it connects.
    if (!text.includes('pg_catalog')) statements++
  }
  const by = { accountId, actor: theService }
  const rows = await sql.begin(async (tx) => {
    await importCatalogueWithin(tx, by, JSON.stringify(file), { horizonDays })
    const [sum] = await tx<{ rows: number }[]>`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0) + n_tup_ins + n_tup_upd)::bigint as rows
      from pg_stat_xact_user_tables where schemaname = 'public'`
    return sum!.rows
  })
  return { statements, rows }
}

// An import reads and writes about 30 rows for each timeslot. If the cost grew with the square of their
// number, it would be a thousand or more.
const maxRows = 100

t.test('1,000 timeslots of large capacity take as many statements as ten, and few rows each', async (t) => {
  const prepared = await prepare(t)
  const slot = (n: number) => {
    const day = new Date(Date.parse('2031-01-01') + Math.floor(n / 20) * 86_400_000)
      .toISOString()
      .slice(0, 10)
    return { Date: day, Time: `${String(n % 20).padStart(2, '0')}:30`, Capacity: 1_000_000 - n }
  }
  const file = (Name: string, count: number) =>
    catalogue({ ...nothing, Name, Timeslots: Array.from({ length: count }, (_, n) => slot(n)) })
  for (const when of ['the first time', 'and again']) {
    const few = await costOf(prepared, file('Few', 10))
    const many = await costOf(prepared, file('Many', 1000))
    t.equal(many.statements, few.statements, when)
    t.ok(many.rows < maxRows * 1000, `${when}: ${many.rows} rows`)
  }
  t.equal((await slotsOf(prepared.sql)).length, 1010)
})

t.test(
  'a year of 20 timeslots a day takes at most two statements more than a month, and few rows a timeslot',
  async (t) => {
    const prepared = await prepare(t)
    const Times = Array.from({ length: 20 }, (_, hour) => `${String(hour + 3).padStart(2, '0')}:00`)
    const Schedules = [daily(20, { To: '2031-12-31', Times })]
    const file = (Name: string) => catalogue({ ...nothing, Name, Schedules })
    for (const when of ['the first time', 'and again']) {
      const month = await costOf(prepared, file('Month'), 36)
      const year = await costOf(prepared, file('Year'), 365)
      // A year has more events, which are appended a few thousand at a time.
      t.ok(year.statements <= month.statements + 2, when)
      t.ok(year.rows < maxRows * 366 * 20, `${when}: ${year.rows} rows`)
    }
    t.equal((await slotsOf(prepared.sql)).length, (37 + 366) * 20)
  },
)

t.test('importing an empty catalogue changes nothing', async (t) => {
  const { sql, load } = await prepare(t)
  await load(catalogue({ Schedules: [daily(8)] }))
  const before = await fingerprint(sql)
  t.match(await load({ Products: [] }), {
    ...{ created: 0, updated: 0, unchanged: 0, timeslotsMade: 0, timeslotsWithdrawn: 0 },
  })
  t.same(await fingerprint(sql), before)
})

t.test(
  'a date that the file closes removes the schedule’s timeslots on it, except booked ones',
  async (t) => {
    const { sql, load } = await prepare(t)
    await load(catalogue({ ...nothing, Schedules: [daily(8)] }))
    await sql`update timeslots set booked = 2 where date = '2030-06-02'`
    const ClosedDates = ['2030-06-03', '2030-06-02']
    const report = await load(catalogue({ ...nothing, Schedules: [daily(8, { ClosedDates })] }))
    t.match(report, {
      updated: 1,
      timeslotsMade: 0,
      timeslotsWithdrawn: 1,
      left: [{ name: 'Kayak tour', date: '2030-06-02', time: '10:00', reason: 'booked' }],
    })
    t.same(await capacities(sql), { '2030-06-01 10:00': 8, '2030-06-02 10:00': 8 })
    const unsaid = await load(catalogue({ ...nothing, Schedules: [daily(8)] }))
    t.match(
      unsaid,
      { unchanged: 1, timeslotsMade: 0 },
      'a file without ClosedDates leaves the closed dates as they are',
    )
    const reopened = await load(catalogue({ ...nothing, Schedules: [daily(8, { ClosedDates: [] })] }))
    t.match(reopened, { updated: 1, timeslotsMade: 1 })
  },
)

t.test('an edited timeslot keeps its capacity, unless the file has it as a single timeslot', async (t) => {
  const { sql, load } = await prepare(t)
  await load(catalogue({ ...nothing, Schedules: [daily(8)] }))
  await sql`update timeslots set capacity = 5, edited = true where date = '2030-06-02'`
  await load(catalogue({ ...nothing, Schedules: [daily(10)] }))
  t.match(await capacities(sql), { '2030-06-01 10:00': 10, '2030-06-02 10:00': 5 })
  const Timeslots = [{ Date: '2030-06-02', Time: '10:00', Capacity: 7 }]
  await load(catalogue({ ...nothing, Timeslots, Schedules: [daily(10)] }))
  t.match(await capacities(sql), { '2030-06-02 10:00': 7 })
})

t.test('the cancellation cut-off stays as it is unless the file has it', async (t) => {
  const { sql, load } = await prepare(t)
  const cutoff = async () => (await sql`select cancel_cutoff_minutes as minutes from products`)[0]!.minutes
  await load(catalogue({ ...nothing, CancelCutoffMinutes: 60 }))
  t.equal(await cutoff(), 60)
  t.match(await load(catalogue(nothing)), { unchanged: 1 })
  t.equal(await cutoff(), 60)
  t.match(await load(catalogue({ ...nothing, CancelCutoffMinutes: 0 })), { updated: 1 })
  t.equal(await cutoff(), 0)
})

t.test('capacity that the file adds is offered to the waitlist before it is sold', async (t) => {
  const { sql, accountId, load } = await prepare(t)
  const file = (Capacity: number) => catalogue({ ...nothing, Schedules: [daily(Capacity)] })
  await load(file(2))
  await sql`update timeslots set booked = 2 where date = '2030-06-02'`
  const [slot] = await sql<{ id: number }[]>`select id from timeslots where date = '2030-06-02'`
  await sql`insert into baskets (account_id, id, status, channel) values (${accountId}, 1, 'waiting', 'online')`
  await sql`
    insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants, answers,
      unit_price_minor, currency)
    values (${accountId}, 1, 1, ${slot!.id}, 'W', 'online', 'waitlisted', 2, '[]', 4500, 'EUR')`
  await sql`
    insert into waitlist_entries (account_id, booking_id, timeslot_id) values (${accountId}, 1, ${slot!.id})`
  await load(file(5))
  t.same(await sql`select booked, held, capacity from timeslots where id = ${slot!.id}`, [
    { booked: 2, held: 2, capacity: 5 },
  ])
  t.same(await sql`select status from waitlist_entries`, [{ status: 'offered' }])
  await pumpEvents(sql)
  t.same(await sql`select kind from emails`, [{ kind: 'waitlist-offer' }])
})

t.test('refund terms are imported and exported, and stay where a file leaves them out', async (t) => {
  const { sql, accountId, load } = await prepare(t)
  const terms = [
    { Percent: '100', HoursBefore: 48 },
    { Percent: '50', HoursBefore: 24 },
  ]
  const exported = async () => (await exportCatalogue(sql, accountId)).Products[0]!
  await load(catalogue({}))
  t.same((await exported()).RefundTerms, [])
  t.match(await load(catalogue({ RefundTerms: [...terms].reverse() })), { updated: 1 })
  t.same((await exported()).RefundTerms, terms)
  t.match(await load(catalogue({})), { unchanged: 1 })
  t.match(await load(catalogue({ RefundTerms: terms })), { unchanged: 1 })
  t.same((await exported()).RefundTerms, terms)
  t.same(
    (await sql`select details from events where type = 'product.changed'`).map(({ details }) => details),
    [{ Fields: ['RefundTerms'] }],
  )
  t.match(await load(catalogue({ RefundTerms: [] })), { updated: 1 })
  t.same((await exported()).RefundTerms, [], 'an empty list deletes the refund terms')
})

t.test('a file with contradictory refund terms is refused, with the place of each error', async (t) => {
  const { load } = await prepare(t)
  const RefundTerms = [
    { Percent: '50', HoursBefore: 48 },
    { Percent: '60', HoursBefore: 24 },
    { Percent: '10', HoursBefore: 48 },
  ]
  const error = await load(catalogue({ RefundTerms })).catch((error) => error)
  t.match(error.faults, [
    { pointer: '/Products/0/RefundTerms/1/Percent' },
    { pointer: '/Products/0/RefundTerms/2/HoursBefore' },
  ])
})

t.test('translations are imported and exported, and stay where a file leaves them out', async (t) => {
  const { sql, accountId, load } = await prepare(t)
  const Questions: FileQuestion[] = [
    { Label: 'Size', Type: 'select', Options: ['Small'], Required: true, AppliesTo: 'booking' },
  ]
  const Translations = [
    { Language: 'de', Name: 'Kajak', Texts: [] },
    { Language: 'pt', Texts: [{ Text: 'Size', Translation: 'Tamanho' }] },
  ]
  const exported = async () => (await exportCatalogue(sql, accountId)).Products[0]!.Translations
  await load(catalogue({ Questions }))
  t.match(await load(catalogue({ Questions, Translations: [...Translations].reverse() })), { updated: 1 })
  t.same(await exported(), Translations)
  t.match(await load(catalogue({ Questions, Translations })), { unchanged: 1 })
  t.match(await load(catalogue({ Questions })), { unchanged: 1 })
  t.same(
    (await sql`select details from events where type = 'product.changed'`).map(({ details }) => details),
    [{ Fields: ['Translations'] }],
  )
  t.match(await load(catalogue({ Questions: [] })), { updated: 1 })
  t.same(
    await exported(),
    [Translations[0], { Language: 'pt', Texts: [] }],
    'the translations of deleted texts are gone',
  )
  t.match(await load(catalogue({ Questions: [], Translations: [] })), { updated: 1 })
  t.same(await exported(), [], 'an empty list deletes the translations')
})

t.test(
  'a file with a wrong language or text of a translation is refused, with the place of each error',
  async (t) => {
    const { load } = await prepare(t)
    const Translations = [
      { Language: 'en', Name: 'x' },
      { Language: 'pt', Name: 'x', Texts: [{ Text: 'Nobody', Translation: 'x' }] },
      { Language: 'pt' },
    ]
    const error = await load(catalogue({ Translations, Questions: [] })).catch((error) => error)
    t.match(error.faults.map(({ pointer }: { pointer: string }) => pointer).sort(), [
      ...['/Products/0/Translations/0/Language', '/Products/0/Translations/1/Texts/0/Text'],
      '/Products/0/Translations/2/Language',
    ])
  },
)
