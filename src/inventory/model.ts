/** Pure rules of places: which bookings take them, what a change takes and gives back, and who is offered what. */

export type BookingStatus = 'held' | 'waitlisted' | 'confirmed' | 'cancelled' | 'expired'

/** What a booking takes of which timeslot. */
export type PlacesTaken = {
  accountId: number
  status: BookingStatus
  timeslotId: number
  places: number
}
/** `from` is null for a booking that is made. */
export type PlacesChange = { from: (PlacesTaken & { id: number }) | null; to: PlacesTaken }

/** What a timeslot's counters are to be raised by; negative gives places back. */
export type Delta = { accountId: number; timeslotId: number; booked: number; held: number }

/** What a timeslot is known by among several accounts: a test account has timeslots with the ids of its live account. */
export function timeslotKey(accountId: number, timeslotId: number): string {
  return `${accountId} ${timeslotId}`
}

/** The sum of what changes do to the counters of each timeslot they touch, by id. */
export function sumDeltas(changes: readonly PlacesChange[]): Delta[] {
  const sums = new Map<string, Delta>()
  const add = ({ accountId, status, timeslotId, places }: PlacesTaken, sign: 1 | -1) => {
    const key = timeslotKey(accountId, timeslotId)
    const sum = sums.get(key) ?? { accountId, timeslotId, booked: 0, held: 0 }
    if (status === 'confirmed') sum.booked += sign * places
    if (status === 'held') sum.held += sign * places
    sums.set(key, sum)
  }
  for (const { from, to } of changes) {
    if (from) add(from, -1)
    add(to, 1)
  }
  return [...sums.values()]
    .filter(({ booked, held }) => booked !== 0 || held !== 0)
    .sort((one, other) => one.timeslotId - other.timeslotId)
}

/** How many more places of a timeslot are needed. */
export type TimeslotDemand = { accountId: number; timeslotId: number; places: number }

/** How many places of each timeslot changes would take more than they give back: those above 0 only. */
export function sumTaken(changes: readonly PlacesChange[]): TimeslotDemand[] {
  return sumDeltas(changes)
    .map(({ accountId, timeslotId, booked, held }) => ({ accountId, timeslotId, places: booked + held }))
    .filter(({ places }) => places > 0)
}

/**
 * Who of those that wait is offered free places: each in turn who fits into what is left. A party that does not
 * fit stays where it is and keeps nobody behind it waiting.
 */
export function chooseOffers<T extends { places: number }>(free: number, waiting: readonly T[]): T[] {
  let left = free
  return waiting.filter(({ places }) => {
    if (places > left) return false
    left -= places
    return true
  })
}

export type PlaceRequest = { timeslotId: number; places: number }
export type Allocation = { granted: true } | { granted: false; available: number }

/**
 * Shares out places in the order of the requests: each gets all it asks for if that is still free, or
 * nothing. A party that does not fit takes nothing from those behind it.
 * @param free places free on each timeslot; a timeslot that is missing has none.
 */
export function allocate(free: ReadonlyMap<number, number>, requests: readonly PlaceRequest[]): Allocation[] {
  const left = new Map(free)
  return requests.map(({ timeslotId, places }) => {
    const available = left.get(timeslotId) ?? 0
    if (places > available) return { granted: false, available }
    left.set(timeslotId, available - places)
    return { granted: true }
  })
}
