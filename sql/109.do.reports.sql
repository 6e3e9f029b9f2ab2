-- What the dashboard shows of partners' requests and of audits. No other part of the service reads it.

-- Scorecards: a histogram of the responses to partners for each local day. Web processes count in memory and add to it
-- every few seconds, so the counts are not exact. Partner 0 stands for keys that have none.
create table partner_calls (
  account_id bigint not null references accounts,
  partner_id bigint not null,
  day date not null,
  operation text not null,
  outcome text not null,
  -- The bucket: answered within so many milliseconds, and not within those of the bucket below.
  within_ms integer not null,
  calls bigint not null check (calls > 0),
  primary key (account_id, day, partner_id, operation, outcome, within_ms)
);
-- For the sweep of old days.
create index partner_calls_by_day on partner_calls (day);

-- The last audit of each kind, for each account.
create table audits (
  account_id bigint not null references accounts,
  kind text not null check (kind in ('usage-totals', 'booked-places')),
  finished_at timestamptz not null,
  differences bigint not null check (differences >= 0),
  primary key (account_id, kind)
);
