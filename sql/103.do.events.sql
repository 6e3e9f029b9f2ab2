-- The log: what happened in each account. An event is written in the transaction that caused it. The pump
-- (src/events/pump) numbers committed events, account by account and without gaps: what follows the log goes by number.

-- Identity with cache 1, so that the events of one booking have ids in their order. No personal data: customers are
-- erased from bookings and e-mails only.
create table events (
  account_id bigint not null,
  id bigint generated always as identity (cache 1),
  -- Null until the pump has numbered it.
  number bigint check (number > 0),
  occurred_at timestamptz not null default clock_timestamp(),
  type text not null,
  product_id bigint,
  timeslot_id bigint,
  basket_id bigint,
  -- Only of events that belong to the history of a booking: they stay as long as the booking.
  booking_id bigint,
  waitlist_entry_id bigint,
  email_id bigint,
  -- Of a booking by a partner's key; 0 where the key has no partner, and null for other channels.
  partner_id bigint,
  actor text not null check (actor in ('partner', 'key', 'user', 'customer', 'payment', 'service')),
  actor_id bigint,
  details jsonb not null,
  primary key (account_id, id)
);
create unique index events_by_number on events (account_id, number) where number is not null;
-- A booking's history, and whether an event is the latest of its booking.
create index events_by_booking on events (account_id, booking_id, id) where booking_id is not null;
-- The change feed of each partner. An erased customer changes nothing that a partner sees.
create index events_by_partner on events (account_id, partner_id, number) include (occurred_at)
  where partner_id is not null and number is not null and type <> 'booking.customer-erased';
-- Retention.
create index events_by_age on events (occurred_at) where booking_id is null and number is not null;

-- Where the numbering of an account stands. Every event with an id below `lowest_id` is numbered or was rolled back.
create table event_counters (
  account_id bigint primary key,
  last_number bigint not null default 0,
  lowest_id bigint not null default 0,
  -- The epoch of the last number; null before the first.
  epoch bigint
) with (fillfactor = 50);

-- An epoch is a time during which no commit is lost. A new one begins when PostgreSQL has another system identifier or
-- timeline than before: after a restore, or a failover. Its id is random: a restore can undo the row of an epoch, and
-- its id must not come back with another meaning.
create table event_epochs (
  id bigint primary key,
  place bigint generated always as identity unique,
  system_identifier bigint not null,
  timeline bigint not null,
  began_at timestamptz not null default now()
);

-- The first number of each epoch in each account that had an event in it.
create table event_epoch_starts (
  account_id bigint not null,
  epoch bigint not null,
  first_number bigint not null,
  primary key (account_id, epoch)
);
