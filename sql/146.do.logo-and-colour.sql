-- The face of the operator on pages and e-mails for customers.

-- #rrggbb; null for the service's own.
alter table business_details add column if not exists colour text;
-- Safe: NOT VALID, so that no row is read.
alter table business_details add constraint business_details_colour_check check (colour ~ '^#[0-9a-f]{6}$') not valid;

-- Of the live account and of its test account, each its own.
create table logos (
  account_id bigint not null references accounts,
  -- The start of the picture's SHA-256, which stands in its address.
  hash text not null check (hash ~ '^[0-9a-f]{32}$'),
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  image bytea not null check (length(image) between 1 and 262144),
  changed_at timestamptz not null default app_now(),
  primary key (account_id)
);
