-- Tickets: a row for each unit of a booking, where something needs one. Most bookings have none.

alter table bookings add column if not exists has_tickets boolean not null default false;

-- The tickets of a booking, one for each unit that it has bought, by `number` in the order in which they were made. The
-- uuid is what a scanner reads. A ticket of a unit that the booking has no more, or of a booking that has ended, is
-- void. The columns of the contact are null without one, and after the customer was erased. A row is written only while
-- its booking is locked.
create table tickets (
  account_id bigint not null,
  booking_id bigint not null,
  number integer not null check (number >= 1),
  uuid uuid not null default gen_random_uuid(),
  -- What it admits, as it was sold; 0 without a name or type for a product without units.
  unit_id bigint not null check (unit_id >= 0),
  unit_name text,
  unit_type text,
  first_name text,
  last_name text,
  email text,
  phone text,
  -- What the reseller calls the ticket.
  reseller_reference text,
  redeemed_at timestamptz,
  voided_at timestamptz,
  primary key (account_id, booking_id, number),
  unique (account_id, uuid),
  foreign key (account_id, booking_id) references bookings (account_id, id)
);
-- For the export and erasure of a customer.
create index tickets_by_email on tickets (account_id, lower(email)) where email is not null;

-- How many tickets an erasure has taken a contact from, beside those of its bookings.
alter table erasures add column tickets integer not null default 0;
