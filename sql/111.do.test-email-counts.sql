-- How many test e-mails an account has queued in a day (UTC). They go to any address from the address of the service, so
-- they are limited. One row for each account; its count begins at 1 each day.
create table test_email_counts (
  account_id bigint not null references accounts,
  day date not null,
  emails integer not null check (emails > 0),
  primary key (account_id)
);
