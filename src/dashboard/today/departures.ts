/** The departures of a day: who comes to each, how many are here, and which one is now or next. Pure. */
import type { Timeslot } from '../../catalogue/timeslots/editing/service.ts'
import type { BookingRecord } from '../../sales/booking/desk/schemas.ts'

export type Departure = {
  slot: Timeslot
  parties: readonly BookingRecord[]
  /** Of all its parties. */
  people: number
  peopleHere: number
  when: 'over' | 'now' | 'next' | 'later'
}

/**
 * The departures in the order of the timeslots.
 * @param isToday whether one of them can be the next: of those with parties, or if nobody has any, of all.
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
  }
}

/** Departures as they are shown: each alone, but those in a row to which nobody comes, as one group. */
export type DepartureGroup = { isEmpty: boolean; departures: Departure[] }

/** What is marked as now or next is never folded away with others. */
function groupDepartures(departures: readonly Departure[]): DepartureGroup[] {
  const groups: DepartureGroup[] = []
  for (const departure of departures) {
    const isMarked = departure.when === 'now' || departure.when === 'next'
    const isEmpty = departure.parties.length === 0 && !isMarked
    const last = groups.at(-1)
    if (isEmpty && last?.isEmpty) last.departures.push(departure)
    else groups.push({ isEmpty, departures: [departure] })
  }
  return groups
}

/** What is shown under one heading. */
export type Moment = { title: string; name: 'now' | 'later' | 'over' | 'day'; groups: DepartureGroup[] }

/**
 * The departures in the order in which they are shown: on the day itself what is now and next, then what is later, then
 * what is over; on any other day all of them. There is no moment without any.
 */
export function momentsOf(departures: readonly Departure[], isToday: boolean): Moment[] {
  const groups = groupDepartures(departures)
  const moments: Moment[] = [
    { title: 'Now and next', name: 'now', groups: [] },
    { title: 'Later', name: 'later', groups: [] },
    { title: 'Over', name: 'over', groups: [] },
    { title: 'Timeslots', name: 'day', groups: [] },
  ]
  for (const group of groups) {
    const name = isToday ? momentOf(group) : 'day'
    moments.find((moment) => moment.name === name)!.groups.push(group)
  }
  return moments.filter((moment) => moment.groups.length > 0)
}

function momentOf({ departures }: DepartureGroup): Moment['name'] {
  if (departures.some(({ when }) => when === 'now' || when === 'next')) return 'now'
  return departures.every(({ when }) => when === 'over') ? 'over' : 'later'
}
