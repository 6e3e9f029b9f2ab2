-- Baskets, bookings, the waitlist, and the events of payment providers.
--
-- Baskets and bookings have no foreign keys to accounts and partners: both ids come from the row of the API key, which
-- has them, and neither is ever deleted. To check them again for every booking would cost a third of its write.

-- Each process draws ids in blocks, before it tries a booking, so that a retry keeps its ids. The increment is the size
-- of a block.
create sequence basket_ids increment by 1000;
create sequence booking_ids increment by 1000;

-- A sale of one or more bookings by the operator. A partner's booking is a purchase by itself: its basket_id has no row
-- here, since that row would be a tenth to a third of what the booking costs. Places of an `open` basket are held until `expires_at`; `waiting` is the basket of a
-- waitlisted booking. `refund-due` was paid after its places were gone; the operator pays back and marks it `refunded`.
create table baskets (
  account_id bigint not null,
  id bigint not null,
  status text not null check (status in
    ('waiting', 'open', 'completed', 'cancelled', 'expired', 'refund-due', 'refunded')),
  channel text not null check (channel in ('online', 'pos')),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  hold_limit_at timestamptz,
  completed_at timestamptz,
  payment_method text check (payment_method in ('online', 'cash', 'card')),
  payment_reference text,
  refund_reason text,
  primary key (account_id, id),
  check ((status = 'completed') = (completed_at is not null)),
  constraint baskets_open_expire check (status <> 'open' or expires_at is not null),
  constraint baskets_refunds_have_reasons
    check ((status in ('refund-due', 'refunded')) = (refund_reason is not null))
);
-- For the worker, which releases the baskets that ran out of time, of all accounts.
create index baskets_by_expiry on baskets (expires_at) where status = 'open';
-- For the operator's lists.
create index baskets_by_status on baskets (account_id, status, id);
-- For the operator's search. A partner's booking has the payment's reference itself.
create index baskets_by_payment_reference on baskets (account_id, lower(payment_reference))
  where payment_reference is not null;

-- Places on a timeslot for a customer. Only `confirmed` counts in timeslots.booked and only `held` in timeslots.held.
-- The customer's columns are null until they are known, and after the customer was erased.
create table bookings (
  account_id bigint not null,
  id bigint not null,
  basket_id bigint not null,
  timeslot_id bigint not null,
  partner_id bigint,
  reference text not null,
  channel text not null check (channel in ('partner', 'online', 'pos')),
  status text not null check (status in ('held', 'waitlisted', 'confirmed', 'cancelled', 'expired')),
  participants integer not null check (participants between 1 and 999),
  unit_price_minor bigint not null check (unit_price_minor >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  payment_reference text,
  first_name text,
  last_name text,
  email text,
  phone text,
  answers jsonb not null,
  attendance text check (attendance in ('checked-in', 'no-show')),
  created_at timestamptz not null default app_now(),
  confirmed_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text check (cancel_reason in ('operator', 'partner', 'customer', 'closure')),
  -- Why, in the operator's words. The events of the booking hold nobody's words, so that they need no erasure.
  cancel_note text,
  updated_at timestamptz not null default now(),
  -- The erasure that removed the customer. Without a foreign key, which every booking would pay for; erasures are
  -- never deleted.
  erasure_id bigint,
  primary key (account_id, id),
  unique (account_id, reference),
  foreign key (account_id, timeslot_id) references timeslots (account_id, id),
  constraint bookings_cancelled_with_reason check
    ((status = 'cancelled') = (cancelled_at is not null) and (cancelled_at is null) = (cancel_reason is null))
);
-- All bookings of a timeslot, and of a basket.
create index bookings_by_timeslot on bookings (account_id, timeslot_id);
create index bookings_by_basket on bookings (account_id, basket_id);
-- What can be released on a full timeslot, without reading all its bookings.
create index bookings_held on bookings (account_id, timeslot_id, id) where status = 'held';
-- For the operator's list, newest first.
create index bookings_by_creation on bookings (account_id, created_at, id);
-- For the same list by partner.
create index bookings_by_partner on bookings (account_id, partner_id, created_at, id) where partner_id is not null;
-- For the same list by status or channel. A partner's booking, which most are, is in neither when it is made.
create index bookings_by_status on bookings (account_id, status, created_at, id) where status <> 'confirmed';
create index bookings_by_channel on bookings (account_id, channel, created_at, id) where channel <> 'partner';
-- For workflows, which look for what was confirmed or cancelled since the last look.
create index bookings_by_confirmation on bookings (account_id, confirmed_at) where confirmed_at is not null;
create index bookings_by_cancellation on bookings (account_id, cancelled_at) where cancelled_at is not null;
-- For a search by the payment's reference.
create index bookings_by_payment_reference on bookings (account_id, payment_reference)
  where payment_reference is not null;
-- For the export and erasure of a customer. Phone numbers have no index: every booking would pay for it, and few
-- customers are looked for by number alone.
create index bookings_by_email on bookings (account_id, lower(email)) where email is not null;
-- The bookings of an erasure.
create index bookings_by_erasure on bookings (account_id, erasure_id, id) where erasure_id is not null;

-- Customers who wait for a full timeslot, in the order of joining. The booking has the customer and the participants.
create table waitlist_entries (
  account_id bigint not null,
  id bigint generated by default as identity,
  booking_id bigint not null,
  timeslot_id bigint not null,
  status text not null default 'waiting' check (status in ('waiting', 'offered', 'taken', 'left', 'expired')),
  created_at timestamptz not null default now(),
  offered_at timestamptz,
  primary key (account_id, id),
  unique (account_id, booking_id),
  foreign key (account_id, booking_id) references bookings (account_id, id),
  check (status in ('waiting', 'left', 'expired') or offered_at is not null)
);
-- The customers who still wait for a timeslot, in their order.
create index waitlist_entries_waiting on waitlist_entries (account_id, timeslot_id, id) where status = 'waiting';
-- The whole waitlist of a timeslot, for the operator.
create index waitlist_entries_by_timeslot on waitlist_entries (account_id, timeslot_id, id);

-- Secrets that sign a payment provider's events, encrypted under SECRET_KEY (AES-256-GCM): to check a signature takes
-- the secret itself. At most two are live.
create table payment_secrets (
  account_id bigint not null references accounts,
  id bigint generated by default as identity,
  sealed bytea not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (account_id, id)
);

-- Events of a payment provider, each of which acts once. `outcome` is what the event did, `basket_status` the basket's
-- status after it. Money that has to be paid back stands here until the operator says that it was (`refunded_at`).
create table payment_events (
  account_id bigint not null,
  event_id text not null check (length(event_id) between 1 and 255),
  body_hash bytea not null,
  basket_id bigint not null,
  type text not null check (type in ('succeeded', 'failed')),
  amount text not null,
  currency text not null,
  reference text,
  outcome text not null check (outcome in ('completed', 'refund-due', 'released', 'ignored')),
  basket_status text not null,
  refund_reason text,
  received_at timestamptz not null default now(),
  refunded_at timestamptz,
  primary key (account_id, event_id),
  check ((outcome = 'refund-due') = (refund_reason is not null)),
  check (refunded_at is null or outcome = 'refund-due')
);
-- The events of a basket.
create index payment_events_by_basket on payment_events (account_id, basket_id);
-- For the operator's list of what has to be paid back.
create index payment_events_refund_due on payment_events (account_id, basket_id)
  where outcome = 'refund-due' and refunded_at is null;
