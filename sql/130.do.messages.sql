-- What the operator tells customers: workflows for moves, messages to everybody on a timeslot, and whom to call after a
-- closure. And what it tells itself: notes on bookings.

-- Every row had passed the former check, which allowed fewer triggers. A worker of the version before fails at a workflow
-- for moves, and does the others of its account; a worker of this version sends the e-mail when it numbers the move.
alter table workflows drop constraint workflows_trigger_check;
-- Safe: NOT VALID, so that no row is read.
alter table workflows add constraint workflows_trigger_check check (
  trigger = any(array['booking-confirmed', 'booking-moved', 'booking-cancelled', 'before-start', 'after-end'])
) not valid;

-- The same. A worker of the version before cannot write an e-mail of the new kind, and sets it aside as failed.
alter table emails drop constraint emails_kind_check;
-- Safe: NOT VALID, so that no row is read.
alter table emails add constraint emails_kind_check check (
  kind = any(array['workflow', 'waitlist-offer', 'closure', 'confirmation', 'test', 'webhook-paused', 'receipt', 'message'])
) not valid;

-- What the operator's people note on a booking for each other. No customer and no partner reads it.
create table booking_notes (
  account_id bigint not null,
  booking_id bigint not null,
  note text not null check (note <> ''),
  -- Who wrote it last: a user, or a key.
  actor text not null,
  actor_id bigint,
  written_at timestamptz not null default app_now(),
  primary key (account_id, booking_id),
  foreign key (account_id, booking_id) references bookings (account_id, id) on delete cascade
);

-- Whose booking a closure changed, until somebody has told them.
create table closure_calls (
  account_id bigint not null,
  timeslot_id bigint not null,
  booking_id bigint not null,
  -- What became of the booking: released is what was held or waited.
  became text not null,
  closed_at timestamptz not null default app_now(),
  done_at timestamptz,
  -- The user who ticked it off.
  done_by bigint,
  primary key (account_id, timeslot_id, booking_id),
  foreign key (account_id, booking_id) references bookings (account_id, id) on delete cascade,
  -- Safe: the table is new.
  constraint closure_calls_became check (became in ('cancelled', 'moved', 'released')),
  constraint closure_calls_done check (done_at is not null or done_by is null)
);
create index closure_calls_by_booking on closure_calls (account_id, booking_id);
create index closure_calls_by_time on closure_calls (account_id, closed_at);
