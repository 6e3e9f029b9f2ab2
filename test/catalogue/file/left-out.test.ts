/** What a catalogue file may leave out, and the effect for a new and for an existing product. */
import t, { type Test } from 'tap'
import { exportCatalogue } from '../../../src/catalogue/file/exporting.ts'
import { importCatalogue } from '../../../src/catalogue/file/service.ts'
import { theService } from '../../../src/events/actor.ts'
import { clockAt } from '../../clock.ts'
import { createDatabase, makeCaller } from '../../helper.ts'
import { euros } from '../units/fixtures.ts'
import { fileProduct } from './fixtures.ts'

const least = {
  Name: 'Kayak tour',
  DurationMinutes: 120,
  Price: euros('45.00'),
  TimeZone: 'Europe/Lisbon',
}

async function prepare(t: Test) {
  const { sql } = await createDatabase(t, clockAt('2030-06-01T08:00Z'))
  const { accountId } = await makeCaller(sql)
  const load = (...Products: object[]) => {
    const by = { accountId, actor: theService }
    return importCatalogue(sql, by, JSON.stringify({ Products }), { horizonDays: 30 })
  }
  return { sql, load, exported: async () => (await exportCatalogue(sql, accountId)).Products }
}

t.test(
  'a new product needs a name, a duration, a price and a time zone; the rest has its default',
  async (t) => {
    const { load, exported } = await prepare(t)
    t.match(await load(least), { created: 1, timeslotsMade: 0 })
    const [{ ActivityID, ...product } = { ActivityID: '' }] = await exported()
    t.match(ActivityID, /^s_/)
    t.same(product, {
      ...least,
      Description: '',
      InShopfront: false,
      BookingCutoffMinutes: 0,
      CancelCutoffMinutes: 0,
      ...{ MinPlaces: 1, MaxPlaces: 999, PricedPer: 'person', TakesTimeslot: false },
      ...{ RefundTerms: [], Units: [], Questions: [], Translations: [], Timeslots: [], Schedules: [] },
    })
  },
)

t.test('every field of an existing product that is left out stays as it is', async (t) => {
  const { sql, load, exported } = await prepare(t)
  const prices = [{ Name: 'Adult', Amount: '50.00' }]
  const { Schedules, Timeslots, ...rest } = fileProduct()
  await load({
    ...rest,
    ...{ BookingCutoffMinutes: 30, CancelCutoffMinutes: 60, MinPlaces: 2, MaxPlaces: 9 },
    RefundTerms: [{ Percent: '50', HoursBefore: 24 }],
    Translations: [{ Language: 'pt', Name: 'Caiaque', Texts: [{ Text: 'Child', Translation: 'Criança' }] }],
    Units: [
      { Name: 'Adult', Type: 'ADULT', Price: euros('45.00'), Default: true },
      { Name: 'Child', Type: 'CHILD', Price: euros('20.00') },
    ],
    Timeslots: Timeslots.map((slot) => ({ ...slot, UnitPrices: prices })),
    Schedules: Schedules.map((one) => ({ ...one, ClosedDates: ['2030-06-08'], UnitPrices: prices })),
  })
  const before = await exported()
  const slots = () => sql`select id, capacity, status, schedule_id from timeslots order by id`
  const made = await slots()
  t.match(await load(least), { unchanged: 1, updated: 0, timeslotsMade: 0, capacitiesChanged: 0 })
  t.strictSame(await exported(), before)
  t.strictSame([...(await slots())], [...made])

  t.match(await load({ ...least, DurationMinutes: 90 }), { updated: 1 })
  t.strictSame(await exported(), [{ ...before[0]!, DurationMinutes: 90 }])
})

t.test(
  'an empty list does not count as left out: questions are deleted and schedules end, but timeslots stay',
  async (t) => {
    const { load, exported } = await prepare(t)
    await load(fileProduct())
    t.match(await load({ ...least, Questions: [], Schedules: [], Timeslots: [] }), { updated: 1 })
    const [product] = await exported()
    t.match(product, { Questions: [], Schedules: [], Description: 'Along the cliffs.', InShopfront: true })
    t.ok(product!.Timeslots.length > 1, 'the timeslots that the schedule made are listed one by one')
  },
)

t.test('an export has every field, so importing it again undoes later changes', async (t) => {
  const { load, exported } = await prepare(t)
  await load({ ...least, Description: 'Along the cliffs.' })
  const before = await exported()
  await load({
    ...fileProduct({ Timeslots: [], Schedules: [] }),
    RefundTerms: [{ Percent: '5', HoursBefore: 1 }],
  })
  t.match(await load(...before), { updated: 1 })
  t.strictSame(await exported(), before)
})

t.test('a file may give fields of some products and leave them out of others', async (t) => {
  const { load, exported } = await prepare(t)
  await load(fileProduct(), fileProduct({ Name: 'Surf' }))
  await load({ ...least, Questions: [] }, { ...least, Name: 'Surf', Schedules: [] })
  const [kayak, surf] = await exported()
  t.same(kayak!.Questions, [])
  t.equal(kayak!.Schedules.length, 1)
  t.equal(surf!.Questions.length, 2)
  t.same(surf!.Schedules, [])
})
