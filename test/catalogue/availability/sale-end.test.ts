/** Opening hours and `OnSaleUntil` as partners see them, and which days are cached between requests. */
import t from 'tap'
import { findChanges } from '../../../src/catalogue/availability/queries.ts'
import { activityUuid } from '../../../src/catalogue/model.ts'
import { pumpEvents } from '../../pump.ts'
import { afternoon, morning, museum } from '../museum.ts'

const today = 'StartDate=2030-06-15&EndDate=2030-06-15'

t.test('an all-day timeslot is in every list with its hours while it is on sale', async (t) => {
  const { open, cutOff, available } = await museum(t)
  await open()
  await cutOff(30)
  const [entry] = await available('timeslots', 'Date=2030-06-15')
  t.match(entry, {
    Time: '09:00',
    StartsAt: '2030-06-15T09:00:00+01:00',
    EndsAt: '2030-06-15T17:00:00+01:00',
    AllDay: true,
    OpeningHours: [morning, afternoon],
    OnSaleUntil: '2030-06-15T16:30:00+01:00',
    Available: 8,
  })
  t.match(await available('dates', today), [{ Date: '2030-06-15', Timeslots: 1, Available: 8 }])
  t.same(await available('calendar', today), [{ Date: '2030-06-15', ...entry }])
})

t.test('a new cut-off has an effect at once: a timeslot disappears and comes back', async (t) => {
  const { open, cutOff, available } = await museum(t)
  await open()
  const lists = async () => [
    (await available('dates', today)).length,
    (await available('timeslots', 'Date=2030-06-15')).length,
    (await available('calendar', today)).length,
  ]
  t.same(await lists(), [1, 1, 1])
  await cutOff(361)
  t.same(await lists(), [0, 0, 0])
  await cutOff(345)
  t.same(await lists(), [1, 1, 1])
})

t.test('changed hours are visible at once', async (t) => {
  const { open, call, available } = await museum(t)
  const { data } = await open()
  await available('timeslots', 'Date=2030-06-15')
  await call('PATCH', `/timeslots/${data.ID}`, { OpeningHours: [morning] })
  t.match(await available('timeslots', 'Date=2030-06-15'), [
    { OpeningHours: [morning], OnSaleUntil: '2030-06-15T12:00:00+01:00' },
  ])
})

t.test('OnSaleUntil has the UTC offset of its own instant, not that of the start', async (t) => {
  const { open, cutOff, available } = await museum(t, { now: '2030-03-20T12:00Z' })
  await open({ Date: '2030-03-31' })
  await cutOff(1440)
  t.match(await available('timeslots', 'Date=2030-03-31'), [
    { StartsAt: '2030-03-31T09:00:00+01:00', OnSaleUntil: '2030-03-30T16:00:00+00:00' },
  ])
})

t.test('days that go off sale by tomorrow are read for each request; later days are cached', async (t) => {
  const { open, cutOff, available, sql } = await museum(t)
  const days = ['15', '16', '17', '18', '19', '20', '21']
  for (const day of days) await open({ Date: `2030-06-${day}` })
  await cutOff(3 * 1440)
  await pumpEvents(sql)
  const shown = async () => {
    const dates = await available('dates', 'StartDate=2030-06-15&EndDate=2030-06-21')
    return dates.map((day: { Date: string; Available: number }) => `${day.Date.slice(8)}: ${day.Available}`)
  }
  t.same(await shown(), ['18: 8', '19: 8', '20: 8', '21: 8'])
  // Like a timeslot that goes off sale, this change appends no event.
  await sql`update timeslots set capacity = 5`
  t.same(await shown(), ['18: 5', '19: 5', '20: 8', '21: 8'])
})

t.test('the first cached day depends on the cut-off and the time zone of the product', async (t) => {
  const settledFrom = async (timeZone: string, cutoff: number) => {
    const { sql, accountId, activityId, cutOff } = await museum(t, { now: '2030-06-15T10:30Z', timeZone })
    await cutOff(cutoff)
    const activity = activityUuid(activityId)
    const asked = { accountId, activity, from: '2030-06-15', to: '2030-06-15' }
    const [check] = await findChanges(sql, [asked], new Map([[accountId, undefined]]))
    return new Date(check!.settledFrom * 86_400_000).toISOString().slice(0, 10)
  }
  t.equal(await settledFrom('Europe/Lisbon', 0), '2030-06-17')
  t.equal(await settledFrom('Europe/Lisbon', 12 * 60), '2030-06-17')
  t.equal(await settledFrom('Europe/Lisbon', 13 * 60), '2030-06-18')
  t.equal(await settledFrom('Pacific/Auckland', 120), '2030-06-18')
  t.equal(await settledFrom('Europe/Lisbon', 525_600), '2031-06-17')
})
