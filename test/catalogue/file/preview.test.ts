/** A preview shows exactly what an import would change, changes nothing, and delays no other request. */
import t, { type Test } from 'tap'
import { exportCatalogue } from '../../../src/catalogue/file/exporting.ts'
import { previewImport } from '../../../src/catalogue/file/preview.ts'
import type { FileSchedule } from '../../../src/catalogue/file/schemas.ts'
import { CatalogueFileError, importCatalogue } from '../../../src/catalogue/file/service.ts'
import { theService } from '../../../src/events/actor.ts'
import { clockAt } from '../../clock.ts'
import { createDatabase, makeCaller } from '../../helper.ts'
import { euros } from '../units/fixtures.ts'
import { everyDay, fileProduct } from './fixtures.ts'

const options = { horizonDays: 6 }
const nothing = { Questions: [], Timeslots: [], Schedules: [] }

function daily(Capacity: number, changes: Partial<FileSchedule> = {}): FileSchedule {
  return { From: '2030-06-01', To: '2030-06-03', Weekdays: everyDay, Times: ['10:00'], Capacity, ...changes }
}

async function prepare(t: Test) {
  const { sql } = await createDatabase(t, clockAt('2030-06-01T08:00Z'))
  const { accountId } = await makeCaller(sql)
  const text = (...Products: object[]) => JSON.stringify({ Products })
  return {
    ...{ sql, accountId },
    load: (...products: object[]) =>
      importCatalogue(sql, { accountId, actor: theService }, text(...products), options),
    preview: (...products: object[]) => previewImport(sql, accountId, text(...products), options),
    /** Every row of every table. */
    rows: async () => {
      const tables = await sql<{ name: string }[]>`
        select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`
      const contents = tables.map(async ({ name }) => [
        name,
        await sql`select to_jsonb(row) as row from ${sql(name)} as row order by row::text`,
      ])
      return JSON.stringify(await Promise.all(contents))
    },
  }
}

t.test(
  'an import does what its preview showed, and the preview has changed no row of any table',
  async (t) => {
    const { sql, accountId, load, preview, rows } = await prepare(t)
    await load(
      fileProduct({ Schedules: [daily(8, { Times: ['10:00', '12:00'] })] }),
      fileProduct({ ...nothing, Name: 'Surf' }),
      fileProduct({ ...nothing, Name: 'Sail' }),
    )
    await sql`update timeslots set booked = 6 where date = '2030-06-02' and time = '10:00'`
    await sql`update timeslots set held = 1 where date = '2030-06-03' and time = '12:00'`
    const file = [
      fileProduct({
        Price: euros('50.00'),
        Schedules: [daily(4, { Times: ['10:00', '12:00'], ClosedDates: ['2030-06-03'] })],
        Timeslots: [{ Date: '2030-06-20', Time: '10:00', Capacity: 3 }],
      }),
      fileProduct({ ...nothing, Name: 'Surf' }),
      fileProduct({ ...nothing, Name: 'Dive' }),
    ]
    const before = await rows()
    const shown = await preview(...file)
    t.equal(await rows(), before)
    t.same(shown.products, [
      {
        name: 'Kayak tour',
        isNew: false,
        differences: [
          { path: 'Price.Amount', from: '"45.00"', to: '"50.00"' },
          ...[
            { path: 'Capacity', from: '8', to: '4' },
            { path: 'ClosedDates', from: '[]', to: '["2030-06-03"]' },
          ].map(({ path, ...change }) => ({
            path: `Schedules[2030-06-01 to 2030-06-03 ${everyDay.join(' ')} 10:00 12:00].${path}`,
            ...change,
          })),
        ],
      },
      { name: 'Dive', isNew: true, differences: [] },
    ])
    t.same(
      shown.timeslots.map(({ kind, date, time, was, capacity, count }) => [
        kind,
        `${date} ${time}`,
        was,
        capacity,
        count,
      ]),
      [
        ['changed', '2030-06-01 10:00', 8, 4, 5],
        ['changed', '2030-06-01 12:00', 8, 4, 5],
        ['changed', '2030-06-02 10:00', 8, 6, 5],
        ['changed', '2030-06-02 12:00', 8, 4, 5],
        ['changed', '2030-06-03 12:00', 8, 4, 5],
        ['made', '2030-06-20 10:00', null, 3, 1],
        ['withdrawn', '2030-06-03 10:00', 8, null, 1],
      ],
    )
    t.same(await load(...file), shown.report)
    const after = await preview(...file)
    t.same([after.products, after.timeslots], [[], []], 'and then there is no difference')
    t.equal((await exportCatalogue(sql, accountId)).Products.length, 4)
  },
)

t.test(
  'changes of units, questions, refund terms, the booking cut-off and opening hours are shown',
  async (t) => {
    const { load, preview } = await prepare(t)
    const museum = { From: '2030-06-01', To: '2030-06-03', Weekdays: everyDay, AllDay: true, Capacity: 8 }
    const hours = (Closes: string) => [{ Opens: '10:00', Closes }]
    const product = (Closes: string, changes: object) => ({
      ...fileProduct({ ...nothing, Schedules: [{ ...museum, OpeningHours: hours(Closes) }] }),
      Timeslots: [{ Date: '2030-06-20', Time: '10:00', Capacity: 3, OpeningHours: hours(Closes) }],
      ...changes,
    })
    await load(product('18:00', {}))
    const { products, timeslots } = await preview(
      product('20:00', {
        BookingCutoffMinutes: 30,
        RefundTerms: [{ Percent: '50', HoursBefore: 24 }],
        Units: [{ Name: 'Adult', Type: 'ADULT', Price: euros('45.00'), Default: true }],
        Questions: [{ Label: 'Language', Type: 'text', Required: false, AppliesTo: 'booking' }],
      }),
    )
    t.match(
      products[0]!.differences.map(({ path }) => path),
      [
        'BookingCutoffMinutes',
        'RefundTerms[24 hours before]',
        'Units[Adult]',
        'Questions[Language (text)]',
        /^Schedules\[.*\]\.OpeningHours$/,
      ],
    )
    t.same(
      timeslots.map(({ kind, date, hasOtherHours, isRepriced, count }) => [
        kind,
        date,
        hasOtherHours,
        isRepriced,
        count,
      ]),
      ['2030-06-01', '2030-06-02', '2030-06-03', '2030-06-20'].map((date) => [
        'changed',
        date,
        true,
        false,
        4,
      ]),
    )
  },
)

t.test('changed prices of a unit and of a schedule are shown with the price before and after', async (t) => {
  const { load, preview } = await prepare(t)
  const pricedAt = (unit: string, schedule: string) => ({
    ...fileProduct({
      ...nothing,
      Schedules: [daily(8, { UnitPrices: [{ Name: 'Child', Amount: schedule }] })],
    }),
    Units: [
      { Name: 'Adult', Type: 'ADULT', Price: euros('45.00'), Default: true },
      { Name: 'Child', Type: 'CHILD', Price: euros(unit) },
    ],
  })
  await load(pricedAt('20.00', '18.00'))
  const { products, timeslots } = await preview(pricedAt('22.00', '19.00'))
  t.match(products[0]!.differences, [
    { path: 'Units[Child].Price.Amount', from: '"20.00"', to: '"22.00"' },
    { path: /^Schedules\[.*\]\.UnitPrices\[Child\]\.Amount$/, from: '"18.00"', to: '"19.00"' },
  ])
  t.equal(products[0]!.differences.length, 2)
  t.equal(timeslots.length, 0, 'the timeslots have no prices of their own')
})

t.test('a timeslot whose price or start instant would change is shown as changed', async (t) => {
  const { load, preview } = await prepare(t)
  const pricedAt = (Amount: string) =>
    fileProduct().Timeslots.map((slot) => ({ ...slot, UnitPrices: [{ Name: 'Person', Amount }] }))
  await load(fileProduct({ Schedules: [], Timeslots: pricedAt('8.00') }))
  const Timeslots = pricedAt('9.00')
  t.match(await preview(fileProduct({ Schedules: [], Timeslots })), {
    products: [],
    timeslots: [{ kind: 'changed', isRepriced: true, isMoved: false, count: 1 }],
  })
  const shown = await preview(fileProduct({ Schedules: [], Timeslots, TimeZone: 'Europe/Madrid' }))
  t.match(shown.timeslots, [{ kind: 'changed', isRepriced: true, isMoved: true, count: 1 }])
  t.match(shown.products, [{ differences: [{ path: 'TimeZone', to: '"Europe/Madrid"' }] }])
})

t.test(
  'a preview offers nothing to the waitlist, and names the waitlist as the reason that a timeslot stays',
  async (t) => {
    const { sql, accountId, load, preview, rows } = await prepare(t)
    const file = (Capacity: number, ClosedDates: string[] = []) =>
      fileProduct({ ...nothing, Schedules: [daily(Capacity, { ClosedDates })] })
    await load(file(2))
    const [slot] = await sql<{ id: number }[]>`select id from timeslots where date = '2030-06-02'`
    await sql`insert into baskets (account_id, id, status, channel) values (${accountId}, 1, 'waiting', 'online')`
    await sql`
    insert into bookings (account_id, id, basket_id, timeslot_id, reference, channel, status, participants, answers,
      unit_price_minor, currency)
    values (${accountId}, 1, 1, ${slot!.id}, 'W', 'online', 'waitlisted', 2, '[]', 4500, 'EUR')`
    await sql`
    insert into waitlist_entries (account_id, booking_id, timeslot_id) values (${accountId}, 1, ${slot!.id})`
    const before = await rows()
    const closed = await preview(file(2, ['2030-06-02', '2030-06-03']))
    t.match(closed.report, { timeslotsWithdrawn: 1, left: [{ date: '2030-06-02', reason: 'waiting' }] })
    t.match((await preview(file(5))).report, { capacitiesChanged: 3 })
    t.equal(await rows(), before)
  },
)

t.test('a preview does not wait for locks of the account and its timeslots, and locks neither', async (t) => {
  const { sql, accountId, load, preview } = await prepare(t)
  await load(fileProduct({ Schedules: [daily(8)] }))
  await sql.begin(async (tx) => {
    await tx`select from accounts where account_id = ${accountId} for update`
    await tx`select from timeslots where account_id = ${accountId} for update`
    const shown = await preview(fileProduct({ Schedules: [daily(4)], Timeslots: [] }))
    t.match(shown.report, { capacitiesChanged: 3 })
  })
})

t.test('a preview locks no row that sales and imports lock', async (t) => {
  const { sql, accountId, load, preview } = await prepare(t)
  await load(fileProduct({ Schedules: [daily(8)] }))
  let isOver = false
  const Timeslots = Array.from({ length: 1440 }, (_, minute) => {
    return { Date: '2030-06-20', Time: new Date(minute * 60_000).toISOString().slice(11, 16), Capacity: 3 }
  })
  const shown = preview(fileProduct({ Schedules: [daily(4)], Timeslots })).finally(() => {
    isOver = true
  })
  let times = 0
  while (!isOver) {
    await sql.begin(async (tx) => {
      await tx`select from accounts where account_id = ${accountId} for update nowait`
      await tx`select from products where account_id = ${accountId} for update nowait`
      await tx`select from timeslots where account_id = ${accountId} for update nowait`
      await tx`update timeslots set booked = 0 where account_id = ${accountId}`
    })
    times += 1
  }
  t.ok(times > 0)
  t.match((await shown).report, { capacitiesChanged: 3, timeslotsMade: 1440 })
})

t.test('a file with errors is refused with the same errors as in an import', async (t) => {
  const { load, preview } = await prepare(t)
  const wrong = [fileProduct({ DurationMinutes: 0 }), fileProduct({ Name: 'KAYAK TOUR' })]
  const faultsOf = (work: Promise<unknown>) =>
    work.then(
      () => [],
      (error) => {
        t.ok(error instanceof CatalogueFileError)
        return error.faults
      },
    )
  const faults = await faultsOf(preview(...wrong))
  t.equal(faults.length, 2)
  t.same(faults, await faultsOf(load(...wrong)))
})
