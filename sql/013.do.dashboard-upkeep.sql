-- What the dashboard shows of keys, partners' calls, and audits; none of it decides anything.

-- To a few minutes: see src/accounts/key-use.ts.
alter table api_keys add column last_used_at timestamptz;

-- How partners' calls were answered: a histogram for each local day. Web processes count in memory and add to it
-- every few seconds, so that it is nearly right, and costs no call anything. Partner 0 stands for keys that have none.
create table partner_calls (
  account_id bigint not null references accounts,
  partner_id bigint not null,
  day date not null,
  operation text not null,
  outcome text not null,
  -- The bucket: answered within so many milliseconds, and not within those of the one below.
  within_ms integer not null,
  calls bigint not null check (calls > 0),
  primary key (account_id, day, partner_id, operation, outcome, within_ms)
);
create index partner_calls_by_day on partner_calls (day);

-- The last audit of each kind, for each account.
create table audits (
  account_id bigint not null references accounts,
  kind text not null check (kind in ('usage-totals', 'booked-places')),
  finished_at timestamptz not null,
  differences bigint not null check (differences >= 0),
  primary key (account_id, kind)
);
