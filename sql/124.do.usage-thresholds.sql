-- Alerts on usage: the thresholds that an account sets on its meters, and when each was crossed.

create table usage_thresholds (
  account_id bigint not null references accounts,
  id bigint generated always as identity,
  meter text not null check (length(meter) between 1 and 255),
  -- Of what the total is compared with it: each day, each month, or all usage there ever was.
  period text not null check (period in ('day', 'month', 'total')),
  amount numeric not null check (amount > 0),
  created_at timestamptz not null default app_now(),
  -- The sum of the meter's months, for `total` alone and until it is crossed. Statements that store usage add to it
  -- under the row's lock, since a sum that they read would be of the time before they waited for each other. It can be
  -- behind by what was stored by a statement that did not see the threshold; usage.check-thresholds adds the months up
  -- again.
  reached numeric check ((reached is not null) = (period = 'total')),
  primary key (account_id, id),
  unique (account_id, meter, period, amount)
) with (fillfactor = 70);

-- Each crossing: once for a threshold and a period, for good. Usage that is voided later takes none of them back.
create table usage_crossings (
  account_id bigint not null,
  threshold_id bigint not null,
  -- The first day of the period; -infinity for all usage there ever was.
  period_start date not null,
  crossed_at timestamptz not null default app_now(),
  -- What the total was then.
  total numeric not null,
  primary key (account_id, threshold_id, period_start),
  foreign key (account_id, threshold_id) references usage_thresholds (account_id, id) on delete cascade
);
