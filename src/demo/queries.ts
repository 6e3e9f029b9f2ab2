/**
 * The SQL of the demo: finds timeslots, questions and bookings, and moves timeslots and tills to another day.
 */
import { freePlaces, isOnSale } from '../inventory/on-sale.ts'
import type { Queryable } from '../platform/postgres/database.ts'

export type DemoTimeslot = {
  id: number
  activity: string
  date: string
  time: string
  capacity: number
  free: number
  /** The required questions of the product. */
  questions: DemoQuestion[]
}

export type DemoQuestion = { id: number; label: string; type: string; options: string[]; appliesTo: string }

const maxSlots = 40

/**
 * The next timeslots that several parties can share, at most 40: open timeslots of published products, with a
 * capacity of at least 6 (even if they are full now), that begin more than an hour from now and within seven
 * days. All-day timeslots are left out.
 */
export function listComingSlots(sql: Queryable, accountId: number): Promise<DemoTimeslot[]> {
  return sql<DemoTimeslot[]>`
    select slot.id, products.activity_id as activity, slot.date, slot.time, slot.capacity,
      ${freePlaces(sql)} as free, ${questionsOf(sql)} as questions
    from timeslots as slot
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where slot.account_id = ${accountId} and products.in_shopfront and not products.takes_timeslot
      and slot.status = 'open' and slot.capacity >= 6
      and slot.opening_hours is null and slot.starts_at > app_now() + interval '1 hour'
      and slot.date <= (app_now() at time zone products.time_zone)::date + 7
    order by slot.starts_at, slot.id
    limit ${maxSlots}`
}

type DemoUnits = { id: number; type: string; people: number }[]
/** `units` is null for a product without units. */
export type EmptyTimeslot = DemoTimeslot & { units: DemoUnits | null }
export type AllDayTimeslot = DemoTimeslot & { units: DemoUnits }

/**
 * The empty timeslots of today and the next eight days, of products with units and of private tours. Without
 * all-day timeslots.
 */
export function listEmptySlots(sql: Queryable, accountId: number): Promise<EmptyTimeslot[]> {
  return sql<EmptyTimeslot[]>`
    select slot.id, products.activity_id as activity, slot.date, slot.time, slot.capacity, slot.capacity as free,
      ${unitsOf(sql)} as units, ${questionsOf(sql)} as questions
    from timeslots as slot
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where slot.account_id = ${accountId} and products.in_shopfront and slot.status = 'open'
      and (products.default_unit_id is not null or products.takes_timeslot)
      and slot.opening_hours is null and slot.booked + slot.held = 0 and slot.starts_at > app_now() + interval '1 hour'
      and slot.date <= (app_now() at time zone products.time_zone)::date + 8
    order by slot.starts_at, slot.id`
}

/** The optional question about health of each product that has one, as pairs of activity and question. */
export async function listHealthQuestions(sql: Queryable, accountId: number): Promise<[string, number][]> {
  const rows = await sql<{ activity: string; id: number }[]>`
    select products.activity_id as activity, min(questions.id) as id from questions
    join products on products.account_id = questions.account_id and products.id = questions.product_id
    where questions.account_id = ${accountId} and not questions.required and questions.label ilike '%health%'
    group by products.activity_id`
  return rows.map(({ activity, id }) => [activity, id])
}

/** The all-day timeslots of today and the next eight days that are on sale, of products with units. */
export function listAllDaySlots(sql: Queryable, accountId: number): Promise<AllDayTimeslot[]> {
  return sql<AllDayTimeslot[]>`
    select slot.id, products.activity_id as activity, slot.date, slot.time, slot.capacity, ${freePlaces(sql)} as free,
      ${unitsOf(sql)} as units, ${questionsOf(sql)} as questions
    from timeslots as slot
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where slot.account_id = ${accountId} and products.in_shopfront and ${isOnSale(sql)}
      and slot.opening_hours is not null and products.default_unit_id is not null
      and slot.date <= (app_now() at time zone products.time_zone)::date + 8
    order by slot.starts_at, slot.id`
}

/**
 * The next timeslot, after today, that is the only one of its product on its day, has no bookings, and can be
 * filled by one booking. Only of products without units; null if there is none.
 */
export async function findLoneSlot(sql: Queryable, accountId: number): Promise<DemoTimeslot | null> {
  const [slot] = await sql<DemoTimeslot[]>`
    select slot.id, products.activity_id as activity, slot.date, slot.time, slot.capacity, slot.capacity as free,
      ${questionsOf(sql)} as questions
    from timeslots as slot
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where slot.account_id = ${accountId} and products.in_shopfront and ${isOnSale(sql)}
      and products.default_unit_id is null and not products.takes_timeslot
      and slot.booked + slot.held = 0 and slot.capacity between 1 and products.max_places
      and slot.date > (app_now() at time zone products.time_zone)::date
      and (
        select count(*) from timeslots as other
        where other.account_id = slot.account_id and other.product_id = slot.product_id and other.date = slot.date
      ) = 1
    order by slot.starts_at, slot.id
    limit 1`
  return slot ?? null
}

function unitsOf(sql: Queryable) {
  return sql`(
    select json_agg(json_build_object('id', units.id, 'type', units.type, 'people', units.people))
    from units where units.account_id = products.account_id and units.product_id = products.id
      and units.position is not null
  )`
}

function questionsOf(sql: Queryable) {
  return sql`(
    select coalesce(json_agg(json_build_object('id', asked.id, 'label', asked.label, 'type', asked.type, 'options',
      asked.options, 'appliesTo', asked.applies_to) order by asked.position), '[]')
    from questions as asked where asked.account_id = products.account_id and asked.product_id = products.id
      and asked.required
  )`
}

/** The confirmed bookings in the order in which they were made, with their products and timeslots. */
export function listSold(sql: Queryable, accountId: number) {
  return sql<{ reference: string; activity: string; timeslotId: number }[]>`
    select bookings.reference, products.activity_id as activity, slot.id as "timeslotId"
    from bookings
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where bookings.account_id = ${accountId} and bookings.status = 'confirmed'
    order by bookings.created_at, bookings.id`
}

/** Moves the opening and the closing of a till to the day before. The till must have taken no cash. */
export async function moveToYesterday(sql: Queryable, accountId: number, tillId: number): Promise<void> {
  await sql`
    update tills set opened_at = opened_at - interval '1 day', closed_at = closed_at - interval '1 day'
    where account_id = ${accountId} and id = ${tillId}`
}

/** A product whose departures several parties share, and the date and time in its time zone now. */
export type DemoTour = {
  productId: number
  date: string
  /** The current minute of the day, in the time zone of the product. */
  minutes: number
  /** The minutes of the day at which timeslots of today and tomorrow already begin. */
  taken: number[]
}

/**
 * The first published product without units that several parties share, that can be booked until it begins
 * and for four people at once, and that lasts at least an hour. Null if there is none.
 */
export async function findTour(sql: Queryable, accountId: number): Promise<DemoTour | null> {
  const [tour] = await sql<DemoTour[]>`
    select products.id as "productId", (clock.local::date)::text as date,
      (extract(hour from clock.local) * 60 + extract(minute from clock.local))::integer as minutes,
      array(
        select distinct (extract(hour from slot.time) * 60 + extract(minute from slot.time))::integer
        from timeslots as slot
        where slot.account_id = products.account_id and slot.product_id = products.id
          and slot.date between clock.local::date and clock.local::date + 1
      ) as taken
    from products
    cross join lateral (select app_now() at time zone products.time_zone as local) as clock
    where products.account_id = ${accountId} and products.in_shopfront and not products.takes_timeslot
      and products.default_unit_id is null and products.booking_cutoff_minutes = 0 and products.max_places >= 4
      and duration_minutes >= 60
    order by products.id limit 1`
  return tour ?? null
}

/** The timeslot with this id, which must exist. */
export async function findDemoSlot(sql: Queryable, accountId: number, id: number): Promise<DemoTimeslot> {
  const [slot] = await sql<DemoTimeslot[]>`
    select slot.id, products.activity_id as activity, slot.date, slot.time, slot.capacity,
      ${freePlaces(sql)} as free, ${questionsOf(sql)} as questions
    from timeslots as slot
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where slot.account_id = ${accountId} and slot.id = ${id}`
  return slot!
}

/** Moves a timeslot to another date, at the same time. */
export async function moveToDate(sql: Queryable, accountId: number, id: number, date: string): Promise<void> {
  await sql`
    update timeslots as slot
    set date = ${date}::date, starts_at = local_instant(${date}::date + slot.time, products.time_zone)
    from products
    where slot.account_id = ${accountId} and slot.id = ${id}
      and products.account_id = slot.account_id and products.id = slot.product_id`
}
