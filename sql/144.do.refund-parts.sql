-- Payments that bought nothing and were paid back in part, and what a provider paid back of money that was to be kept.

-- Of a payment that bought nothing: how much of it was paid back while it is not all. Null for nothing.
alter table payment_events add column if not exists refunded_minor bigint;

-- Every row had passed the former check, which allowed less. The version before shows the new cause as it stands here.
alter table refunds drop constraint refunds_cause;
-- Safe: NOT VALID, so that no row is read.
alter table refunds add constraint refunds_cause check (
  cause = any(array['cancelled', 'amended', 'moved', 'closed', 'overpaid', 'provider'])
) not valid;

-- Providers' refunds that belong to nothing yet. This reads all events, so a large installation creates the index beforehand.
create index if not exists payment_events_unsettled on payment_events (account_id, basket_id)
  where type = 'refunded' and (outcome = 'ignored' or unsettled_minor > 0);

-- A transaction that changes several bookings of a sale notes each of them once: what it has written is locked by it.
create or replace function mark_owing_sale(account bigint, basket bigint) returns void language sql as $$
  update owing_bookings set checked = false
  where account_id = account and basket_id = basket and (checked or xmin <> pg_current_xact_id()::xid);
  insert into owing_bookings (account_id, booking_id, basket_id, created_at)
  select account_id, id, basket_id, created_at from bookings
  where account_id = account and basket_id = basket and status = 'confirmed'
  order by id
  on conflict do nothing
$$;
