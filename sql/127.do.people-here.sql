-- How many of a party are here.

-- Null while nobody is, and of a booking that the version before checked in: as a whole, or by the tickets that are redeemed.
alter table bookings add column if not exists people_here integer;
-- Safe: NOT VALID, so that no row is read.
alter table bookings add constraint bookings_people_here check (people_here >= 1) not valid;

-- The people whose tickets of a booking are redeemed; null for none. `sold` are the units of the booking. Only bookings
-- that have tickets ask, so it is no part of the statements of others, as a function in SQL would be.
create function redeemed_people(account bigint, booking bigint, sold jsonb) returns integer
language plpgsql stable parallel safe
as $$
begin
  return (
    select sum(coalesce((
      select (unit ->> 'people')::integer from jsonb_array_elements(sold) as unit
      where (unit ->> 'id')::bigint = tickets.unit_id limit 1
    ), 1))
    from tickets
    where tickets.account_id = account and tickets.booking_id = booking and redeemed_at is not null and voided_at is null
  );
end
$$;
