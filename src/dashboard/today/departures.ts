/** The departures of a day: parties, check-in, and which one is now or next. Pure. */
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'

export type Departure = {
  slot: Timeslot
  parties: readonly BookingRecord[]
  /** The people of all parties, how many of them are checked in, and how many are marked as no-shows. */
  people: number
  peopleHere: number
  peopleAbsent: number
  when: 'over' | 'now' | 'next' | 'later'
}

/**
 * The departures in the order of the timeslots.
 * @param isToday whether to mark the next departures: of those that begin later than now, the earliest with
 * parties, or the earliest if none has parties.
 */
export function departuresOf(
  slots: readonly Timeslot[],
  parties: readonly BookingRecord[],
  { now, isToday }: { now: number; isToday: boolean },
): Departure[] {
  const partiesOf = new Map(slots.map(({ id }) => [id, [] as BookingRecord[]]))
  for (const party of parties) partiesOf.get(party.TimeslotID)?.push(party)
  const ahead = slots.filter(({ startsAt }) => startsAt.getTime() > now)
  const taken = ahead.filter(({ id }) => partiesOf.get(id)!.length > 0)
  const starts = (taken.length > 0 ? taken : ahead).map(({ startsAt }) => startsAt.getTime())
  const next = isToday ? Math.min(...starts) : null
  return slots.map((slot) => {
    const own = partiesOf.get(slot.id)!
    const isNext = slot.startsAt.getTime() === next && (own.length > 0 || taken.length === 0)
    const when = isNext ? 'next' : whenOf(slot, now)
    return { slot, parties: own, ...countPeople(own), when }
  })
}

function whenOf({ startsAt, endsAt }: Timeslot, now: number): Departure['when'] {
  if (startsAt.getTime() > now) return 'later'
  return endsAt.getTime() > now ? 'now' : 'over'
}

export function countPeople(parties: readonly BookingRecord[]) {
  return {
    people: parties.reduce((sum, { Participants }) => sum + Participants, 0),
    peopleHere: parties.reduce((sum, { PeopleHere }) => sum + PeopleHere, 0),
    peopleAbsent: parties.reduce((sum, { PeopleAbsent = 0 }) => sum + PeopleAbsent, 0),
  }
}

/**
 * Departures that are displayed together: one with parties, the next one, or consecutive ones without
 * parties.
 */
export type DepartureGroup = { isEmpty: boolean; departures: Departure[] }

/** The departures under one heading. */
export type Moment = { name: (typeof momentNames)[number]; groups: DepartureGroup[] }

const momentNames = ['now', 'later', 'over', 'day'] as const

/**
 * The departures under their headings. Today: first the departures that are under way or next, then later
 * ones, then past ones. Other days have one heading. Headings without departures are left out. The next
 * departure is never in a group with others.
 */
export function momentsOf(departures: readonly Departure[], isToday: boolean): Moment[] {
  const moments: Moment[] = momentNames.map((name) => ({ name, groups: [] }))
  let last: (DepartureGroup & Pick<Moment, 'name'>) | null = null
  for (const departure of departures) {
    const { parties, when } = departure
    const name = isToday ? (when === 'next' ? 'now' : when) : 'day'
    const isEmpty = parties.length === 0 && when !== 'next'
    if (isEmpty && last?.isEmpty && last.name === name) {
      last.departures.push(departure)
      continue
    }
    last = { name, isEmpty, departures: [departure] }
    moments.find((moment) => moment.name === name)!.groups.push(last)
  }
  return moments.filter(({ groups }) => groups.length > 0)
}
