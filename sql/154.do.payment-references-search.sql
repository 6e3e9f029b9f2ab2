-- Sales are found by the references of their payments, of refunds that were paid back, and of a provider's events. Letter by
-- letter, so that the beginning of a reference finds it in any locale. Each reads all payments: a large installation makes it
-- ahead.
create index if not exists payments_by_reference on payments (account_id, (lower(reference) collate "C"))
  where reference is not null;
create index if not exists payment_events_by_reference on payment_events (account_id, (lower(reference) collate "C"))
  where reference is not null;
create index if not exists payment_events_by_refund_reference
  on payment_events (account_id, (lower(refund_reference) collate "C"))
  where refund_reference is not null;
