-- What is to be paid back, in the order of the list.

-- It reads all decisions: a large installation makes it ahead.
create index if not exists refunds_due on refunds (account_id, decided_at, id) where status = 'due';
-- It reads all events: a large installation makes it ahead.
create index if not exists payment_events_due on payment_events (account_id, received_at, event_id)
  where outcome = 'refund-due' and refunded_at is null;
