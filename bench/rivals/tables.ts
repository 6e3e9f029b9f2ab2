/**
 * The tables of the simpler implementations that the benchmarks compare with this service. They have only the
 * columns that these need, and the indexes that a careful author adds.
 */
import type { Sql } from '../../src/platform/postgres/database.ts'

/** Makes the tables of bookings, and copies all timeslots in the order of their ids, with no place booked. */
export async function makeBookingTables(sql: Sql): Promise<void> {
  await sql`create table rival_timeslots (
    id bigint primary key, activity uuid not null, date date not null, time time not null,
    capacity integer not null, booked integer not null, unique (activity, date, time)) with (fillfactor = 80)`
  await sql`
    insert into rival_timeslots
    select slot.id, activity_id, date, time, capacity, 0
    from timeslots as slot
    join products on products.account_id = slot.account_id and products.id = slot.product_id
    order by slot.id`
  await sql`create table rival_bookings (
    id bigint generated always as identity primary key, timeslot_id bigint not null references rival_timeslots,
    reference text not null unique, participants integer not null, first_name text not null, last_name text not null,
    email text not null, created_at timestamptz not null default now())`
  await sql`create index on rival_bookings (timeslot_id)`
  await sql`create table rival_rows (
    id bigint generated always as identity primary key, reference text not null, participants integer not null,
    first_name text not null, last_name text not null, email text not null)`
}

export async function makeMeteringTables(sql: Sql): Promise<void> {
  await sql`create table rival_entries (
    id bigint generated always as identity primary key, meter text not null, usage numeric not null,
    occurred_at timestamptz not null default now())`
  await sql`create index on rival_entries (meter, occurred_at)`
  await sql`create table rival_totals (
    meter text, day date, total numeric not null, events bigint not null, primary key (meter, day)
  ) with (fillfactor = 70)`
}
