/** Pure rules of the opening hours of an all-day timeslot, as in the API and as in the database. */

/** Local clock times. If the closing is at or before the opening, it is on the next day. */
export type OpeningPeriod = { opens: string; closes: string }
export type OpeningHoursField = { Opens: string; Closes: string }[]

/** The times of a day's timeslots: clock times of starts, or opening hours. */
export type DailyFields = { Times?: string[]; AllDay?: boolean; OpeningHours?: OpeningHoursField }

const minutesOfDay = 1440

/**
 * Checks that each period opens after the previous period has closed (not at the same minute), and that the
 * last period closes at or before the first opening of the next day. The caller has checked the periods with
 * the schema. Returns an error for each field that is wrong.
 */
function checkOpeningHours(hours: OpeningHoursField): { field: string; message: string }[] {
  let before = -1
  const errors = hours.flatMap(({ Opens, Closes }, index) => {
    const [opens, closes] = [minuteOf(Opens), minuteOf(Closes)]
    const isEarly = opens <= before
    before = closes > opens ? closes : closes + minutesOfDay
    const message = 'must be after the previous closing'
    return isEarly ? [{ field: `OpeningHours[${index}].Opens`, message }] : []
  })
  const first = hours[0]
  if (first && before > minuteOf(first.Opens) + minutesOfDay) {
    const message = `must not be after the first opening of the next day, ${first.Opens}`
    errors.push({ field: `OpeningHours[${hours.length - 1}].Closes`, message })
  }
  return errors
}

function minuteOf(time: string): number {
  const [hours, minutes] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}

/**
 * Checks the same as checkOpeningHours(), and that the first opening is the time of the timeslot. An empty
 * list is valid.
 */
export function checkHoursFrom(time: string, hours: OpeningHoursField): { field: string; message: string }[] {
  const [first] = hours
  const errors = checkOpeningHours(hours)
  if (first && first.Opens !== time)
    errors.unshift({ field: 'OpeningHours[0].Opens', message: `must be the Time of the timeslot, ${time}` })
  return errors
}

/**
 * Checks the same as checkOpeningHours(), that Times or OpeningHours is given, and that AllDay is true only
 * with OpeningHours and false only without them. If OpeningHours is given, Times may be left out, or contain
 * only the first opening.
 */
export function checkDaily({ Times, AllDay, OpeningHours = [] }: DailyFields) {
  const [first] = OpeningHours
  if (!first) {
    if (AllDay) return [{ field: 'OpeningHours', message: 'is required while AllDay is true' }]
    return Times ? [] : [{ field: 'Times', message: 'is required unless OpeningHours is given' }]
  }
  const errors = checkOpeningHours(OpeningHours)
  if (AllDay === false) errors.push({ field: 'AllDay', message: 'must be true while OpeningHours is given' })
  if (Times && (Times.length > 1 || Times[0] !== first.Opens)) {
    const message = `must be left out, or be only the first opening, ${first.Opens}, while OpeningHours is given`
    errors.push({ field: 'Times', message })
  }
  return errors
}

/**
 * Merges given fields into the existing ones. Given opening hours replace the existing Times. `AllDay: false`
 * or empty opening hours remove the existing opening hours. Then the given Times apply, or else the existing
 * Times.
 * @param existing the existing fields. If they have opening hours, their Times are the first opening.
 */
export function mergeDaily(
  existing: Required<DailyFields>,
  { Times, AllDay, OpeningHours }: DailyFields,
): DailyFields {
  const isAllDay = OpeningHours ? OpeningHours.length > 0 : existing.AllDay && AllDay !== false
  if (isAllDay) return { Times, AllDay, OpeningHours: OpeningHours ?? existing.OpeningHours }
  return { Times: Times ?? existing.Times, AllDay, OpeningHours: [] }
}

/** The local clock times of a day's timeslots; for an all-day one, its first opening. */
export function timesOf({ Times = [], OpeningHours = [] }: DailyFields): string[] {
  const [first] = OpeningHours
  return first ? [first.Opens] : Times.toSorted()
}

/** Converts opening hours for the database. Null if the list is empty. */
export function toPeriods(hours: OpeningHoursField = []): OpeningPeriod[] | null {
  return hours.length > 0 ? hours.map(({ Opens, Closes }) => ({ opens: Opens, closes: Closes })) : null
}

/**
 * Opening hours as one text for a CSV file: `09:00–12:00 and 13:00–17:00`. Pages use `Texts.hours()` instead,
 * which writes them in the reader's language.
 */
export function hoursText(periods: readonly OpeningPeriod[]): string {
  const texts = periods.map(({ opens, closes }) => `${opens}–${closes}`)
  const last = texts.at(-1) ?? ''
  return texts.length > 1 ? `${texts.slice(0, -1).join(', ')} and ${last}` : last
}

/** The fields of opening hours in a response. */
export function openingView(periods: readonly OpeningPeriod[] | null) {
  const OpeningHours = (periods ?? []).map(({ opens, closes }) => ({ Opens: opens, Closes: closes }))
  return { AllDay: periods !== null, OpeningHours }
}
