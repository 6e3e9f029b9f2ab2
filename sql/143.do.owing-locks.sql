-- A sale that changes locks its notes also where they are still to be looked at: a worker that looks meanwhile would see the
-- sale as it was before, and forget what owes something afterwards.

create or replace function mark_owing_sale(account bigint, basket bigint) returns void language sql as $$
  update owing_bookings set checked = false where account_id = account and basket_id = basket;
  insert into owing_bookings (account_id, booking_id, basket_id, created_at)
  select account_id, id, basket_id, created_at from bookings
  where account_id = account and basket_id = basket and status = 'confirmed'
  order by id
  on conflict do nothing
$$;
