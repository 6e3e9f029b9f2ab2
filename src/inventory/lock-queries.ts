/**
 * The SQL that locks timeslots, promotions, baskets and bookings, and reads them once they are locked. All
 * callers, such as locking.ts, lock in this order.
 */
import type { Fragment, Queryable, Transaction } from '../platform/postgres/database.ts'
import type { Bought } from './bought.ts'
import { boughtColumns, peopleAbsent, peopleHere } from './bought-queries.ts'
import type { BookingStatus } from './model.ts'
import { freePlaces, isOnSale, saleEndsAt } from './on-sale.ts'
import type { PriceList } from './price-list.ts'
import { priceListColumns } from './price-list-queries.ts'

/** A row, by its account and id. */
export type RowKey = { accountId: number; id: number }

/** A locked timeslot, with its current price list. */
export type LockedTimeslot = RowKey &
  PriceList & {
    date: string
    time: string
    capacity: number
    booked: number
    held: number
    onSale: boolean
    /** Whether it is no longer on sale, by the database's clock. */
    saleIsOver: boolean
    startsAt: Date
  }

/**
 * Locks timeslots of any number of accounts in the order of their ids and reads them. Unknown timeslots are
 * left out. If `wait` is false, timeslots that another transaction has locked are left out too.
 */
export function lockSlots(tx: Transaction, keys: readonly RowKey[], { wait } = { wait: true }) {
  return tx<LockedTimeslot[]>`
    select slot.account_id as "accountId", slot.id, date, time, capacity, booked, held, starts_at as "startsAt",
      ${isOnSale(tx)} as "onSale", ${saleEndsAt(tx)} <= (select app_now()) as "saleIsOver", ${priceListColumns(tx)}
    from ${unnestKeys(tx, keys)}
    join timeslots as slot on slot.account_id = key.account_id and slot.id = key.id
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    order by slot.id
    for update of slot ${wait ? tx`` : tx`skip locked`}`
}

/** A timeslot as partners name it. `activity` is the UUID in the ActivityID. */
export type SlotName = { accountId: number; activity: string; date: string; time: string }

/** A timeslot that was locked by its name. */
export type NamedTimeslot = SlotName & {
  id: number
  free: number
  held: number
  onSale: boolean
  /** The start of the transaction, by the database's clock. */
  now: Date
}

/** A NamedTimeslot with its price list and its capacity. */
export type PricedTimeslot = NamedTimeslot & PriceList & { capacity: number }

/**
 * Locks the named timeslots of products in the shopfront, of any number of accounts, in the order of their
 * ids, and reads them once they are locked. The result leaves out names without a timeslot. If `wait` is
 * false, it also leaves out timeslots that another transaction has locked.
 */
export function lockNamedSlots(tx: Transaction, names: readonly SlotName[], { wait }: { wait: boolean }) {
  return tx<PricedTimeslot[]>`
    select slot.id, named.account_id as "accountId", named.activity, named.date, named.time,
      ${freePlaces(tx)} as free, slot.capacity, slot.held, ${isOnSale(tx)} as "onSale", app_now() as now,
      ${priceListColumns(tx)}
    from ${namedSlots(tx, names)}
    order by slot.id
    for update of slot ${wait ? tx`` : tx`skip locked`}`
}

/** Which of the names match a timeslot of a product in the shopfront, locked or not. */
export function findNamedSlots(sql: Queryable, names: readonly SlotName[]) {
  return sql<SlotName[]>`
    select named.account_id as "accountId", named.activity, named.date, named.time from ${namedSlots(sql, names)}`
}

function namedSlots(sql: Queryable, names: readonly SlotName[]) {
  return sql`unnest(
      ${names.map((name) => name.accountId)}::bigint[],
      ${names.map((name) => name.activity)}::uuid[],
      ${names.map((name) => name.date)}::date[],
      ${names.map((name) => name.time)}::time[]
    ) as named (account_id, activity, date, time)
    join products on products.account_id = named.account_id
      and products.activity_id = named.activity and products.in_shopfront
    join timeslots as slot on slot.account_id = products.account_id and slot.product_id = products.id
      and slot.date = named.date and slot.time = named.time`
}

export type BasketStatus =
  | 'waiting'
  | 'open'
  | 'completed'
  | 'cancelled'
  | 'expired'
  | 'refund-due'
  | 'refunded'

export type Basket = {
  id: number
  status: BasketStatus
  channel: 'partner' | 'online' | 'pos'
  expiresAt: Date | null
  holdLimitAt: Date | null
  /** Whether its hold has expired, by the database's clock. */
  isOver: boolean
  /** The promotion that reduces the price of the basket. It stays after the basket has ended. */
  promotionId: number | null
}

/**
 * Locks these promotions and the promotion of the basket `id`, in the order of their ids. The caller locks
 * timeslots before them, and the basket after them.
 */
export function lockPromotions(tx: Transaction, { accountId, id }: RowKey, promotionIds: readonly number[]) {
  return tx<{ id: number }[]>`
    select id from promotions
    where account_id = ${accountId} and id = any(${[...promotionIds]}::bigint[]
      || array(select promotion_id from baskets where account_id = ${accountId} and id = ${id}))
    order by id
    for update`
}

/**
 * Locks baskets of any number of accounts in the order of their ids. If the caller also locks timeslots, it
 * locks them first.
 */
export function lockBaskets(tx: Transaction, keys: readonly RowKey[]) {
  return tx<Basket[]>`
    select baskets.id, status, channel, expires_at as "expiresAt", hold_limit_at as "holdLimitAt",
      coalesce(expires_at <= (select app_now()), false) as "isOver", promotion_id as "promotionId"
    from ${unnestKeys(tx, keys)} join baskets on baskets.account_id = key.account_id and baskets.id = key.id
    order by baskets.id
    for update of baskets`
}

export type Booking = RowKey &
  Bought & {
    basketId: number
    timeslotId: number
    partnerId: number | null
    reference: string
    channel: 'partner' | 'online' | 'pos'
    status: BookingStatus
    attendance: 'checked-in' | 'no-show' | null
    /** How many people are present; 0 if the booking is not checked in. */
    peopleHere: number
    /**
     * How many people did not come: all of a no-show; of a booking that is checked in, those recorded as
     * absent.
     */
    peopleAbsent: number
    hasTickets: boolean
  }

/**
 * Locks bookings of any number of accounts in the order of their ids. The caller has already locked their
 * timeslots and baskets.
 */
export function lockBookings(tx: Transaction, keys: readonly RowKey[]) {
  return tx<Booking[]>`
    select ${bookingColumns(tx)}
    from ${unnestKeys(tx, keys)} join bookings on bookings.account_id = key.account_id and bookings.id = key.id
    order by bookings.id
    for update of bookings`
}

/** A locked booking of a basket. `partnerBasketStatus`: as partnerBasketStatus(), for a partner's booking. */
export type LockedLine = Booking & { partnerBasketStatus: 'completed' | 'expired' | 'cancelled' }

/**
 * Locks the bookings of a locked basket in the order of their ids, including bookings that another
 * transaction added before the basket was locked.
 */
export function lockBookingsOfBasket(tx: Transaction, accountId: number, basketId: number) {
  return tx<LockedLine[]>`
    select ${bookingColumns(tx)}, ${partnerBasketStatus(tx)} as "partnerBasketStatus" from bookings
    where account_id = ${accountId} and basket_id = ${basketId}
    order by id
    for update`
}

/**
 * The status of the basket of a partner's booking that is not held. Such a booking has a basket id, but no
 * row in `baskets`. Its basket is completed if the booking was ever confirmed.
 */
export function partnerBasketStatus(sql: Queryable): Fragment {
  return sql`case when bookings.confirmed_at is not null then 'completed' when bookings.status = 'expired' then 'expired' else 'cancelled' end`
}

/**
 * Locks the held or confirmed bookings on these locked timeslots that take a whole timeslot, in the order of
 * their ids.
 */
export function lockWholeBookings(tx: Transaction, slots: readonly RowKey[]) {
  return tx<Booking[]>`
    select ${bookingColumns(tx)}
    from ${unnestKeys(tx, slots)}
    join bookings on bookings.account_id = key.account_id and bookings.timeslot_id = key.id
      and bookings.takes_timeslot and bookings.status in ('confirmed', 'held')
    order by bookings.id
    for update of bookings`
}

/**
 * Lists the bookings of baskets without locking them, so that the caller knows which rows to lock. The
 * bookings may change before the caller has locked them.
 */
export function listBookingsOfBaskets(sql: Queryable, accountId: number, basketIds: readonly number[]) {
  return sql<Booking[]>`
    select ${bookingColumns(sql)} from bookings
    where account_id = ${accountId} and basket_id = any(${[...basketIds]}::bigint[])
    order by id`
}

export function bookingColumns(sql: Queryable) {
  return sql`bookings.account_id as "accountId", bookings.id, basket_id as "basketId", timeslot_id as "timeslotId", partner_id as "partnerId", reference,
    channel, status, attendance, ${peopleHere(sql)} as "peopleHere", ${peopleAbsent(sql)} as "peopleAbsent",
    has_tickets as "hasTickets", ${boughtColumns(sql)}`
}

/** Keys as rows with the name `key`. */
export function unnestKeys(sql: Queryable, keys: readonly RowKey[]) {
  return sql`unnest(
      ${keys.map(({ accountId }) => accountId)}::bigint[], ${keys.map(({ id }) => id)}::bigint[]
    ) as key (account_id, id)`
}
