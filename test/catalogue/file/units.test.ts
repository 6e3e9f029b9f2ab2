/** Units, rules and own prices in a catalogue file. */
import t, { type Test } from 'tap'
import { exportCatalogue } from '../../../src/catalogue/file/exporting.ts'
import type { FileProduct } from '../../../src/catalogue/file/schemas.ts'
import { CatalogueFileError, importCatalogue } from '../../../src/catalogue/file/service.ts'
import { theService } from '../../../src/events/actor.ts'
import { clockAt } from '../../clock.ts'
import { createDatabase, makeCaller } from '../../helper.ts'
import { euros } from '../units/fixtures.ts'
import { everyDay, fileProduct } from './fixtures.ts'

const adult = { Name: 'Adult', Type: 'ADULT', Price: euros('45.00'), Default: true } as const
const child = {
  Name: 'Child',
  Type: 'CHILD',
  Price: euros('20.00'),
  MaxAge: 11,
  AccompaniedBy: ['adult'],
} as const
const units = () =>
  [{ ...adult }, { ...child, AccompaniedBy: [...child.AccompaniedBy] }] satisfies FileProduct['Units']
const schedule = { From: '2030-06-01', To: '2030-06-30', Weekdays: everyDay, Times: ['10:00'], Capacity: 8 }
const single = { Date: '2030-06-15', Time: '12:00', Capacity: 4 }
const bare = { Questions: [], Timeslots: [], Schedules: [] }

async function prepare(t: Test) {
  const { sql } = await createDatabase(t, clockAt('2030-06-01T08:00Z'))
  const { accountId } = await makeCaller(sql)
  const load = (product: Partial<FileProduct>, account = accountId) => {
    const text = JSON.stringify({ Products: [fileProduct({ ...bare, ...product })] })
    return importCatalogue(sql, { accountId: account, actor: theService }, text, { horizonDays: 30 })
  }
  return {
    ...{ sql, accountId, load },
    exported: async () => (await exportCatalogue(sql, accountId)).Products[0]!,
    faults: async (product: Partial<FileProduct>) => {
      try {
        await load(product)
        return []
      } catch (error) {
        if (!(error instanceof CatalogueFileError)) throw error
        return error.faults.map(({ pointer }) => pointer.replace('/Products/0/', ''))
      }
    },
    /** The flags and the price of the product’s row. */
    flags: async () => {
      const [row] = await sql`
        select sells_plainly as plain, has_own_prices as priced, price_minor as price from products`
      return row!
    },
    /**
     * Deletes all events. Returns the changed fields of each change of the product, and the event type of each change
     * of a timeslot's own prices.
     */
    takeEvents: async () => {
      const rows = await sql<{ type: string; fields: string[] }[]>`
        with gone as (delete from events returning id, type, details)
        select type, details -> 'Fields' as fields from gone
        where type in ('product.changed', 'timeslot.prices-changed') order by id`
      return rows.map(({ type, fields }) => fields ?? type)
    },
  }
}

t.test(
  'an export has all units, rules and prices; imported into another account, it makes the same product',
  async (t) => {
    const { sql, accountId, load, exported, flags } = await prepare(t)
    const prices = [
      { Name: 'Adult', Amount: '50.00' },
      { Name: 'Child', Amount: '25.00' },
    ]
    const product: Partial<FileProduct> = {
      ...{ MinPlaces: 1, MaxPlaces: 12, PricedPer: 'person', TakesTimeslot: false, Units: units() },
      Schedules: [{ ...schedule, ClosedDates: [], UnitPrices: prices }],
      Timeslots: [{ ...single, UnitPrices: prices.slice(1) }],
    }
    await load(product)
    const saved = await exported()
    t.match(saved, {
      ...product,
      Units: [
        { ...adult, Places: 1, People: 1 },
        { ...child, AccompaniedBy: ['Adult'], Default: false },
      ],
    })
    t.same(await flags(), { plain: false, priced: true, price: 4500 })
    const { accountId: other } = await makeCaller(sql, { slug: 'other' })
    await load(saved, other)
    const { Products } = await exportCatalogue(sql, other)
    t.same(Products, [saved])
    const rows = (account: number) =>
      sql`select unit_prices is null as is from timeslots where account_id = ${account} order by date, time`
    t.same([...(await rows(other))], [...(await rows(accountId))])
  },
)

t.test('the same file again changes nothing, and records no event', async (t) => {
  const { sql, load, takeEvents } = await prepare(t)
  const product = {
    Units: units(),
    Schedules: [{ ...schedule, UnitPrices: [{ Name: 'Adult', Amount: '50' }] }],
    Timeslots: [{ ...single, UnitPrices: [{ Name: 'CHILD', Amount: '25' }] }],
  }
  await load(product)
  const rows = () =>
    sql`select units.*, updated_at from units join products on products.id = product_id order by units.id`
  const before = [...(await rows())]
  await takeEvents()
  t.match(await load(product), { updated: 0, unchanged: 1, timeslotsMade: 0 })
  t.same([...(await rows())], before)
  t.same(await takeEvents(), [])
})

t.test('rules, units and prices that the file leaves out stay as they are', async (t) => {
  const { load, exported } = await prepare(t)
  await load({
    ...{ MinPlaces: 2, MaxPlaces: 12, Units: units() },
    Schedules: [{ ...schedule, UnitPrices: [{ Name: 'Child', Amount: '25' }] }],
    Timeslots: [{ ...single, UnitPrices: [{ Name: 'Child', Amount: '26' }] }],
  })
  const before = await exported()
  t.match(await load({ Schedules: [schedule], Timeslots: [single] }), { unchanged: 1 })
  t.same(await exported(), before)
})

t.test('units are matched by name, keep their ids, and are deleted by an empty list', async (t) => {
  const { sql, load, exported, flags, takeEvents } = await prepare(t)
  await load({ Units: units() })
  await takeEvents()
  const ids = () => sql<{ id: number; name: string }[]>`
    select id, name from units where position is not null order by position`
  const [one, two] = await ids()
  const senior = {
    Name: 'Senior',
    Type: 'SENIOR',
    Price: euros('30.00'),
    AccompaniedBy: ['Child'],
  } as const
  await load({
    Price: euros('48.00'),
    Units: [
      { ...senior, AccompaniedBy: [...senior.AccompaniedBy] },
      { ...child, Name: 'CHILD', AccompaniedBy: [] },
      { ...adult, Price: euros('48.00') },
    ],
  })
  const [, kid, grown] = await ids()
  t.same([kid, grown], [{ ...two, name: 'CHILD' }, one])
  t.equal((await flags()).price, 4800)
  await load({ Price: euros('48.00'), Units: [] })
  t.same(await ids(), [])
  t.same((await exported()).Units, [])
  t.same(await takeEvents(), [['Price', 'Units'], ['Units']])
})

t.test('a product without units has its own prices under the unit name Person', async (t) => {
  const { load, exported, flags, takeEvents } = await prepare(t)
  const person = [{ Name: 'Person', Amount: '39.50' }]
  await load({ Schedules: [schedule], Timeslots: [single] })
  await takeEvents()
  await load({
    Schedules: [{ ...schedule, UnitPrices: person }],
    Timeslots: [{ ...single, UnitPrices: person }],
  })
  t.match(await exported(), { Schedules: [{ UnitPrices: person }], Timeslots: [{ UnitPrices: person }] })
  t.equal((await flags()).priced, true)
  t.same((await takeEvents()).toSorted(), ['timeslot.prices-changed', ['UnitPrices']].toSorted())
  await load({ Schedules: [{ ...schedule, UnitPrices: [] }], Timeslots: [{ ...single, UnitPrices: [] }] })
  t.equal((await flags()).priced, false)
})

t.test('units keep their own prices when the file makes another unit the default', async (t) => {
  const { sql, load, exported } = await prepare(t)
  const prices = [
    { Name: 'Adult', Amount: '50.00' },
    { Name: 'Child', Amount: '25.00' },
  ]
  await load({ Units: units(), Timeslots: [{ ...single, UnitPrices: prices }] })
  await load({
    Price: euros('20.00'),
    Units: [
      { ...adult, Default: false },
      { ...child, AccompaniedBy: [], Default: true },
    ],
    Timeslots: [single],
  })
  t.same(new Set((await exported()).Timeslots[0]?.UnitPrices), new Set(prices))
  t.match(await sql`select unit_prices -> '0' as price from timeslots`, [{ price: 2500 }])
})

t.test('each error is reported at its pointer', async (t) => {
  const { load, faults } = await prepare(t)
  t.test('for rules that contradict each other', async (t) => {
    t.same(await faults({ MinPlaces: 3, MaxPlaces: 2 }), ['MinPlaces'])
    t.same(await faults({ TakesTimeslot: true }), ['TakesTimeslot'])
    t.same(await faults({ PricedPer: 'booking', Units: units() }), ['Units'])
  })

  t.test('for units that break a rule', async (t) => {
    const wrong = [
      { ...adult, MinAge: 9, MaxAge: 8 },
      { ...child, Price: { Amount: '20', Currency: 'USD' }, AccompaniedBy: ['Child', 'Nobody'] },
      { ...adult, Name: 'ADULT' },
    ]
    t.same(await faults({ Units: wrong }), [
      'Units/0/MinAge',
      'Units/1/Price/Currency',
      'Units/1/AccompaniedBy/0',
      'Units/1/AccompaniedBy/1',
      'Units/2/Name',
      'Units/2/Default',
    ])
    t.same(await faults({ Units: [{ ...adult, Default: false }] }), ['Units'])
    t.same(await faults({ Units: [{ ...adult, Price: euros('46') }] }), ['Units/0/Price/Amount'])
  })

  t.test('for own prices that name no unit, name one twice, or have too many decimals', async (t) => {
    const UnitPrices = [
      { Name: 'Adult', Amount: '1.005' },
      { Name: 'ADULT', Amount: '1' },
      { Name: 'Person', Amount: '1' },
    ]
    const wrong = ['0/Amount', '1/Name', '2/Name']
    t.same(
      await faults({
        Units: units(),
        Schedules: [{ ...schedule, UnitPrices }],
        Timeslots: [{ ...single, UnitPrices }],
      }),
      ['Timeslots/0/UnitPrices', 'Schedules/0/UnitPrices'].flatMap((at) =>
        wrong.map((one) => `${at}/${one}`),
      ),
    )
    t.same(await faults({ Timeslots: [{ ...single, UnitPrices: UnitPrices.slice(1) }] }), [
      'Timeslots/0/UnitPrices/0/Name',
    ])
  })

  t.test('even if units have a schema error, which causes no further errors', async (t) => {
    const broken = [{ ...adult, Places: 100 }] satisfies FileProduct['Units']
    const UnitPrices = [{ Name: 'Adult', Amount: '50' }]
    t.same(
      await faults({ MinPlaces: 3, MaxPlaces: 2, Units: broken, Timeslots: [{ ...single, UnitPrices }] }),
      ['MinPlaces', 'Units/0/Places'],
    )
  })

  t.test('for values that contradict the stored rules, units and currency', async (t) => {
    const family = { Name: 'Family', Type: 'FAMILY', Price: euros('99.00'), Places: 4, People: 4 } as const
    await load({ MaxPlaces: 6, Units: [{ ...adult }, { ...family }] })
    t.same(await faults({ MinPlaces: 7 }), ['MinPlaces'])
    t.same(await faults({ MaxPlaces: 3 }), ['MaxPlaces'])
    t.same(await faults({ PricedPer: 'booking' }), ['PricedPer'])
    t.same(await faults({ Price: { Amount: '45', Currency: 'USD' } }), ['Price/Currency'])
    t.same(await faults({ Units: [{ ...adult }, { ...family, Places: 7 }] }), ['Units/1/Places'])
  })
})
