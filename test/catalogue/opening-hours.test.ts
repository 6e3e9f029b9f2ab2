/** Pure rules of opening hours. */
import fc from 'fast-check'
import t from 'tap'
import {
  checkDaily,
  checkHoursFrom,
  type DailyFields,
  mergeDaily,
  type OpeningHoursField,
  openingView,
  timesOf,
  toPeriods,
} from '../../src/catalogue/opening-hours.ts'

const faultsOf = (fields: DailyFields) => checkDaily(fields).map(({ field }) => field)
const clock = (minute: number) => {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${two(Math.floor(minute / 60) % 24)}:${two(minute % 60)}`
}

const minute = fc.nat({ max: 1439 })
/** Any periods, most of them invalid. */
const anyHours = fc.array(fc.record({ Opens: minute.map(clock), Closes: minute.map(clock) }), {
  maxLength: 5,
})
/** Valid periods: in order, each opens on the same day, and the last closes within 24 hours of the first opening. */
const goodHours = fc
  .tuple(minute, fc.uniqueArray(fc.integer({ min: 1, max: 1440 }), { minLength: 1, maxLength: 9 }))
  .map(([first, gaps]) => [first, ...gaps.toSorted((a, b) => a - b).map((gap) => first + gap)])
  .filter((bounds) => bounds.length % 2 === 0 && bounds.at(-2)! < 1440)
  .map((bounds) =>
    bounds.flatMap(
      (at, index): OpeningHoursField =>
        index % 2 === 0 ? [{ Opens: clock(at), Closes: clock(bounds[index + 1]!) }] : [],
    ),
  )

/** The minutes during which a period is open, counted from midnight of the day on which it opens. */
function minutesOpen({ Opens, Closes }: OpeningHoursField[number]): number[] {
  const at = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  const length = (at(Closes) - at(Opens) + 1440) % 1440 || 1440
  return Array.from({ length }, (_, index) => at(Opens) + index)
}

t.test('periods that open on one day are valid if in order, separate, and within 24 hours', async (t) => {
  fc.assert(
    fc.property(goodHours, (OpeningHours) => {
      t.same(checkDaily({ AllDay: true, OpeningHours }), [])
    }),
  )
  t.same(faultsOf({ OpeningHours: [{ Opens: '00:00', Closes: '00:00' }] }), [], 'a whole day')
  t.same(faultsOf({ OpeningHours: [{ Opens: '22:00', Closes: '04:00' }] }), [], 'a night')
})

t.test(
  'periods are valid only if each begins after the previous one ends, and the last ends by the next day’s opening',
  async (t) => {
    fc.assert(
      fc.property(anyHours, (OpeningHours) => {
        const open = OpeningHours.map(minutesOpen)
        const early = OpeningHours.flatMap((_, index) => {
          const before = open[index - 1]
          return before && open[index]![0]! <= before.at(-1)! + 1 ? [`OpeningHours[${index}].Opens`] : []
        })
        const [first, last] = [open[0], open.at(-1)]
        const late =
          last && last.at(-1)! >= first![0]! + 1440 ? [`OpeningHours[${open.length - 1}].Closes`] : []
        const expected = open.length > 0 ? [...early, ...late] : ['Times']
        t.same(faultsOf({ OpeningHours }), expected)
      }),
      { numRuns: 1000 },
    )
  },
)

t.test('only the last period may close after midnight', async (t) => {
  const [day, night] = [
    { Opens: '10:00', Closes: '16:00' },
    { Opens: '22:00', Closes: '03:00' },
  ]
  t.same(faultsOf({ OpeningHours: [day, night] }), [])
  t.same(faultsOf({ OpeningHours: [night, day] }), ['OpeningHours[1].Opens'])
  t.same(faultsOf({ OpeningHours: [day, { Opens: '22:00', Closes: '11:00' }] }), ['OpeningHours[1].Closes'])
  t.same(faultsOf({ OpeningHours: [day, { Opens: '15:00', Closes: '11:00' }] }), [
    'OpeningHours[1].Opens',
    'OpeningHours[1].Closes',
  ])
})

t.test('a schedule must have either start times or opening hours', async (t) => {
  const OpeningHours = [{ Opens: '09:00', Closes: '17:00' }]
  t.same(faultsOf({}), ['Times'])
  t.same(faultsOf({ OpeningHours: [] }), ['Times'])
  t.same(faultsOf({ AllDay: false }), ['Times'])
  t.same(faultsOf({ AllDay: true }), ['OpeningHours'])
  t.same(faultsOf({ AllDay: true, OpeningHours: [], Times: ['09:00'] }), ['OpeningHours'])
  t.same(faultsOf({ Times: ['10:00', '09:00'] }), [])
  t.same(faultsOf({ OpeningHours }), [])
  t.same(faultsOf({ OpeningHours, Times: ['09:00'] }), [], 'the fields of a response may be sent back')
  t.same(faultsOf({ OpeningHours, Times: ['10:00'] }), ['Times'])
  t.same(faultsOf({ OpeningHours, Times: ['09:00', '10:00'], AllDay: false }), ['AllDay', 'Times'])
})

t.test('the hours of one timeslot begin with its time', async (t) => {
  const hours = [{ Opens: '09:00', Closes: '17:00' }]
  t.same(checkHoursFrom('09:00', hours), [])
  t.same(checkHoursFrom('10:00', []), [])
  t.match(checkHoursFrom('10:00', hours), [{ field: 'OpeningHours[0].Opens' }])
  t.match(checkHoursFrom('10:00', [...hours, { Opens: '16:00', Closes: '18:00' }]), [
    { field: 'OpeningHours[0].Opens' },
    { field: 'OpeningHours[1].Opens' },
  ])
})

t.test(
  'an all-day schedule has one timeslot a day, at its first opening; other schedules have one for each start time',
  async (t) => {
    fc.assert(
      fc.property(goodHours, fc.array(minute.map(clock)), (OpeningHours, Times) => {
        t.same(timesOf({ OpeningHours }), [OpeningHours[0]!.Opens])
        t.same(timesOf({ Times }), [...Times].sort())
      }),
    )
  },
)

t.test('stored opening hours are those that a response shows', async (t) => {
  fc.assert(
    fc.property(anyHours, (OpeningHours) => {
      t.same(openingView(toPeriods(OpeningHours)), { AllDay: OpeningHours.length > 0, OpeningHours })
    }),
  )
  t.equal(toPeriods(), null)
})

t.test(
  'a change keeps fields that are not given, unless the schedule becomes or stops being all-day',
  async (t) => {
    const change = fc.record(
      { Times: fc.array(minute.map(clock), { minLength: 1 }), AllDay: fc.boolean(), OpeningHours: anyHours },
      { requiredKeys: [] },
    )
    const existing = fc.oneof(
      goodHours.map((OpeningHours) => ({ AllDay: true, OpeningHours, Times: [OpeningHours[0]!.Opens] })),
      fc
        .array(minute.map(clock), { minLength: 1 })
        .map((Times) => ({ AllDay: false, OpeningHours: [], Times })),
    )
    fc.assert(
      fc.property(existing, change, (before, { Times, AllDay, OpeningHours }) => {
        const merged = mergeDaily(before, { Times, AllDay, OpeningHours })
        const isAllDay = OpeningHours ? OpeningHours.length > 0 : before.AllDay && AllDay !== false
        t.same(merged.OpeningHours, isAllDay ? (OpeningHours ?? before.OpeningHours) : [])
        t.same(merged.Times, Times ?? (isAllDay ? undefined : before.Times))
        t.equal(merged.AllDay, AllDay)
      }),
    )
  },
)

t.test('an all-day schedule can become a schedule with start times, and back', async (t) => {
  const allDay = { AllDay: true, OpeningHours: [{ Opens: '09:00', Closes: '17:00' }], Times: ['09:00'] }
  const tours = { AllDay: false, OpeningHours: [], Times: ['10:00', '14:00'] }
  const become = (existing: Required<DailyFields>, change: DailyFields) => {
    const merged = mergeDaily(existing, change)
    const faults = faultsOf(merged)
    return faults.length > 0
      ? faults
      : { times: timesOf(merged), allDay: toPeriods(merged.OpeningHours) !== null }
  }
  t.same(become(allDay, { AllDay: false }), { times: ['09:00'], allDay: false })
  t.same(become(allDay, { OpeningHours: [] }), { times: ['09:00'], allDay: false })
  t.same(become(allDay, { AllDay: false, Times: ['11:00', '10:00'] }), {
    times: ['10:00', '11:00'],
    allDay: false,
  })
  t.same(become(allDay, { Times: ['10:00'] }), ['Times'], 'an all-day schedule takes no other start time')
  t.same(become(allDay, {}), { times: ['09:00'], allDay: true })
  t.same(become(tours, { OpeningHours: allDay.OpeningHours }), { times: ['09:00'], allDay: true })
  t.same(become(tours, { AllDay: true }), ['OpeningHours'])
  t.same(become(tours, {}), { times: ['10:00', '14:00'], allDay: false })
})
