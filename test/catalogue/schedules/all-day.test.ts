/** All-day schedules: the timeslots that they make, and changes of the hours. */
import t, { type Test } from 'tap'
import { topUpSchedules } from '../../../src/catalogue/schedules/editing/applying.ts'
import { fieldsOf } from '../../operator.ts'
import { afternoon, morning, museum } from '../museum.ts'

const open = {
  From: '2030-06-16',
  To: '2030-06-18',
  Weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  Capacity: 8,
  AllDay: true,
  OpeningHours: [morning, afternoon],
}
const tours = { ...open, AllDay: false, OpeningHours: undefined, Times: ['10:00'] }

/** A museum with a schedule for three days. */
async function prepareSchedule(t: Test, fields: object = open) {
  const operator = await museum(t)
  const { call, schedules, sql } = operator
  const made = await call('POST', schedules, fields)
  t.equal(made.status, 201)
  const one = `${schedules}/${made.data.Schedule.ID}`
  /**
   * For each timeslot its local day and time, its closing in UTC, the booked places if not 0, and `c` if
   * it is closed.
   */
  const slots = async () => {
    const rows = await sql<{ slot: string }[]>`
      select concat_ws(' ', to_char(date, 'DD'), to_char(time, 'HH24:MI'),
        to_char(closes_at at time zone 'UTC', 'DD"T"HH24:MI'), nullif(booked, 0),
        case when status = 'closed' then 'c' end) as slot
      from timeslots order by date, time`
    return rows.map(({ slot }) => slot)
  }
  return { ...operator, made, one, slots, change: (body: object) => call('PATCH', one, body) }
}

t.test('making an all-day schedule', async (t) => {
  t.test('a new all-day schedule makes one timeslot a day, at the first opening', async (t) => {
    const { made, one, call, schedules, slots } = await prepareSchedule(t)
    t.match(made.data.Schedule, { ...open, Times: ['09:00'] })
    t.match(made.data.Timeslots.Made, { Count: 3, Timeslots: [{ Date: '2030-06-16', Time: '09:00' }] })
    t.same(await slots(), ['16 09:00 16T16:00', '17 09:00 17T16:00', '18 09:00 18T16:00'])
    t.same((await call('GET', schedules)).data, [made.data.Schedule])
    t.match((await call('GET', `/timeslots?From=2030-06-18`)).data, [
      { AllDay: true, ScheduleID: Number(one.split('/').at(-1)) },
    ])
  })

  t.test('AllDay may be left out, and Times may be the first opening', async (t) => {
    for (const fields of [{ AllDay: undefined }, { Times: ['09:00'] }])
      t.match((await prepareSchedule(t, { ...open, ...fields })).made.data.Schedule, {
        AllDay: true,
        Times: ['09:00'],
      })
  })

  t.test('422 names every failing field', async (t) => {
    const { call, schedules, sql } = await museum(t)
    const faults = async (changes: object) =>
      fieldsOf(await call('POST', schedules, { ...open, ...changes })).sort()
    t.same(await faults({ OpeningHours: undefined }), ['OpeningHours'], 'all-day without hours')
    t.same(await faults({ OpeningHours: [] }), ['OpeningHours'])
    t.same(await faults({ AllDay: false }), ['AllDay'], 'hours without all-day')
    t.same(await faults({ AllDay: false, OpeningHours: undefined }), ['Times'])
    t.same(await faults({ AllDay: undefined, OpeningHours: undefined }), ['Times'])
    t.same(await faults({ Times: ['10:00'] }), ['Times'], 'start times beside hours')
    t.same(await faults({ Times: ['09:00', '10:00'] }), ['Times'])
    t.same(
      await faults({ AllDay: 'yes', Capacity: 'many', OpeningHours: [{ Opens: '25:00', Closes: '' }] }),
      ['AllDay', 'Capacity', 'OpeningHours[0].Closes', 'OpeningHours[0].Opens'],
    )
    t.same(await faults({ To: '2030-06-15', AllDay: false, OpeningHours: [morning, morning, afternoon] }), [
      'AllDay',
      'OpeningHours[1].Opens',
      'To',
    ])
    t.same(await faults({ OpeningHours: [{ Opens: '20:00', Closes: '03:00' }, morning] }), [
      'OpeningHours[1].Opens',
    ])
    t.same(await faults({ OpeningHours: [morning, { Opens: '20:00', Closes: '09:30' }] }), [
      'OpeningHours[1].Closes',
    ])
    t.equal((await sql`select from schedules`).length, 0)
  })

  t.test('422 names wrong hours and wrong prices together', async (t) => {
    const { call, schedules } = await museum(t)
    const UnitPrices = [{ UnitID: 7, Amount: '5.00' }]
    t.same(fieldsOf(await call('POST', schedules, { ...open, OpeningHours: [], UnitPrices })), [
      'OpeningHours',
      'UnitPrices[0].UnitID',
    ])
  })

  t.test('422 if another schedule has the same days and first opening, even with other hours', async (t) => {
    const { call, schedules } = await prepareSchedule(t)
    t.same(fieldsOf(await call('POST', schedules, { ...open, OpeningHours: [morning] })), ['OpeningHours'])
    t.same(fieldsOf(await call('POST', schedules, { ...tours, Times: ['09:00'] })), ['Times'])
  })

  t.test('a preview shows the timeslots or the errors of a new schedule, and makes nothing', async (t) => {
    const { call, schedules, sql } = await museum(t)
    const { status, data } = await call('POST', `${schedules}/preview`, open)
    t.equal(status, 200)
    t.match(data, { Made: { Count: 3, Timeslots: [{ Date: '2030-06-16', Time: '09:00' }] } })
    t.same(fieldsOf(await call('POST', `${schedules}/preview`, { ...open, OpeningHours: [] })), [
      'OpeningHours',
    ])
    t.same(fieldsOf(await call('POST', `${schedules}/preview`, {})), [
      'From',
      'To',
      'Weekdays',
      'Capacity',
      'Times',
    ])
    t.equal((await sql`select from schedules`).length, 0)
  })

  t.test('a day on which a clock change skips the first opening has no timeslot', async (t) => {
    const { call, schedules, sql } = await museum(t, { now: '2030-03-25T08:00Z' })
    const OpeningHours = [{ Opens: '01:30', Closes: '00:30' }]
    const days = { ...open, From: '2030-03-30', To: '2030-04-01', OpeningHours }
    t.equal((await call('POST', schedules, days)).data.Timeslots.Made.Count, 2)
    t.same(await sql`select closes_at as at from timeslots order by date`, [
      { at: new Date('2030-03-31T00:30Z') },
      { at: new Date('2030-04-01T23:30Z') },
    ])
  })

  t.test('the daily top-up makes all-day timeslots too', async (t) => {
    const { sql, slots } = await prepareSchedule(t, { ...open, To: '2030-12-31' })
    await sql`delete from timeslots where date > '2030-06-16'`
    t.equal(await topUpSchedules(sql, 2), 1)
    t.same(await slots(), ['16 09:00 16T16:00', '17 09:00 17T16:00'])
  })
})

t.test('changing an all-day schedule', async (t) => {
  const later = [morning, { Opens: '14:00', Closes: '19:00' }]

  t.test(
    'changed hours keep the timeslots, each with an event; a booked one stays as it is and is listed',
    async (t) => {
      const { change, bookAsPartner, slots, timeslotEvents, sql } = await prepareSchedule(t)
      const before = await sql`select id, date from timeslots order by date`
      await bookAsPartner({ Date: '2030-06-17' })
      const { status, data } = await change({ OpeningHours: later })
      t.equal(status, 200)
      t.match(data.Schedule, { AllDay: true, OpeningHours: later, Times: ['09:00'] })
      t.match(data.Timeslots, {
        Made: { Count: 0 },
        Changed: { Count: 2, Timeslots: [{ Date: '2030-06-16' }, { Date: '2030-06-18' }] },
        Removed: { Count: 0 },
        Left: { Count: 1, Timeslots: [{ Date: '2030-06-17', Reason: 'booked' }] },
      })
      t.same(await slots(), ['16 09:00 16T18:00', '17 09:00 17T16:00 2', '18 09:00 18T18:00'])
      t.same(await sql`select id, date from timeslots order by date`, before)
      t.same(await timeslotEvents(), ['made', 'made', 'made', 'rescheduled', 'rescheduled'])
    },
  )

  t.test('a preview shows the effect of changed hours, and the same hours change nothing', async (t) => {
    const { change, call, schedules, made, timeslotEvents } = await prepareSchedule(t)
    const asked = { ScheduleID: made.data.Schedule.ID, OpeningHours: later }
    const foreseen = (await call('POST', `${schedules}/preview`, asked)).data
    t.match(foreseen.Changed, { Count: 3 })
    t.same((await change({ OpeningHours: later })).data.Timeslots, foreseen)
    t.match((await change({ OpeningHours: later })).data.Timeslots.Changed, { Count: 0 })
    t.equal((await timeslotEvents()).length, 6)
  })

  t.test('an earlier first opening makes new timeslots, and the old ones are removed', async (t) => {
    const { change, slots } = await prepareSchedule(t)
    const { data } = await change({ OpeningHours: [{ ...morning, Opens: '08:00' }] })
    t.match(data.Timeslots, { Made: { Count: 3 }, Removed: { Count: 3 } })
    t.same(await slots(), ['16 08:00 16T11:00', '17 08:00 17T11:00', '18 08:00 18T11:00'])
  })

  t.test(
    'fields that are left out stay as they are: the hours stay when only the capacity changes',
    async (t) => {
      const { change } = await prepareSchedule(t)
      t.match((await change({ Capacity: 9 })).data.Schedule, { ...open, Capacity: 9 })
    },
  )

  t.test('the schedule can change to start times: those given, or else the first opening', async (t) => {
    const first = await prepareSchedule(t)
    t.match((await first.change({ AllDay: false })).data.Schedule, {
      AllDay: false,
      OpeningHours: [],
      Times: ['09:00'],
    })
    t.same(await first.slots(), ['16 09:00', '17 09:00', '18 09:00'])
    const second = await prepareSchedule(t)
    const given = { AllDay: false, Times: ['11:00', '10:00'] }
    t.match((await second.change(given)).data.Schedule, { AllDay: false, Times: ['10:00', '11:00'] })
    t.same((await second.slots()).slice(0, 2), ['16 10:00', '16 11:00'])
    const third = await prepareSchedule(t)
    t.match((await third.change({ OpeningHours: [] })).data.Schedule, { AllDay: false, Times: ['09:00'] })
  })

  t.test(
    'a schedule with start times becomes all-day, and keeps the timeslots at the first opening',
    async (t) => {
      const { change, slots, sql } = await prepareSchedule(t, { ...tours, Times: ['09:00', '11:00'] })
      const before = await sql`select id from timeslots where time = '09:00' order by id`
      const { data } = await change({ AllDay: true, OpeningHours: open.OpeningHours })
      t.match(data.Timeslots, { Changed: { Count: 3 }, Removed: { Count: 3 }, Made: { Count: 0 } })
      t.same(await slots(), ['16 09:00 16T16:00', '17 09:00 17T16:00', '18 09:00 18T16:00'])
      t.same(await sql`select id from timeslots order by id`, before)
    },
  )

  t.test('422 for start times beside hours, and for all-day without hours', async (t) => {
    const allDay = await prepareSchedule(t)
    t.same(fieldsOf(await allDay.change({ Times: ['10:00'] })), ['Times'])
    t.same(fieldsOf(await allDay.change({ AllDay: true, OpeningHours: [] })), ['OpeningHours'])
    t.same(fieldsOf(await allDay.change({ AllDay: false, OpeningHours: [morning] })), ['AllDay'])
    t.equal(
      (await allDay.change({ Times: ['09:00'], Capacity: 9 })).status,
      200,
      'a schedule can be sent as it was read',
    )
    const started = await prepareSchedule(t, tours)
    t.same(fieldsOf(await started.change({ AllDay: true })), ['OpeningHours'])
  })

  t.test('a timeslot whose hours were changed by hand stays as it is', async (t) => {
    const { change, call, slotAt, slots } = await prepareSchedule(t)
    const { id } = (await slotAt('2030-06-17'))!
    await call('PATCH', `/timeslots/${id}`, { OpeningHours: [morning] })
    t.match((await change({ OpeningHours: later })).data.Timeslots.Left, {
      Count: 1,
      Timeslots: [{ TimeslotID: id, Reason: 'edited' }],
    })
    t.same(await slots(), ['16 09:00 16T18:00', '17 09:00 17T11:00', '18 09:00 18T18:00'])
  })

  t.test('today’s timeslot that has opened stays as it is', async (t) => {
    const { change, slots } = await prepareSchedule(t, { ...open, From: '2030-06-15', To: '2030-06-16' })
    await change({ OpeningHours: later })
    t.same(await slots(), ['15 09:00 15T16:00', '16 09:00 16T18:00'])
  })

  t.test(
    'an ended schedule’s timeslots are removed, but a booked one stays on sale with its hours',
    async (t) => {
      const { one, call, bookAsPartner, slots } = await prepareSchedule(t)
      await bookAsPartner({ Date: '2030-06-17' })
      t.equal((await call('DELETE', one)).status, 200)
      t.same(await slots(), ['17 09:00 17T16:00 2'])
      t.equal((await bookAsPartner({ Date: '2030-06-17' })).status, 201)
    },
  )
})
