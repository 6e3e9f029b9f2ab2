-- Totals of sales, by day: kept from the bookings, and counted again for the days that are marked. Totals of money are
-- numeric: what one booking costs fits in a bigint, and the sum of many need not.

-- A day whose totals may be wrong. Only added and deleted: a mark that is made while its day is counted stays.
create table sales_marks (
  account_id bigint not null,
  id bigint not null generated always as identity,
  -- By day of sale, by day of the timeslot, or by day of payment.
  basis text not null,
  day date not null,
  -- Of a timeslot; 0 for all products.
  product_id bigint not null,
  marked_at timestamptz not null default clock_timestamp(),
  primary key (account_id, id),
  -- Safe: the table is new.
  constraint sales_marks_basis check (basis in ('sold', 'travel', 'paid'))
);

-- How far the days of an account were counted that were before its first mark: from the last to the first.
create table sales_states (
  account_id bigint not null references accounts (account_id),
  -- Events up to this number have marked their days.
  last_number bigint not null,
  -- Days from this one on are counted or marked.
  filled_from date not null,
  -- When all days were; null until then.
  filled_at timestamptz,
  -- Not before: an account with much to count gives way.
  rest_until timestamptz,
  primary key (account_id)
);

-- Bookings that were confirmed, also those that were cancelled since, which the columns `cancelled_…` count again.
create table sales_totals (
  account_id bigint not null,
  basis text not null,
  day date not null,
  product_id bigint not null,
  channel text not null,
  -- 0 for none.
  partner_id bigint not null,
  currency text not null,
  bookings bigint not null,
  guests bigint not null,
  places bigint not null,
  sold_minor numeric not null,
  cancelled_bookings bigint not null,
  cancelled_guests bigint not null,
  cancelled_minor numeric not null,
  no_show_guests bigint not null,
  checked_in_guests bigint not null,
  -- What partners owe for bookings that stand and were sold under terms, and what these cost.
  owed_minor numeric not null,
  under_terms_minor numeric not null,
  primary key (account_id, basis, day, product_id, channel, partner_id, currency),
  -- Safe: the table is new.
  constraint sales_totals_basis check (basis in ('sold', 'travel'))
);

-- What was decided about the money of bookings that were cancelled or changed: what is paid back, what of it was, and
-- what is kept although no booking stands for it. By the day of the booking, whenever it was decided.
create table sales_refund_totals (
  account_id bigint not null,
  basis text not null,
  day date not null,
  product_id bigint not null,
  channel text not null,
  partner_id bigint not null,
  currency text not null,
  decisions bigint not null,
  decided_minor numeric not null,
  paid_back_minor numeric not null,
  kept_minor numeric not null,
  primary key (account_id, basis, day, product_id, channel, partner_id, currency),
  -- Safe: the table is new.
  constraint sales_refund_totals_basis check (basis in ('sold', 'travel'))
);

-- What was sold by unit, before reductions; a row of unit -1 has these. A booking that is priced as a whole counts with its
-- first unit; unit 0 is that of products without units.
create table sales_unit_totals (
  account_id bigint not null,
  basis text not null,
  day date not null,
  product_id bigint not null,
  channel text not null,
  partner_id bigint not null,
  currency text not null,
  unit_id bigint not null,
  quantity bigint not null,
  guests bigint not null,
  sold_minor numeric not null,
  cancelled_quantity bigint not null,
  cancelled_guests bigint not null,
  cancelled_minor numeric not null,
  primary key (account_id, basis, day, product_id, channel, partner_id, currency, unit_id),
  -- Safe: the table is new.
  constraint sales_unit_totals_basis check (basis in ('sold', 'travel'))
);

-- Places of the timeslots of a day. A closed one counts with what is booked on it.
create table sales_place_totals (
  account_id bigint not null,
  day date not null,
  product_id bigint not null,
  timeslots bigint not null,
  capacity bigint not null,
  booked bigint not null,
  primary key (account_id, day, product_id)
);

-- Money that was paid and paid back on a day.
create table sales_payment_totals (
  account_id bigint not null,
  day date not null,
  method text not null,
  currency text not null,
  payments bigint not null,
  paid_minor numeric not null,
  refunds bigint not null,
  refunded_minor numeric not null,
  primary key (account_id, day, method, currency)
);

alter table audits drop constraint audits_kind_check;
-- Safe: every row has one of the first two.
alter table audits add constraint audits_kind_check
  check (kind in ('usage-totals', 'booked-places', 'sales-totals')) not valid;
