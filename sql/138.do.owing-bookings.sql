-- The confirmed bookings of sales that may owe something. Triggers add to them, so that also a version that does not know
-- of them leaves none out; a job deletes those of sales that owe nothing. A partner's booking is never among them.

create table owing_bookings (
  account_id bigint not null,
  booking_id bigint not null,
  basket_id bigint not null,
  -- The booking's: the list is in this order.
  created_at timestamptz not null,
  -- Whether the sale was seen to owe something after its last change.
  checked boolean not null default false,
  -- No foreign key: to write a row here must never wait for a booking that is locked.
  primary key (account_id, booking_id)
);
create index owing_bookings_by_creation on owing_bookings (account_id, created_at, booking_id);
create index owing_bookings_by_basket on owing_bookings (account_id, basket_id);
create index owing_bookings_unchecked on owing_bookings (account_id, booking_id) where not checked;

-- Accounts of which the bookings from before this migration are among them too.
create table owing_states (
  account_id bigint not null references accounts (account_id),
  -- Bookings up to this id are.
  filled_to bigint not null default 0,
  -- When all were; null until then.
  filled_at timestamptz,
  primary key (account_id)
);

-- A sale whose price or money changes: all of its confirmed bookings may owe something now.
create function mark_owing_sale(account bigint, basket bigint) returns void language sql as $$
  update owing_bookings set checked = false where account_id = account and basket_id = basket and checked;
  insert into owing_bookings (account_id, booking_id, basket_id, created_at)
  select account_id, id, basket_id, created_at from bookings
  where account_id = account and basket_id = basket and status = 'confirmed'
  order by id
  on conflict do nothing
$$;

create function follow_owing_booking() returns trigger language plpgsql as $$
begin
  insert into owing_bookings (account_id, booking_id, basket_id, created_at)
  values (new.account_id, new.id, new.basket_id, new.created_at)
  on conflict (account_id, booking_id) do update set checked = false;
  return null;
end $$;

create function follow_owing_sale() returns trigger language plpgsql as $$
begin
  perform mark_owing_sale(new.account_id, new.basket_id);
  return null;
end $$;

create function follow_owing_basket() returns trigger language plpgsql as $$
begin
  perform mark_owing_sale(new.account_id, new.id);
  return null;
end $$;

-- Each takes a lock that waits for those who write, and lets them wait until the migration is done.
create trigger bookings_owing_insert after insert on bookings for each row
  when (new.channel <> 'partner' and new.status = 'confirmed')
  execute function follow_owing_booking();
create trigger bookings_owing_confirm after update on bookings for each row
  when (new.channel <> 'partner' and new.status = 'confirmed' and old.status <> 'confirmed')
  execute function follow_owing_booking();
create trigger bookings_owing_change after update on bookings for each row
  when (new.channel <> 'partner' and old.status = 'confirmed' and (
    old.status, old.participants, old.people, old.units, old.unit_price_minor, old.priced_per_booking,
    old.discount_minor, old.currency
  ) is distinct from (
    new.status, new.participants, new.people, new.units, new.unit_price_minor, new.priced_per_booking,
    new.discount_minor, new.currency
  ))
  execute function follow_owing_sale();
create trigger baskets_owing_change after update on baskets for each row
  when (new.channel <> 'partner' and old.status = 'completed'
    and (old.status, old.payment_method) is distinct from (new.status, new.payment_method))
  execute function follow_owing_basket();
create trigger payments_owing after insert on payments for each row execute function follow_owing_sale();
create trigger refunds_owing after insert or update of status, amount_minor, kept_minor on refunds for each row
  execute function follow_owing_sale();
