/** The positions of timeslots in the grid of days and hours, the days of a view, and the marks of products. */
import fc from 'fast-check'
import t from 'tap'
import { hueCount, marksOf } from '../../src/dashboard/calendar/marks.ts'
import {
  axisOf,
  leastMinutes,
  maxHours,
  maxLanesOfWeek,
  placeDay,
} from '../../src/dashboard/calendar/placing.ts'
import { daysOf, rangeOf, stepFrom } from '../../src/dashboard/calendar/range.ts'

const date = '2030-06-15'

/** A timeslot that begins at `fromMinute` of the day and ends `minutes` later in local time. */
function slotAt(id: number, fromMinute: number, minutes: number) {
  const at = (minute: number) => new Date(Date.parse(`${date}T00:00Z`) + minute * 60_000).toISOString()
  return {
    id,
    date,
    time: at(fromMinute).slice(11, 16),
    localEnd: at(fromMinute + minutes).slice(0, 19),
    openingHours: null,
    booked: 0,
  }
}

const anyDay = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 0, max: 3000 })), { maxLength: 40 })
  .map((times) => times.map(([from, minutes], index) => slotAt(index + 1, from, minutes)))

t.test('on any day', async (t) => {
  const check = (rule: (slots: ReturnType<typeof slotAt>[]) => boolean) =>
    fc.assert(fc.property(anyDay, rule))

  t.test('every timeslot is placed once, on the time axis or in the row of all-day timeslots', async () => {
    check((slots) => {
      const { allDay, timed } = placeDay(slots)
      const ids = [...allDay, ...timed.map(({ slot }) => slot)].map(({ id }) => id)
      return ids.length === slots.length && new Set(ids).size === slots.length
    })
  })

  t.test('no timeslot covers another one', async () => {
    check((slots) => {
      const { timed } = placeDay(slots)
      return timed.every((one, index) =>
        timed.slice(index + 1).every((other) => {
          const together = one.fromMinute < other.toMinute && other.fromMinute < one.toMinute
          if (!together) return true
          const isBeside = one.lane + one.span <= other.lane || other.lane + other.span <= one.lane
          return isBeside && one.lanes === other.lanes
        }),
      )
    })
  })

  t.test(
    'each timeslot is placed at its start time, is high enough to be read, and stays within the lanes',
    async () => {
      check((slots) =>
        placeDay(slots).timed.every(({ slot, fromMinute, toMinute, lane, span, lanes }) => {
          const [hours, minutes] = slot.time.split(':').map(Number)
          const isInTime = fromMinute === hours! * 60 + minutes! && toMinute <= maxHours * 60
          return (
            isInTime &&
            toMinute - fromMinute >= leastMinutes &&
            lane >= 0 &&
            span >= 1 &&
            lane + span <= lanes
          )
        }),
      )
    },
  )

  t.test('there are as many lanes as timeslots at the busiest time', async () => {
    check((slots) => {
      const { timed, lanes } = placeDay(slots)
      const atOnce = timed.map(
        ({ fromMinute }) =>
          timed.filter((other) => other.fromMinute <= fromMinute && fromMinute < other.toMinute).length,
      )
      return lanes === Math.max(0, ...atOnce)
    })
  })

  t.test(
    'in a week, a day that needs more than two lanes has lines, none above its start time, and links to hidden timeslots',
    async () => {
      check((slots) => {
        const { timed, more, lanes } = placeDay(slots, maxLanesOfWeek)
        const rows = [...timed.filter(({ isHidden }) => !isHidden), ...more]
        const linked = more.flatMap((one) => one.slots.map(({ id }) => id))
        const hidden = timed.filter(({ isHidden }) => isHidden).map(({ slot }) => slot.id)
        const isLine = timed.some((one) => one.isLine)
        const isCovered = rows
          .toSorted((one, other) => one.fromMinute - other.fromMinute)
          .some((row, index, all) => index > 0 && row.fromMinute < all[index - 1]!.toMinute)
        return (
          lanes <= maxLanesOfWeek &&
          !(isLine && isCovered) &&
          timed.every(({ slot, fromMinute }) => fromMinute >= placeDay([slot]).timed[0]!.fromMinute) &&
          more.every((one) => one.slots.length > 1) &&
          linked.toSorted().join() === hidden.toSorted().join()
        )
      })
    },
  )

  t.test('the axis contains every timeslot with a time, and no empty hour at either end', async () => {
    check((slots) => {
      const day = placeDay(slots)
      const axis = axisOf([day])
      if (!axis) return day.timed.length === 0
      const touches = (hour: number) =>
        day.timed.some(({ fromMinute, toMinute }) => fromMinute < (hour + 1) * 60 && toMinute > hour * 60)
      const holds = day.timed.every(
        ({ fromMinute, toMinute }) => fromMinute >= axis.first * 60 && toMinute <= axis.last * 60,
      )
      return holds && touches(axis.first) && touches(axis.last - 1)
    })
  })
})

t.test(
  'lines are in the order of start times, with booked timeslots first at each time, and hidden only if they do not fit',
  async (t) => {
    const at = (id: number, minute: number, booked = 0) => ({ ...slotAt(id, minute, 180), booked })
    const { timed, more } = placeDay([at(1, 600), at(2, 540), at(3, 540, 2), at(4, 540)], maxLanesOfWeek)
    t.same(
      timed.map(({ slot, fromMinute }) => [slot.id, fromMinute]),
      [
        [3, 540],
        [2, 560],
        [4, 580],
        [1, 600],
      ],
    )
    t.same(more, [])
    const many = Array.from({ length: 12 }, (_, index) => at(index + 1, 540))
    t.match(placeDay(many, maxLanesOfWeek).more, [{ fromMinute: 680, toMinute: 700, slots: { length: 5 } }])
  },
)

t.test(
  'each timeslot gets the next free lane to the right of the one before it, or else the first free lane',
  async (t) => {
    const { timed } = placeDay([
      slotAt(1, 540, 60),
      slotAt(2, 550, 200),
      slotAt(3, 560, 60),
      slotAt(4, 570, 200),
      slotAt(5, 620, 60),
      slotAt(6, 625, 60),
    ])
    t.same(
      timed.map(({ lane }) => lane),
      [0, 1, 2, 3, 0, 2],
    )
  },
)

t.test('a timeslot extends over the free lanes to its right', async (t) => {
  const { timed } = placeDay([
    slotAt(1, 540, 240),
    slotAt(2, 540, 60),
    slotAt(3, 540, 60),
    slotAt(4, 660, 60),
  ])
  t.match(
    timed.map(({ slot, lane, span, lanes }) => [slot.id, lane, span, lanes]),
    [
      [1, 0, 1, 3],
      [2, 1, 1, 3],
      [3, 2, 1, 3],
      [4, 1, 2, 3],
    ],
  )
})

t.test(
  'a timeslot that ends after midnight extends the axis, and one of more than a day is in the all-day row',
  async (t) => {
    const night = placeDay([slotAt(1, 22 * 60, 240)])
    t.match(night.timed, [{ fromMinute: 1320, toMinute: 1560 }])
    t.same(axisOf([night]), { first: 22, last: 26 })
    const long = placeDay([slotAt(1, 600, 3 * 1440)])
    t.match(long, { timed: [], allDay: [{ id: 1 }] })
    t.equal(axisOf([long]), null)
    t.match(
      placeDay([slotAt(1, 23 * 60, 1440)]).timed,
      [{ toMinute: 30 * 60 }],
      'the axis ends at 06:00 of the next day',
    )
  },
)

t.test('on a day when the clocks change, a timeslot ends at its local end time', async (t) => {
  const ending = (time: string, localEnd: string) => ({
    ...slotAt(1, 0, 0),
    time,
    localEnd: `${date}T${localEnd}:00`,
  })
  const [spring] = placeDay([ending('00:30', '02:30')]).timed
  t.match(spring, { fromMinute: 30, toMinute: 150 }, 'the skipped hour is within the timeslot')
  const [autumn] = placeDay([ending('01:30', '01:30')]).timed
  t.match(
    autumn,
    { fromMinute: 90, toMinute: 120 },
    'a timeslot within a repeated hour has the minimum height',
  )
  const [backwards] = placeDay([ending('01:45', '01:15')]).timed
  t.match(backwards, { fromMinute: 105, toMinute: 135 })
})

t.test('a timeslot with opening hours is in the all-day row', async (t) => {
  const museum = { ...slotAt(1, 540, 480), openingHours: [{ opens: '09:00', closes: '17:00' }] }
  t.match(placeDay([museum, slotAt(2, 600, 60)]), {
    allDay: [{ id: 1 }],
    timed: [{ slot: { id: 2 } }],
    lanes: 1,
  })
})

t.test(
  'a month is shown in whole weeks, and its links lead to the same day of another month, or to its last day',
  async (t) => {
    t.same(rangeOf({ view: 'month', date: '2030-06-15' }), { from: '2030-05-27', to: '2030-06-30' })
    t.equal(daysOf({ view: 'month', date: '2030-06-15' }).length, 35)
    t.equal(stepFrom({ view: 'month', date: '2030-01-31' }, 1), '2030-02-28')
    t.equal(stepFrom({ view: 'month', date: '2030-03-31' }, -1), '2030-02-28')
    t.equal(stepFrom({ view: 'month', date: '2030-12-15' }, 1), '2031-01-15')
    t.equal(stepFrom({ view: 'week', date: '2030-12-30' }, 1), '2031-01-06')
    for (const end of ['0001-01-01', '9999-12-31']) {
      for (const view of ['day', 'week', 'month'] as const) t.ok(daysOf({ view, date: end }).includes(end))
      t.match(stepFrom({ view: 'month', date: end }, end > '5' ? 1 : -1), /^\d{4}-\d\d-\d\d$/)
    }
  },
)

t.test('products have different letters, and keep letters and colours when products are added', async (t) => {
  const names = ['Kayak', 'Kayak tour', 'Ponta da Piedade tour', 'Kite trip', '!!', 'Çay & é']
  const products = names.map((name, index) => ({ id: index + 1, name }))
  const marks = marksOf(products.toReversed())
  t.same(
    products.map(({ id }) => marks.get(id)!.mark),
    ['KA', 'KT', 'PP', 'KT2', '?', 'ÇÉ'],
  )
  const more = marksOf([...products, { id: 99, name: 'Another' }])
  for (const { id } of products) t.same(more.get(id), marks.get(id))
})

t.test('up to twice as many products as there are hues have different colours', async (t) => {
  const products = Array.from({ length: 2 * hueCount }, (_, index) => ({ id: index + 1, name: `P${index}` }))
  const colours = [...marksOf(products).values()].map(({ colour }) => colour)
  t.equal(new Set(colours).size, 2 * hueCount)
})
