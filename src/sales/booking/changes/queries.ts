/**
 * The SQL of changing bookings, apart from their places: which rows to lock, cut-offs, attendance, customers and
 * answers.
 */
import { isSamePerson } from '../../../inventory/same-person.ts'
import type { Booking, Customer } from '../../../inventory/service.ts'
import type { Queryable, Transaction } from '../../../platform/postgres/database.ts'
import { type BookingDescription, changeable } from './model.ts'

/** The state of a booking, read without a lock, so that the caller knows which rows to lock before the change. */
export type UnlockedBooking = {
  id: number
  basketId: number
  timeslotId: number
  productId: number
  activity: string
  date: string
  time: string
}

/** The account's booking with this reference; null if there is none. */
export async function findUnlocked(sql: Queryable, accountId: number, reference: string) {
  const [existing] = await sql<UnlockedBooking[]>`
    select bookings.id, bookings.basket_id as "basketId", slot.id as "timeslotId", products.id as "productId",
      products.activity_id as activity, slot.date, slot.time
    from bookings
    join timeslots as slot on slot.account_id = bookings.account_id and slot.id = bookings.timeslot_id
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    where bookings.account_id = ${accountId} and bookings.reference = ${reference}`
  return existing ?? null
}

/** A product by the UUID in its ActivityID, in the shopfront or not; null if the account has none. */
export async function findProduct(sql: Queryable, accountId: number, activity: string) {
  const [product] = await sql<{ productId: number; activity: string }[]>`
    select id as "productId", activity_id as activity from products
    where account_id = ${accountId} and activity_id = ${activity}`
  return product ?? null
}

/** The cut-off for cancelling bookings of a timeslot, and whether it has passed by the database's clock. */
export async function findCutoff(sql: Queryable, accountId: number, timeslotId: number) {
  const [cutoff] = await sql<{ cancelBy: Date; hasPassed: boolean }[]>`
    select cancel_by as "cancelBy", cancel_by < (select app_now()) as "hasPassed"
    from (
      select slot.starts_at - make_interval(mins => products.cancel_cutoff_minutes) as cancel_by
      from timeslots as slot
      join products on products.account_id = slot.account_id and products.id = slot.product_id
      where slot.account_id = ${accountId} and slot.id = ${timeslotId}
    ) as ending`
  return cutoff!
}

/**
 * Stores the attendance of a locked booking, without an event. The numbers are stored only for `checked-in`.
 */
export async function updateAttendance(
  tx: Transaction,
  accountId: number,
  bookingId: number,
  { attendance, peopleHere, peopleAbsent }: Pick<Booking, 'attendance' | 'peopleHere' | 'peopleAbsent'>,
): Promise<void> {
  const [here, absent] = attendance === 'checked-in' ? [peopleHere, peopleAbsent] : [null, 0]
  await tx`
    update bookings set attendance = ${attendance}, people_here = ${here}, people_absent = ${absent}
    where account_id = ${accountId} and id = ${bookingId}`
}

/** The description of a booking, which must exist. */
export async function readDescription(sql: Queryable, accountId: number, bookingId: number) {
  const [description] = await sql<BookingDescription[]>`
    select first_name as "firstName", last_name as "lastName", email, phone, answers
    from bookings where account_id = ${accountId} and id = ${bookingId}`
  return description!
}

/**
 * Writes the descriptions of locked bookings, except bookings whose customer is erased, and returns how many it
 * wrote. If the customer becomes another person, it removes the additional contact data that a reseller sent about
 * the former customer.
 */
export async function updateDescriptions(
  tx: Transaction,
  accountId: number,
  descriptions: readonly (BookingDescription & { bookingId: number })[],
): Promise<number> {
  const { count } = await tx`
    with given as (
      select * from unnest(
        ${descriptions.map(({ bookingId }) => bookingId)}::bigint[],
        ${descriptions.map(({ firstName }) => firstName)}::text[],
        ${descriptions.map(({ lastName }) => lastName)}::text[],
        ${descriptions.map(({ email }) => email)}::text[],
        ${descriptions.map(({ phone }) => phone)}::text[],
        ${descriptions.map(({ answers }) => JSON.stringify(answers))}::text[]
      ) as given (id, first_name, last_name, email, phone, answers)
    ), replaced as (
      update reservations set contact = null
      from given
      join bookings as former on former.account_id = ${accountId} and former.id = given.id
        and former.has_tickets and former.erasure_id is null
      where reservations.account_id = ${accountId} and reservations.booking_id = given.id
        and reservations.contact is not null and not ${isSamePerson(tx, 'former', 'given')}
    )
    update bookings set first_name = given.first_name, last_name = given.last_name, email = given.email,
      phone = given.phone, answers = given.answers::jsonb
    from given
    where bookings.account_id = ${accountId} and bookings.id = given.id and erasure_id is null`
  return count
}

/**
 * The ids of the other bookings of a sale that have the same contact as this booking and whose customer can
 * be changed, in the order in which they were made. Empty for a partner's booking.
 */
export async function listSharing(sql: Queryable, accountId: number, bookingId: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select other.id from bookings as one
    join bookings as other on other.account_id = one.account_id and other.basket_id = one.basket_id and other.id <> one.id
    where one.account_id = ${accountId} and one.id = ${bookingId} and one.channel <> 'partner'
      and one.erasure_id is null and other.erasure_id is null
      and other.status = any(${[...changeable.describe]}::text[])
      and (other.first_name, other.last_name, other.email, other.phone)
        is not distinct from (one.first_name, one.last_name, one.email, one.phone)
    order by other.id`
  return rows.map(({ id }) => id)
}

/** Writes one customer on locked bookings that listSharing() returned. */
export async function updateCustomers(
  tx: Transaction,
  accountId: number,
  bookingIds: readonly number[],
  { firstName, lastName, email, phone }: Customer,
): Promise<void> {
  await tx`
    update bookings set first_name = ${firstName}, last_name = ${lastName}, email = ${email}, phone = ${phone}
    where account_id = ${accountId} and id = any(${[...bookingIds]}::bigint[]) and erasure_id is null`
}

/** The ids of the questions of the booked product. */
export async function listQuestionIds(tx: Transaction, accountId: number, timeslotId: number) {
  const rows = await tx<{ id: number }[]>`
    select questions.id from timeslots as slot
    join questions on questions.account_id = slot.account_id and questions.product_id = slot.product_id
    where slot.account_id = ${accountId} and slot.id = ${timeslotId}`
  return rows.map(({ id }) => id)
}

export type ValidTicket = {
  uuid: string
  number: number
  unitId: number
  unitName: string | null
  isRedeemed: boolean
}

/** The tickets of a locked booking that are not void. */
export function listValidTickets(tx: Transaction, accountId: number, bookingId: number) {
  return tx<ValidTicket[]>`
    select uuid, number, unit_id as "unitId", unit_name as "unitName", redeemed_at is not null as "isRedeemed"
    from tickets
    where account_id = ${accountId} and booking_id = ${bookingId} and voided_at is null
    order by number`
}

/** Which of these questions are asked of each participant. */
export async function listParticipantQuestions(
  tx: Transaction,
  accountId: number,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select id from questions
    where account_id = ${accountId} and id = any(${[...ids]}::bigint[]) and applies_to = 'participant'`
  return rows.map(({ id }) => id)
}
