/**
 * Pure rules of places: which bookings take places, how many places a change takes and frees, and which
 * waiting party gets an offer.
 */

export type BookingStatus = 'held' | 'waitlisted' | 'confirmed' | 'cancelled' | 'expired'

/** The places of a booking on its timeslot. A booking takes them only while it is held or confirmed. */
export type PlacesTaken = {
  accountId: number
  status: BookingStatus
  timeslotId: number
  places: number
}
/** `from` is null for a new booking. */
export type PlacesChange = { from: (PlacesTaken & { id: number }) | null; to: PlacesTaken }

/** The change of a timeslot's counters; negative numbers free places. */
export type Delta = { accountId: number; timeslotId: number; booked: number; held: number }

/**
 * A name for a timeslot that is unique over all accounts: a test account has timeslots with the ids of its
 * live account.
 */
export function timeslotKey(accountId: number, timeslotId: number): string {
  return `${accountId} ${timeslotId}`
}

/**
 * The changes of the counters of each timeslot, summed up and ordered by timeslot id. Timeslots whose
 * counters stay the same are left out.
 */
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

/**
 * The timeslots on which the changes take more places than they free. `places` is the difference: places
 * taken minus places freed.
 */
export function sumTaken(changes: readonly PlacesChange[]): TimeslotDemand[] {
  return sumDeltas(changes)
    .map(({ accountId, timeslotId, booked, held }) => ({ accountId, timeslotId, places: booked + held }))
    .filter(({ places }) => places > 0)
}

/**
 * The waiting parties that get an offer of free places: in their order, each party for which enough free
 * places remain. A party that does not fit stays on the waitlist and does not block the parties behind it.
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
 * Allocates places in the order of the requests. Each request gets all its places, or no place if too few are
 * free. A refused request takes no places from later requests.
 * @param free the free places of each timeslot, by id. A timeslot that is not in the map has none.
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
