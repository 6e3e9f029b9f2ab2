-- What the operator's list of bookings looks for among many: whatever is not a partner's confirmed booking, newest
-- first. A partner's booking, of which there are most, is in neither of these when it is made.
create index bookings_by_status on bookings (account_id, status, created_at, id) where status <> 'confirmed';
create index bookings_by_channel on bookings (account_id, channel, created_at, id) where channel <> 'partner';
-- A partner's booking keeps the payment's reference itself.
create index baskets_by_payment_reference on baskets (account_id, lower(payment_reference))
  where payment_reference is not null;
