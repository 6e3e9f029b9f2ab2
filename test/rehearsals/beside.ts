/**
 * Two versions serve one schema and change each other's bookings: parties of units, private tours and
 * reservations. Each replays responses that the other stored for an idempotency key. A cancelled booking must
 * free all places that it took.
 */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Sql } from '../../src/platform/postgres/database.ts'
import type { Tally, World } from '../fleet/load.ts'
import { bookingBody, bookingPath, makeProduct } from '../helper.ts'
import { giveUnits } from '../sales/booking/unit-fixtures.ts'

type Versions = { sql: Sql; world: World; tally: Tally; oldUrl: string; newUrl: string }
type Sold = {
  BookingReference: string
  Participants: number
  Total: { Amount: string }
  PeopleHere: number
  PeopleAbsent: number
}
type Reserved = { uuid: string; supplierReference: string; status: string }
type Answer = { status: number; replayed: boolean; json: { data: Sold } & Reserved }
type Ask = (url: string, path: string, body?: object, key?: string) => Promise<Answer>
type Party = { party: object; time?: string; activityId: string }

const day = '2030-06-15'
const operatorPath = '/api/v2/operator/bookings'

/** Each version changes bookings that the other made. @throws at the first difference. */
export async function sellBeside(versions: Versions): Promise<void> {
  const scene = await prepare(versions)
  await changeByOld(scene)
  await moveTourByOld(scene)
  await checkInByOld(scene)
  await amendByNew(scene)
  await holdByNew(scene)
  await replayKeys(scene)
}

type Scene = Awaited<ReturnType<typeof prepare>>

/** A product with units and one for private tours, each with two timeslots, and functions that call both versions. */
async function prepare({ sql, world, tally, oldUrl, newUrl }: Versions) {
  const [account] = await sql<{ id: number }[]>`select account_id as id from accounts`
  const make = (name: string, capacity: number) => {
    const slots = { [`${day} 10:00`]: capacity, [`${day} 11:00`]: capacity }
    return makeProduct(sql, account!.id, { name, slots })
  }
  const [tour, boat] = [await make('Family tour', 20), await make('Private boat', 8)]
  const [adult, child, infant, family] = await giveUnits(sql, account!.id, tour.id, [
    { name: 'Adult', type: 'ADULT' },
    { name: 'Child', type: 'CHILD', priceMinor: 2500 },
    { name: 'Infant', type: 'INFANT', priceMinor: 0, places: 0 },
    { name: 'Family', type: 'FAMILY', priceMinor: 11_000, places: 4, people: 4 },
  ])
  await sql`
    update products set priced_per_booking = true, takes_timeslot = true, max_places = 6, sells_plainly = false
    where id = ${boat.id}`
  const ask = createAsk(world.token, tally)
  /** Fails unless this many places are taken on the timeslots at 10:00 and 11:00. */
  async function expectTaken(product: { id: number }, wanted: [number, number], when: string): Promise<void> {
    const rows = await sql<{ booked: number }[]>`
      select booked from timeslots where product_id = ${product.id} and date = ${day} order by time`
    expect(
      `places taken ${when}`,
      rows.map(({ booked }) => booked),
      wanted,
    )
  }
  async function book(url: string, { activityId, party, time = '10:00' }: Party, key?: string) {
    const body = bookingBody(activityId, { Time: time, Participants: undefined, ...party })
    const made = await ask(url, bookingPath, body, key)
    expect(`status of a booking at ${url}`, made.status, 201)
    if (!made.replayed) tally.bookings.push(made.json.data.BookingReference)
    return made
  }
  const change = async (url: string, reference: string, action: string, body: object = {}) => {
    const { status, json } = await ask(url, `${operatorPath}/${reference}/${action}`, body)
    expect(`status of ${action}`, status, 200)
    // A booking that was only held was never sold.
    if (action === 'cancel' && tally.bookings.includes(reference)) tally.cancelled.push(reference)
    return json.data
  }
  const read = async (url: string, reference: string) =>
    (await ask(url, `${operatorPath}/${reference}`)).json.data
  const octo = async (path: string, body?: object) => {
    const { status, json } = await ask(newUrl, `/octo/bookings${path}`, body)
    expect(`status of ${path || 'a reservation'}`, status, 200)
    return json as Reserved
  }
  const units = { adult: adult!, child: child!, infant: infant!, family: family! }
  return { octo, tally, tour, boat, units, oldUrl, newUrl, book, change, read, expectTaken }
}

/**
 * The previous version reads, moves and cancels bookings of children, of infants without places, and of a
 * family.
 */
async function changeByOld({ tour, units, oldUrl, newUrl, book, change, read, expectTaken }: Scene) {
  const { activityId } = tour
  const { adult, child, infant, family } = units
  const some = [of(adult, 2), of(child, 1), of(infant, 1)]
  const made = (await book(newUrl, { activityId, party: { Units: some } })).json.data
  const big = (await book(newUrl, { activityId, party: { Units: [of(family, 1)] } })).json.data
  await expectTaken(tour, [7, 0], 'by bookings with units')
  // A version without units reads the number of places instead of people, and an infant takes no place.
  const { Participants } = await read(oldUrl, made.BookingReference)
  expect('participants as the previous version reads them', [3, 4].includes(Participants), true)
  await change(oldUrl, made.BookingReference, 'move', { Date: day, Time: '11:00' })
  await expectTaken(tour, [4, 3], 'after the previous version moved one')
  const moved = await read(newUrl, made.BookingReference)
  expect('a party moved by the previous version', [moved.Participants, moved.Total.Amount], [4, '115.00'])
  for (const { BookingReference } of [made, big]) await change(oldUrl, BookingReference, 'cancel')
  await expectTaken(tour, [0, 0], 'after the previous version cancelled them')
}

/** The previous version moves and cancels a booking that takes the whole timeslot. */
async function moveTourByOld({ boat, oldUrl, newUrl, book, change, read, expectTaken }: Scene) {
  const { activityId } = boat
  const made = (await book(newUrl, { activityId, party: { Participants: 3 } })).json.data
  await expectTaken(boat, [8, 0], 'by a private tour')
  await change(oldUrl, made.BookingReference, 'move', { Date: day, Time: '11:00' })
  await expectTaken(boat, [0, 8], 'after the previous version moved a private tour')
  const moved = await read(newUrl, made.BookingReference)
  expect('a tour moved by the previous version', [moved.Participants, moved.Total.Amount], [3, '45.00'])
  await change(oldUrl, made.BookingReference, 'cancel')
  await expectTaken(boat, [0, 0], 'after the previous version cancelled it')
}

/**
 * The previous version checks in a late-comer of a party that is marked as partly absent, and clears the
 * attendance.
 */
async function checkInByOld({ tour, units, oldUrl, newUrl, book, change, read }: Scene) {
  const party = { Units: [of(units.adult, 3)] }
  const { BookingReference } = (await book(newUrl, { activityId: tour.activityId, party })).json.data
  const attend = (url: string, body: object) => change(url, BookingReference, 'attendance', body)
  const expectCounted = async (wanted: [number, number], when: string) => {
    const { PeopleHere, PeopleAbsent } = await read(newUrl, BookingReference)
    expect(`people here and absent ${when}`, [PeopleHere, PeopleAbsent], wanted)
  }
  const marked = { Attendance: 'checked-in', PeopleHere: 1, PeopleAbsent: 2 }
  await attend(newUrl, marked)
  await attend(oldUrl, { Attendance: 'checked-in', PeopleHere: 2 })
  await expectCounted([2, 1], 'after the previous version checked in a late-comer')
  await attend(oldUrl, { Attendance: null })
  await attend(oldUrl, { Attendance: 'checked-in', PeopleHere: 1 })
  await expectCounted([1, 0], 'after the previous version took back a check-in')
  await change(oldUrl, BookingReference, 'cancel')
}

/** This version adds people and units to a booking that the previous version made. */
async function amendByNew({ tour, units, oldUrl, newUrl, book, change, expectTaken }: Scene) {
  const { activityId } = tour
  const made = (await book(oldUrl, { activityId, party: { Participants: 2 } })).json.data
  const more = await change(newUrl, made.BookingReference, 'amend', { Participants: 3 })
  expect(
    'three people in a booking of the previous version',
    [more.Participants, more.Total.Amount],
    [3, '135.00'],
  )
  const Units = [of(units.adult, 2), of(units.child, 1), of(units.infant, 1)]
  const mixed = await change(newUrl, made.BookingReference, 'amend', { Units })
  expect('units instead of participants', [mixed.Participants, mixed.Total.Amount], [4, '115.00'])
  await expectTaken(tour, [3, 0], 'after this version amended a booking of the previous one')
  await change(oldUrl, made.BookingReference, 'cancel')
  await expectTaken(tour, [0, 0], 'after it was cancelled')
}

/** The previous version cancels and moves reservations that resellers made with this version, confirmed or not. */
async function holdByNew({ tour, units, octo, tally, oldUrl, change, expectTaken }: Scene) {
  const reserve = () =>
    octo('', {
      ...{ productId: tour.activityId, optionId: 'DEFAULT', availabilityId: `${day}T10:00:00+01:00` },
      unitItems: [{ unitId: String(units.adult) }, { unitId: String(units.child) }],
    })
  const read = async ({ uuid }: Reserved) => (await octo(`/${uuid}`)).status
  const [held, sold] = [await reserve(), await reserve()]
  await change(oldUrl, held.supplierReference, 'cancel')
  expect('a reservation that the previous version cancelled', await read(held), 'CANCELLED')
  await octo(`/${sold.uuid}/confirm`, { contact: {} })
  tally.bookings.push(sold.supplierReference)
  await expectTaken(tour, [2, 0], 'by a reservation that was confirmed')
  await change(oldUrl, sold.supplierReference, 'move', { Date: day, Time: '11:00' })
  await expectTaken(tour, [0, 2], 'after the previous version moved it')
  expect('a reservation that the previous version moved', await read(sold), 'CONFIRMED')
  await change(oldUrl, sold.supplierReference, 'cancel')
  await expectTaken(tour, [0, 0], 'after the previous version cancelled it')
}

/**
 * Each version replays responses that the other stored. This version stores the response for a tour in one
 * statement, and for a private boat in a transaction.
 */
async function replayKeys({ tour, boat, oldUrl, newUrl, book, change, expectTaken }: Scene) {
  for (const [first, second, { id, activityId }] of [
    [oldUrl, newUrl, tour],
    [newUrl, oldUrl, tour],
    [newUrl, oldUrl, boat],
  ] as const) {
    const key = randomUUID()
    const wanted = { activityId, party: { Participants: 2 } }
    const made = await book(first, wanted, key)
    const again = await book(second, wanted, key)
    expect('a key of the other version is replayed', [made.replayed, again.replayed], [false, true])
    // The other version may omit only fields that are new in this version, and it adds no field.
    const known = Object.keys(again.json.data)
    const both = Object.entries(made.json.data).filter(([name]) => known.includes(name))
    expect('the answer of the other version', again.json.data, Object.fromEntries(both))
    const omitted = Object.keys(made.json.data).filter((name) => !known.includes(name))
    expect(
      'fields that only this version has',
      omitted.every((name) => ['Units', 'Total'].includes(name)),
      true,
    )
    await change(newUrl, made.json.data.BookingReference, 'cancel')
    await expectTaken({ id }, [0, 0], 'once a booking that was replayed is cancelled')
  }
}

const of = (UnitID: number, Quantity: number) => ({ UnitID, Quantity })

function expect(what: string, found: unknown, wanted: unknown): void {
  if (isDeepStrictEqual(found, wanted)) return
  throw new Error(`${what}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`)
}

/** Sends requests, and counts each of them in the tally of the load. */
function createAsk(token: string, tally: Tally): Ask {
  return async (url, path, body, key) => {
    tally.requests++
    const answer = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const json = await answer.json()
    const replayed = answer.headers.get('idempotency-replayed') === 'true'
    return { status: answer.status, replayed, json } as Answer
  }
}
