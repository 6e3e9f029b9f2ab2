/** Events of catalogue imports and of the nightly top-up. */
import t from 'tap'
import { topUpSchedules } from '../../src/catalogue/schedules/editing/applying.ts'
import { catalogue, everyDay, fileProduct } from '../catalogue/file/fixtures.ts'
import { prepareCatalogue } from './fixtures.ts'

t.test('timeslots of the nightly top-up are in the log as made by the service', async (t) => {
  const { sql, load, look, lookAt } = await prepareCatalogue(t)
  await load(
    catalogue({ Timeslots: [], Schedules: [{ ...fileProduct().Schedules[0]!, Weekdays: everyDay }] }),
  )
  await look()
  await topUpSchedules(sql, 3)
  const events = await look()
  t.same(
    events.map(({ type, actor, details }) => ({ type, actor, ...details })),
    ['09:00', '15:00'].map((Time) => {
      return { type: 'timeslot.made', actor: 'service', Date: '2030-06-04', Time, Capacity: 8 }
    }),
  )
  t.equal(await topUpSchedules(sql, 3), 0)
  t.same(await lookAt(), [])
})

t.test('an import', async (t) => {
  const daily = { From: '2030-06-01', To: '2030-06-30', Weekdays: everyDay, Times: ['14:00'], Capacity: 6 }
  const first = catalogue({ Schedules: [daily] })

  t.test(
    'appends an event for each product and timeslot that it makes, and nothing when the same file is imported again',
    async (t) => {
      const { load, look } = await prepareCatalogue(t)
      await load(first)
      const [product, ...slots] = await look()
      t.match(product, { type: 'product.made', actor: 'service', details: {} })
      t.same(
        slots.map(({ type, details }) => ({ type, ...details })),
        [
          { type: 'timeslot.made', Date: '2030-06-15', Time: '10:00', Capacity: 12 },
          ...['2030-06-01', '2030-06-02', '2030-06-03'].map((date) => {
            return { type: 'timeslot.made', Date: date, Time: '14:00', Capacity: 6 }
          }),
        ],
      )
      await load(first)
      t.same(await look(), [])
    },
  )

  t.test('names its changes of products and timeslots', async (t) => {
    const { load, look, lookAt } = await prepareCatalogue(t)
    await load(first)
    await look()
    const Timeslots = [{ Date: '2030-06-15', Time: '10:00', Capacity: 9 }]
    const changes = { Description: 'By night.', Questions: [], Timeslots }
    await load(catalogue({ ...changes, Schedules: [{ ...daily, Capacity: 5, ClosedDates: ['2030-06-02'] }] }))
    t.same(await lookAt(), [
      ['product.changed', { Fields: ['Description', 'Questions'] }],
      ['timeslot.capacity-changed', { From: 12, To: 9 }],
      ...[1, 2, 3].map(() => ['timeslot.capacity-changed', { From: 6, To: 5 }]),
      ['timeslot.removed', { Date: '2030-06-02', Time: '14:00' }],
    ])
  })

  t.test(
    'appends more events than one statement takes, and reopens a closed timeslot that its file lists',
    async (t) => {
      const { sql, load, look, lookAt } = await prepareCatalogue(t)
      const Times = Array.from({ length: 1440 }, (_, minute) =>
        new Date(minute * 60_000).toISOString().slice(11, 16),
      )
      await load(catalogue({ Timeslots: [], Schedules: [{ ...daily, Times }] }), 7)
      const made = (await look()).slice(1)
      t.equal(made.length, 8 * 1440)
      t.equal(new Set(made.map(({ timeslotId }) => timeslotId)).size, made.length)

      await sql`update timeslots set status = 'closed', schedule_id = null where date = '2030-06-03' and time = '10:00'`
      await load(
        catalogue({ Timeslots: [{ Date: '2030-06-03', Time: '10:00', Capacity: 9 }], Schedules: [] }),
      )
      t.same(await lookAt(), [
        ['timeslot.reopened', {}],
        ['timeslot.capacity-changed', { From: 6, To: 9 }],
      ])
    },
  )
})
