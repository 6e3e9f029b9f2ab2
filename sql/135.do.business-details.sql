-- Who the operator is in business, as receipts and the pages of customers say it.

-- Of the live account and of its test account, each its own, as the other settings of what customers read.
create table business_details (
  account_id bigint not null references accounts,
  legal_name text check (length(legal_name) between 1 and 200),
  -- As they stand on a letter, from the top.
  address_lines text[] not null default '{}' check (cardinality(address_lines) <= 6),
  tax_number text check (length(tax_number) between 1 and 50),
  phone text check (length(phone) between 1 and 50),
  email text check (length(email) between 1 and 254),
  changed_at timestamptz not null default app_now(),
  primary key (account_id)
);
