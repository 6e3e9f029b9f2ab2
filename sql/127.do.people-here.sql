-- How many of a party are here.

-- Null while nobody is, and of a booking that the version before checked in: as a whole, or by the tickets that are redeemed.
alter table bookings add column if not exists people_here integer;
-- Safe: NOT VALID, so that no row is read.
alter table bookings add constraint bookings_people_here check (people_here >= 1) not valid;
