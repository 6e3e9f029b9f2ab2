/** Schemas of schedules: in a catalogue file, in the operator's requests, and the effects of a change. */
import { type Static, type TProperties, Type } from '../../platform/schema/typebox.ts'
import { unitPricesSchema } from '../sale-schemas.ts'
import { idInPathSchema } from '../schemas.ts'
import {
  capacitySchema,
  clockTime,
  dateSchema,
  openingFields,
  openingHoursSchema,
} from '../timeslots/schemas.ts'
import { weekdays } from './model.ts'

const closedDatesDescription = 'Local dates of the pattern on which nothing takes place.'
const closedDates = { maxItems: 1000, uniqueItems: true, examples: [['2026-12-25']] }
const closedDateSchema = Type.String({ format: 'date' })

function timesUpTo(maxItems: number) {
  return Type.Array(Type.String(clockTime), {
    minItems: 1,
    maxItems,
    uniqueItems: true,
    description:
      'Local clock times of the timeslots on each of these days. On a day when a clock change skips a time, this timeslot is left out.',
    examples: [['10:00', '14:30']],
  })
}

/** The fields of a schedule, in all schemas. */
export const scheduleFields = {
  From: dateSchema('First local date.'),
  To: dateSchema('Last local date, included.'),
  Weekdays: Type.Array(Type.Enum([...weekdays]), {
    minItems: 1,
    uniqueItems: true,
    description: 'Days of the week that have timeslots.',
    examples: [['Mon', 'Wed']],
  }),
  Times: timesUpTo(1440),
  Capacity: capacitySchema,
  ClosedDates: Type.Array(closedDateSchema, { ...closedDates, description: closedDatesDescription }),
}

/** @param otherwise the value when the field is left out. */
export function optionalClosedDates(otherwise: string) {
  const description = `${closedDatesDescription} Default: ${otherwise}.`
  return Type.Optional(Type.Array(closedDateSchema, { ...closedDates, description }))
}

export const scheduleSchema = Type.Object(
  {
    ID: Type.Integer({ minimum: 1, examples: [4] }),
    ...scheduleFields,
    // These fields are optional, because a response stored for an Idempotency-Key may be from an
    // earlier version of the service, which did not have them.
    ...openingFields,
    UnitPrices: Type.Optional(unitPricesSchema),
  },
  { title: 'Schedule' },
)
export type ScheduleView = Static<typeof scheduleSchema>

// A request makes all timeslots of its schedule, in steps. With at most 96 times a day, these are about
// 40,000 timeslots in 400 days.
const writtenTimes = timesUpTo(96)

/**
 * The fields with the times of a day's timeslots. checkDaily() checks the rules between these fields.
 * @param periods JSON Schema options for the object of each opening period.
 */
export function dailyFields(
  times: ReturnType<typeof timesUpTo>,
  periods: { additionalProperties?: boolean } = {},
) {
  return {
    Times: Type.Optional(times),
    AllDay: Type.Optional(
      Type.Boolean({
        description: 'Whether each day has one timeslot with `OpeningHours`, and no `Times`.',
        examples: [false],
      }),
    ),
    OpeningHours: Type.Optional(
      openingHoursSchema(
        'Opening hours make the schedule all-day. The timeslot of a day has the first opening as its `Time`.',
        periods,
      ),
    ),
  }
}

export const newScheduleSchema = Type.Object(
  {
    ...scheduleFields,
    ...dailyFields(writtenTimes),
    ClosedDates: optionalClosedDates('none'),
    UnitPrices: Type.Optional(unitPricesSchema),
  },
  { title: 'NewSchedule' },
)
export type NewSchedule = Static<typeof newScheduleSchema>

const changeableFields = { ...scheduleFields, ...dailyFields(writtenTimes) }

export const scheduleChangeSchema = Type.Partial(
  Type.Object({ ...changeableFields, UnitPrices: unitPricesSchema }),
  { title: 'ScheduleChange', description: 'Fields that are left out stay as they are.' },
)
export type ScheduleChange = Static<typeof scheduleChangeSchema>

export const previewRequestSchema = Type.Object(
  {
    ScheduleID: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The schedule that the other fields change. If left out, they describe a new one.',
        examples: [4],
      }),
    ),
    ...Type.Partial(Type.Object(changeableFields)).properties,
  },
  { title: 'SchedulePreview' },
)
export type PreviewRequest = Static<typeof previewRequestSchema>

const slot = {
  Date: dateSchema('Local date.'),
  Time: Type.String({ ...clockTime, description: 'Local clock time.' }),
}
const existingTimeslot = { TimeslotID: Type.Integer({ minimum: 1, examples: [901] }), ...slot }

function several<T extends TProperties>(timeslot: T, description: string) {
  return Type.Object(
    {
      Count: Type.Integer({ minimum: 0, examples: [3] }),
      Timeslots: Type.Array(Type.Object(timeslot), {
        maxItems: 100,
        description: 'The earliest, at most 100.',
      }),
    },
    { description },
  )
}

const reasonSchema = Type.Enum(['edited', 'booked', 'held', 'waiting', 'exists'], {
  description:
    'The reason: it was edited by hand; places are booked or held; a party waits; or there is already a timeslot, made by hand or by another schedule.',
  examples: ['booked'],
})

/** The effects of a change of a schedule on timeslots that have not begun. */
export const effectsSchema = Type.Object(
  {
    Made: several(slot, 'New timeslots.'),
    Changed: several(
      existingTimeslot,
      'Timeslots that change with the schedule: they get its capacity and opening hours, and are opened again if a schedule had closed them.',
    ),
    Removed: several(existingTimeslot, 'Timeslots that are no longer in the pattern and are removed.'),
    Closed: several(
      existingTimeslot,
      'Timeslots that are no longer in the pattern and stay, closed, because cancelled or expired bookings refer to them.',
    ),
    Left: several(
      { ...existingTimeslot, Reason: reasonSchema },
      'Timeslots that differ from the schedule and stay as they are.',
    ),
  },
  { title: 'ScheduleEffects' },
)
export type EffectsView = Static<typeof effectsSchema>

export const scheduleResultSchema = Type.Object(
  { Schedule: scheduleSchema, Timeslots: effectsSchema },
  { title: 'ScheduleResult' },
)
export type ScheduleResult = Static<typeof scheduleResultSchema>

export const schedulePathSchema = Type.Object({ ProductID: idInPathSchema, ScheduleID: idInPathSchema })
