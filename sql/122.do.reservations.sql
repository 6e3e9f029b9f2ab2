-- Reservations: bookings that a reseller holds first and confirms later. Each is a basket of the channel `partner` with one
-- booking, and what only its reseller calls it or says of it.

-- Every row had passed the former check, which allowed fewer channels.
alter table baskets drop constraint baskets_channel_check;
-- Safe: NOT VALID, so that no row is read.
alter table baskets add constraint baskets_channel_check check (channel in ('partner', 'online', 'pos')) not valid;

-- The reseller's reference is the payment_reference of the booking.
create table reservations (
  account_id bigint not null,
  booking_id bigint not null,
  -- The partner who made it; 0 for a key without a partner.
  reseller_id bigint not null check (reseller_id >= 0),
  -- By which the reseller knows it, and by which a repeated request is recognised: body_hash is of the first one.
  uuid uuid not null,
  body_hash bytea not null,
  -- Whether the operator's workflows may write to the customer. Without it the reseller does.
  email_receipt boolean not null default false,
  -- For the customer, in the reseller's words.
  notes text,
  -- What is known of the customer beside the booking's own columns.
  contact jsonb,
  primary key (account_id, booking_id),
  unique (account_id, reseller_id, uuid),
  foreign key (account_id, booking_id) references bookings (account_id, id) on delete cascade
);

-- By which the reseller knows a ticket, and what is known of its holder beside the other columns.
alter table tickets add column if not exists reseller_uuid uuid;
alter table tickets add column if not exists contact jsonb;
