-- A provider's event that it paid something back, and the list of what was paid back of payments that bought nothing.

-- Every row had passed the former checks, which allowed less. The version before answers an event of the new type with an
-- error, which its sender sends again.
alter table payment_events drop constraint payment_events_type_check;
-- Safe: NOT VALID, so that no row is read.
alter table payment_events add constraint payment_events_type_check check (
  type = any(array['succeeded', 'failed', 'refunded'])
) not valid;
alter table payment_events drop constraint payment_events_outcome_check;
-- Safe: NOT VALID, so that no row is read.
alter table payment_events add constraint payment_events_outcome_check check (
  outcome = any(array['completed', 'refund-due', 'released', 'refunded', 'ignored'])
) not valid;

-- It reads all events: a large installation makes it ahead.
create index if not exists payment_events_paid_back on payment_events (account_id, refunded_at)
  where refunded_at is not null;
-- Safe: migration 125 has made the table.
create index refunds_paid_back on refunds (account_id, done_at) where status = 'done';
