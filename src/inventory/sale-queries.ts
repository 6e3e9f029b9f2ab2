/**
 * The statement that sells places to partners in one round trip. It locks in the same order as the
 * transactions that sell: idempotency keys, then timeslots by id, then other rows. So the statement and these
 * transactions can run at the same time without a deadlock.
 */

import { column } from '../platform/postgres/column.ts'
import type { Queryable } from '../platform/postgres/database.ts'
import { type Claim, lockIdOf } from '../platform/postgres/idempotency.ts'
import type { BoughtUnit } from './bought.ts'
import type { NamedTimeslot, SlotName } from './lock-queries.ts'
import { freePlaces, isOnSale } from './on-sale.ts'
import { commissionOfSale, netOfSale, termsOfSale } from './partner-terms-queries.ts'
import { defaultPrice } from './price-list-queries.ts'
import type { NewBooking } from './queries.ts'

/**
 * A booking that a partner wants to make and confirm, with the name of its timeslot and the number of people.
 */
export type WantedBooking = NewBooking & SlotName & { id: number; participants: number; claim: Claim | null }

/**
 * The unit and price that each person of a booking bought. It is stored with the idempotency key of the
 * booking.
 */
export type SoldUnit = {
  priceMinor: number
  currency: string
  /** Null for a product without units. */
  unit: Omit<BoughtUnit, 'quantity' | 'priceMinor'> | null
}

/** A timeslot that the statement has locked, with the positions in the batch, from 1, of its new bookings. */
export type SaleTimeslot = NamedTimeslot &
  SoldUnit & {
    made: number[] | null
    /** Whether its product has units, prices of schedules or timeslots, or terms of partners. */
    hasManyPrices: boolean
  }

type KeyedAnswers<Wanted> = { operation: string; answerOf: (booking: Wanted) => object }

/**
 * Makes the bookings of each timeslot whose bookings all fit: rows, counters, events and idempotency keys,
 * committed when it resolves. It waits for no lock. It does not make bookings on timeslots that another
 * transaction has locked or that lack places for all their bookings, bookings of products with rules that it
 * does not check (`sells_plainly` is false), and bookings whose key is in use or was used.
 *
 * Steps that write depend on the data of earlier steps, because PostgreSQL guarantees no other order. So a
 * key is stored only for a booking that fits, and a counter grows only by bookings that are made.
 *
 * Two joins are full joins because PostgreSQL hashes full joins. For inner joins it would expect few rows and
 * compare each pair, which would take a third of the time that 250 bookings take. Bookings without a locked
 * timeslot, which the first join keeps, are dropped by the condition. Timeslots without a sum, which the
 * second join keeps, are part of the result.
 *
 * The statement has two forms. The short form leaves out products with many prices; the long form looks up
 * these prices. PostgreSQL prepares the look-up at each execution, even if it is not needed, which takes a
 * tenth of the time that a single booking takes.
 * @param wanted the bookings. Their ids are already drawn, and no two bookings have the same idempotency key.
 * @param keyed the operation of the keys, and a function that returns the response to store with a key. The
 * statement adds the fields `CreatedAt` and `Sold` (a SoldUnit) to this response.
 * @param manyPrices whether to sell products with many prices too.
 */
export function sellFitting<Wanted extends WantedBooking>(
  sql: Queryable,
  wanted: readonly Wanted[],
  keyed: KeyedAnswers<Wanted>,
  manyPrices: boolean,
) {
  const prices = manyPrices ? lookedUpPrices(sql) : productPrices(sql)
  const keys = wanted.some(({ claim }) => claim) ? keySteps(sql, wanted, keyed) : noKeySteps(sql)
  return sql<SaleTimeslot[]>`
    with ${keys.given} as materialized (
      select * from unnest(
        ${wanted.map(({ accountId }) => accountId)}::bigint[],
        ${wanted.map(({ id }) => id)}::bigint[],
        ${wanted.map(({ basketId }) => basketId)}::bigint[],
        ${column(wanted, ({ partnerId }) => partnerId)}::bigint[],
        ${wanted.map(({ activity }) => activity)}::uuid[],
        ${wanted.map(({ date }) => date)}::date[],
        ${wanted.map(({ time }) => time)}::time[],
        ${wanted.map(({ participants }) => participants)}::integer[],
        ${wanted.map(({ reference }) => reference)}::text[],
        ${column(wanted, ({ paymentReference }) => paymentReference)}::text[],
        ${column(wanted, ({ firstName }) => firstName)}::text[],
        ${column(wanted, ({ lastName }) => lastName)}::text[],
        ${column(wanted, ({ email }) => email)}::text[],
        ${column(wanted, ({ phone }) => phone)}::text[],
        ${wanted.map(({ answers }) => answers)}::text[],
        ${column(wanted, ({ traceContext }) => traceContext ?? null)}::text[]${keys.values}
      ) with ordinality as booking (account_id, id, basket_id, partner_id, activity, date, time, participants,
        reference, payment_reference, first_name, last_name, email, phone, answers, trace_context${keys.names}, place)
    )${keys.lock}, asked as (
      select account_id, activity, date, time, sum(participants) as participants
      from free group by account_id, activity, date, time
    ), locked as materialized (
      select slot.account_id, slot.id, activity, slot.date, slot.time, ${freePlaces(sql)} as free, held,
        ${isOnSale(sql)} as on_sale, asked.participants, ${prices.price} as price_minor, currency,
        ${prices.unit} as unit, products.id as product_id, has_partner_terms, ${hasManyPrices(sql)} as many
      from asked
      join products on products.account_id = asked.account_id and products.activity_id = asked.activity
        and products.in_shopfront and products.sells_plainly
      join timeslots as slot on slot.account_id = products.account_id and slot.product_id = products.id
        and slot.date = asked.date and slot.time = asked.time
      order by slot.id
      for update of slot skip locked
    ), fitting as (
      select free.*, locked.id as timeslot_id, price_minor, currency, unit${prices.terms}
      from free full join locked using (account_id, activity, date, time)
      where coalesce(${prices.isSold} and locked.on_sale and locked.free >= locked.participants, false)
    ), ${keys.claim}, made as (
      insert into bookings (account_id, id, basket_id, timeslot_id, partner_id, channel, status, reference,
        participants, unit_price_minor, currency, payment_reference, first_name, last_name, email, phone, answers,
        created_at, confirmed_at${prices.columns})
      select account_id, id, basket_id, timeslot_id, partner_id, 'partner', 'confirmed', reference, participants,
        price_minor, currency, payment_reference, first_name, last_name, email, phone, answers::jsonb,
        (select app_now()), (select app_now())${prices.values}
      from sold order by place
    ), sums as materialized (
      select account_id, timeslot_id, sum(participants) as participants, array_agg(place::integer) as places
      from sold group by account_id, timeslot_id
    ), counted as (
      update timeslots set booked = timeslots.booked + sums.participants
      from sums where timeslots.account_id = sums.account_id and timeslots.id = sums.timeslot_id
    ), logged as (
      insert into events (account_id, type, timeslot_id, basket_id, booking_id, partner_id, actor, actor_id, details,
        trace_context)
      select account_id, 'booking.confirmed', timeslot_id, basket_id, id, coalesce(partner_id, 0), 'partner',
        partner_id, ${prices.details}, trace_context
      from sold order by place
    )
    select locked.account_id as "accountId", locked.id, activity, date, time, free, held, on_sale as "onSale",
      price_minor as "priceMinor", currency, unit, many as "hasManyPrices", (select app_now()) as now, sums.places as made
    from locked full join sums on sums.account_id = locked.account_id and sums.timeslot_id = locked.id`
}

/**
 * Whether the price of a product, or the partner's part of it, depends on units, own prices or terms of
 * partners.
 */
function hasManyPrices(sql: Queryable) {
  return sql`(products.default_unit_id is not null or products.has_own_prices or products.has_partner_terms)`
}

/** The parts of the statement about prices, for products with a single price. */
function productPrices(sql: Queryable) {
  const none = sql``
  return {
    ...{ price: sql`price_minor`, unit: sql`null::jsonb`, terms: none, isSold: sql`not locked.many` },
    ...{ columns: none, values: none, details: sql`'{}'` },
  }
}

/**
 * The parts of the statement about prices, for products with many prices. They look up the prices of units,
 * timeslots and schedules, and the terms of partners.
 */
function lookedUpPrices(sql: Queryable) {
  return {
    price: defaultPrice(sql),
    unit: defaultUnitOf(sql),
    terms: sql`, ${termsOfSale(sql)} as terms`,
    isSold: sql`true`,
    columns: sql`, units, commission_bp, net_minor`,
    values: sql`,
        case when unit is not null then jsonb_build_array(unit || jsonb_build_object(
          'quantity', participants, 'priceMinor', price_minor)
            || case when jsonb_typeof(terms) = 'object' then jsonb_build_object('netMinor', ${netOfSale(sql)}) else '{}' end) end,
        ${commissionOfSale(sql)}, ${netOfSale(sql)}`,
    details: sql`case when unit is null then '{}' else jsonb_build_object('Participants', participants,
          'Units', jsonb_build_array(jsonb_build_object('UnitID', unit -> 'id', 'Quantity', participants))) end`,
  }
}

/** The default unit, which participants buy, as a booking stores it; null for a product without units. */
function defaultUnitOf(sql: Queryable) {
  return sql`case when products.default_unit_id is not null then (
          select jsonb_build_object('id', units.id, 'name', units.name, 'type', type, 'places', places, 'people', people)
          from units where units.account_id = products.account_id and units.id = products.default_unit_id
        ) end`
}

/**
 * The parts of the statement about idempotency keys, if no booking has a key. As in keySteps(), `free` has
 * the bookings whose key no other transaction holds, and `sold` has the fitting bookings whose key was not
 * used before: here, all.
 */
function noKeySteps(sql: Queryable) {
  return {
    given: sql`free`,
    values: sql``,
    names: sql``,
    lock: sql``,
    claim: sql`sold as materialized (select * from fitting)`,
  }
}

function keySteps<Wanted extends WantedBooking>(
  sql: Queryable,
  wanted: readonly Wanted[],
  { operation, answerOf }: KeyedAnswers<Wanted>,
) {
  return {
    given: sql`given`,
    values: sql`,
        ${wanted.map(({ claim }) => claim?.apiKeyId ?? null)}::bigint[],
        ${wanted.map(({ claim }) => claim?.key ?? null)}::text[],
        ${wanted.map(({ claim }) => claim?.bodyHash.toString('hex') ?? null)}::text[],
        ${wanted.map((booking) => booking.claim && JSON.stringify(answerOf(booking)))}::text[]`,
    names: sql`, api_key_id, key, body_hash, answer`,
    lock: sql`, free as materialized (
      select * from given where key is null or pg_try_advisory_xact_lock(${lockIdOf(sql, operation)})
    )`,
    claim: sql`claimed as (
      insert into idempotency_keys (account_id, api_key_id, operation, key, body_hash, response)
      select account_id, api_key_id, ${operation}, key, decode(body_hash, 'hex'),
        answer::jsonb || jsonb_build_object(
          'CreatedAt', to_char((select app_now()) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'Sold', jsonb_build_object('priceMinor', price_minor, 'currency', currency, 'unit', unit))
      from fitting where key is not null
      order by account_id, api_key_id, key
      on conflict do nothing
      returning account_id, api_key_id, key
    ), sold as materialized (
      select * from fitting
      where key is null or (account_id, api_key_id, key) in (select account_id, api_key_id, key from claimed)
    )`,
  }
}
