/**
 * OCTO's bookings as its specification and docs/octo.md define them: the effect of each request, or the errors that
 * may refuse it. It uses no code of the service; test/octo/model.test.ts compares the two.
 */

export type Unit = 'adult' | 'child' | 'person'
export type Status = 'ON_HOLD' | 'CONFIRMED' | 'REDEEMED' | 'CANCELLED' | 'EXPIRED'
/** `uuid` is null until the service has generated it. */
export type ModelItem = { uuid: string | null; unit: Unit; isRedeemed: boolean }

/** Fields of a request that do not affect places. */
export type Said = { notes?: string; resellerReference?: string; fullName?: string }
export type GivenItems = { uuid: string | null; unit: Unit }[]

export type ModelBooking = {
  reseller: number
  uuid: string
  /** The request that made it, as text. */
  request: string
  status: 'held' | 'confirmed' | 'cancelled' | 'expired'
  /** The hold has expired, but its places may still be counted until the sweep. */
  isOver: boolean
  isConfirmed: boolean
  isCheckedIn: boolean
  slot: number
  items: ModelItem[]
  notes: string | null
  resellerReference: string | null
  fullName: string | null
}

export type Slot = { product: 'tour' | 'sauna'; capacity: number }
export type Model = { slots: Slot[]; bookings: ModelBooking[]; cutoffPassed: boolean }

/** Names a booking of one reseller. The booking need not exist. */
type Named = { reseller: number; uuid: string }
export type Request =
  | (Named & { do: 'reserve'; request: string; slot: number; items: GivenItems; said: Said })
  | (Named & { do: 'confirm'; items?: GivenItems; said: Said })
  | (Named & { do: 'update'; slot?: number; items?: GivenItems; said: Said })
  | (Named & { do: 'extend' })
  | (Named & { do: 'cancel' })

/** `errors`: the service may return any of them, because the request may break several rules. */
export type Expected = { errors: string[]; booking?: never } | { errors?: never; booking: ModelBooking }

const gone = 'INVALID_BOOKING_UUID'
const refused = 'UNPROCESSABLE_ENTITY'
const maxChildren = 2

export function find({ bookings }: Model, { reseller, uuid }: Named): ModelBooking | null {
  return bookings.find((booking) => booking.reseller === reseller && booking.uuid === uuid) ?? null
}

/** Applies the request to the model, and returns the expected response. */
export function step(model: Model, request: Request): Expected {
  const booking = find(model, request)
  if (request.do === 'reserve') return booking ? replay(booking, request.request) : reserve(model, request)
  if (!booking) return { errors: [gone] }
  if (request.do === 'cancel') return cancel(model, booking)
  if (request.do === 'confirm' && booking.status === 'confirmed') return { booking }
  const errors = [...endedErrors(booking)]
  if (request.do === 'extend') {
    if (booking.status === 'confirmed') errors.push(refused)
    return errors.length > 0 ? { errors } : { booking }
  }
  const slot = request.do === 'update' ? (request.slot ?? booking.slot) : booking.slot
  const change = planItems(booking, request.items, isOtherProduct(model, booking, slot))
  if (change) errors.push(...placesErrors(model, booking, { slot, ...change }))
  else errors.push(refused)
  if (!change || errors.length > 0) return { errors }
  Object.assign(booking, { slot, items: change.items })
  setTexts(booking, request.said)
  if (request.do === 'confirm') Object.assign(booking, { status: 'confirmed', isConfirmed: true })
  return { booking }
}

function replay(booking: ModelBooking, request: string): Expected {
  return booking.request === request ? { booking } : { errors: [gone] }
}

function reserve(model: Model, asked: Extract<Request, { do: 'reserve' }>): Expected {
  const { reseller, uuid, request, slot, said } = asked
  const booking: ModelBooking = {
    ...{
      reseller,
      uuid,
      request,
      slot,
      status: 'held',
      isOver: false,
      isConfirmed: false,
      isCheckedIn: false,
    },
    ...{ notes: null, resellerReference: null, fullName: null },
    items: asked.items.map((item) => ({ ...item, isRedeemed: false })),
  }
  if (breaksRules(booking.items) || freeFor(model, booking, slot) < booking.items.length)
    return { errors: [refused] }
  setTexts(booking, said)
  model.bookings.push(booking)
  return { booking }
}

function cancel({ cutoffPassed }: Model, booking: ModelBooking): Expected {
  if (booking.status === 'held' && booking.isOver) return { booking }
  if (booking.status === 'confirmed' && (cutoffPassed || isRedeemed(booking))) return { errors: [refused] }
  if (booking.status !== 'expired') booking.status = 'cancelled'
  return { booking }
}

/** The error of changing a booking that has ended; empty if it has not ended. */
function endedErrors({ status, isOver }: ModelBooking): string[] {
  if (status === 'cancelled') return [refused]
  return status === 'expired' || (status === 'held' && isOver) ? [gone] : []
}

type ItemsPlan = { items: ModelItem[]; isOther: boolean }

/**
 * Plans which items stay and which are added. Null if the request moves to another product without items. An
 * item without a uuid matches the first remaining item of its unit.
 */
function planItems(
  booking: ModelBooking,
  given: GivenItems | undefined,
  isOtherProduct: boolean,
): ItemsPlan | null {
  if (!given) return isOtherProduct ? null : { items: booking.items, isOther: false }
  const left = new Set(booking.items)
  const kept = new Set<ModelItem>()
  const added: ModelItem[] = []
  const match = ({ uuid, unit }: GivenItems[number]) => {
    const item = [...left].find((one) => one.unit === unit && (uuid === null || one.uuid === uuid))
    if (item && left.delete(item)) kept.add(item)
    return item
  }
  const named = new Map(given.filter(({ uuid }) => uuid !== null).map((one) => [one, match(one)]))
  for (const one of given)
    if (!(named.get(one) ?? (one.uuid === null && match(one)))) added.push({ ...one, isRedeemed: false })
  return {
    items: [...booking.items.filter((item) => kept.has(item)), ...added],
    isOther: left.size + added.length > 0,
  }
}

function placesErrors(
  model: Model,
  booking: ModelBooking,
  { slot, items, isOther }: ItemsPlan & { slot: number },
): string[] {
  if (slot === booking.slot && !isOther) return []
  const isClosed = booking.status === 'confirmed' && (model.cutoffPassed || isRedeemed(booking))
  const isTooMany = freeFor(model, booking, slot) < items.length
  return isClosed || isTooMany || breaksRules(items) ? [refused] : []
}

function isOtherProduct({ slots }: Model, booking: ModelBooking, slot: number): boolean {
  return slots[slot]!.product !== slots[booking.slot]!.product
}

/** Children need an adult, and at most two children are allowed. */
function breaksRules(items: readonly { unit: Unit }[]): boolean {
  const children = items.filter(({ unit }) => unit === 'child').length
  return children > maxChildren || (children > 0 && !items.some(({ unit }) => unit === 'adult'))
}

/** Places that other bookings leave free. Places of expired holds count as free. */
function freeFor(model: Model, booking: ModelBooking | null, slot: number): number {
  return model.slots[slot]!.capacity - placesOf(model, slot, (one) => one !== booking && takesPlaces(one))
}

function placesOf({ bookings }: Model, slot: number, counts: (booking: ModelBooking) => boolean): number {
  return bookings
    .filter((booking) => booking.slot === slot && counts(booking))
    .reduce((sum, { items }) => sum + items.length, 0)
}

function takesPlaces({ status, isOver }: ModelBooking): boolean {
  return status === 'confirmed' || (status === 'held' && !isOver)
}

/** The range of valid vacancies: places of expired holds may be counted until the sweep releases them. */
export function vacanciesOf(model: Model, slot: number): { least: number; most: number } {
  const most = freeFor(model, null, slot)
  return { most, least: most - placesOf(model, slot, ({ status, isOver }) => status === 'held' && isOver) }
}

function setTexts(booking: ModelBooking, { notes, resellerReference, fullName }: Said): void {
  if (notes !== undefined) booking.notes = notes || null
  if (resellerReference !== undefined) booking.resellerReference = resellerReference
  if (fullName !== undefined) booking.fullName = fullName
}

function isRedeemed({ isCheckedIn, items }: ModelBooking): boolean {
  return isCheckedIn || items.some((item) => item.isRedeemed)
}

export function statusOf(booking: ModelBooking): Status {
  const { status, isOver } = booking
  if (status === 'confirmed') return isRedeemed(booking) ? 'REDEEMED' : 'CONFIRMED'
  if (status === 'cancelled') return 'CANCELLED'
  return status === 'held' && !isOver ? 'ON_HOLD' : 'EXPIRED'
}

/** If the party was checked in as a whole, every item is redeemed. */
export function itemStatusOf(booking: ModelBooking, item: ModelItem): Status {
  const status = statusOf(booking)
  if (status !== 'REDEEMED') return status
  const isWhole = booking.items.every((one) => !one.isRedeemed)
  return item.isRedeemed || isWhole ? 'REDEEMED' : 'CONFIRMED'
}

export function isCancellable({ cutoffPassed }: Model, booking: ModelBooking): boolean {
  const status = statusOf(booking)
  return status === 'ON_HOLD' || (status === 'CONFIRMED' && !cutoffPassed)
}
