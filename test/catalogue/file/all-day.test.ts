/** What a catalogue file changes in existing all-day timeslots, sold or not. */
import t, { type Test } from 'tap'
import { exportCatalogue } from '../../../src/catalogue/file/exporting.ts'
import { importCatalogue } from '../../../src/catalogue/file/service.ts'
import { theService } from '../../../src/events/actor.ts'
import { afternoon, morning, museum } from '../museum.ts'
import { everyDay } from './fixtures.ts'

const closingAt = (Closes: string) => [morning, { ...afternoon, Closes }]
const daily = {
  ...{ From: '2030-06-15', To: '2030-06-17', Weekdays: everyDay, Capacity: 8 },
  ...{ AllDay: true, OpeningHours: closingAt('17:00') },
}

async function importSchedule(t: Test, schedule: object = daily) {
  const operator = await museum(t)
  const { sql, accountId } = operator
  const [product] = (await exportCatalogue(sql, accountId)).Products
  const load = (fields: object) => {
    const text = JSON.stringify({ Products: [{ ...product, ...fields }] })
    return importCatalogue(sql, { accountId, actor: theService }, text, { horizonDays: 30 })
  }
  await load({ Schedules: [schedule] })
  const slots = () => sql<{ id: number; closes: Date | null; booked: number }[]>`
    select id, closes_at as closes, booked from timeslots order by date, time`
  const closings = async () => (await slots()).map(({ closes }) => closes?.toISOString().slice(8, 16) ?? null)
  return { ...operator, load, slots, closings }
}

t.test(
  'changed hours apply to every timeslot from today on; its bookings stay, and an event records each change',
  async (t) => {
    const { load, slots, closings, bookAsPartner, timeslotEvents } = await importSchedule(t)
    t.same(await closings(), ['15T16:00', '16T16:00', '17T16:00'])
    t.equal((await bookAsPartner({ Date: '2030-06-16' })).status, 201)
    const before = (await slots()).map(({ id, booked }) => ({ id, booked }))
    const report = await load({ Schedules: [{ ...daily, OpeningHours: closingAt('19:00') }] })
    t.match(report, { updated: 1, capacitiesChanged: 0 })
    t.same(await closings(), ['15T18:00', '16T18:00', '17T18:00'])
    t.same(
      (await slots()).map(({ id, booked }) => ({ id, booked })),
      before,
    )
    t.same((await timeslotEvents()).slice(3), ['rescheduled', 'rescheduled', 'rescheduled'])
  },
)

t.test('the same file again changes nothing', async (t) => {
  const { load, timeslotEvents } = await importSchedule(t)
  t.match(await load({ Schedules: [daily] }), { timeslotsMade: 0, capacitiesChanged: 0 })
  t.equal((await timeslotEvents()).length, 3)
})

t.test(
  'a schedule whose start time is the first opening keeps its timeslots when it becomes all-day, and when it changes back',
  async (t) => {
    const { AllDay, OpeningHours, ...days } = daily
    const starts = { ...days, Times: ['09:00'] }
    const { load, closings, slots } = await importSchedule(t, starts)
    const ids = (await slots()).map(({ id }) => id)
    t.same(await closings(), [null, null, null])
    await load({ Schedules: [daily] })
    t.same(await closings(), ['15T16:00', '16T16:00', '17T16:00'])
    await load({ Schedules: [starts] })
    t.same(await closings(), [null, null, null])
    t.same(
      (await slots()).map(({ id }) => id),
      ids,
    )
  },
)

t.test(
  'a timeslot in the file gets the hours in OpeningHours, keeps them if it is left out, and loses them if it is empty',
  async (t) => {
    const { load, closings } = await importSchedule(t)
    const stated = { Date: '2030-06-16', Time: '09:00', Capacity: 8 }
    await load({ Schedules: [daily], Timeslots: [{ ...stated, OpeningHours: [morning] }] })
    t.same(await closings(), ['15T16:00', '16T11:00', '17T16:00'])
    await load({ Schedules: [{ ...daily, OpeningHours: closingAt('19:00') }], Timeslots: [stated] })
    t.same(await closings(), ['15T18:00', '16T11:00', '17T18:00'])
    await load({ Schedules: [daily], Timeslots: [{ ...stated, OpeningHours: [] }] })
    t.same(await closings(), ['15T16:00', null, '17T16:00'])
  },
)

t.test('with longer hours, free places are offered to the waitlist before they can be bought', async (t) => {
  const { load, bookAsPartner, call, visit, cutOff, slotAt } = await importSchedule(t)
  const { BookingReference } = (await bookAsPartner({ Participants: 8 })).data
  const Customer = { FirstName: 'Eva', LastName: 'Luz', Email: 'eva@example.com' }
  const { data } = await call('POST', '/waitlist', { ...visit, Customer })
  await cutOff(361)
  await call('POST', `/bookings/${BookingReference}/cancel`, { Override: true })
  t.match(await slotAt(), { booked: 0, held: 0 })
  const longer = { ...daily, OpeningHours: closingAt('18:00') }
  await load({ BookingCutoffMinutes: 361, Schedules: [longer] })
  t.match(await slotAt(), { booked: 0, held: 2 })
  t.match((await call('GET', `/waitlist/${data.WaitlistID}`)).data, { Status: 'offered' })
})

t.test(
  'with longer hours of a single timeslot, free places are offered to the waitlist before they can be bought',
  async (t) => {
    const { load, bookAsPartner, call, visit, cutOff, slotAt } = await importSchedule(t)
    const stated = { Date: '2030-06-15', Time: '09:00', Capacity: 8 }
    const { BookingReference } = (await bookAsPartner({ Participants: 8 })).data
    const Customer = { FirstName: 'Eva', LastName: 'Luz', Email: 'eva@example.com' }
    await call('POST', '/waitlist', { ...visit, Customer })
    await cutOff(361)
    await call('POST', `/bookings/${BookingReference}/cancel`, { Override: true })
    const Timeslots = [{ ...stated, OpeningHours: closingAt('18:00') }]
    await load({ BookingCutoffMinutes: 361, Schedules: [daily], Timeslots })
    t.match(await slotAt(), { booked: 0, held: 2 })
  },
)
