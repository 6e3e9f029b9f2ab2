-- Metered usage: the entries, the totals that summaries read, and the entries that could not be stored.

-- Each process draws ids in large blocks, far ahead, so that it accepts entries while PostgreSQL is down.
create sequence meter_entry_ids increment by 100000;

-- Every entry of usage. `accepted_at` is drawn together with the id and stays with it, so that a second delivery of an
-- entry has the same primary key. `day` is the local day of `occurred_at`. There is no foreign key to accounts, which
-- would cost as much as the insert itself: `day` comes from the account's row and cannot be null.
create table meter_entries (
  account_id bigint not null,
  id bigint not null,
  accepted_at timestamptz not null,
  meter text not null check (length(meter) between 1 and 255),
  usage numeric not null check (usage > 0 and usage < 1e15 and scale(usage) <= 20),
  extra_info text check (octet_length(extra_info) <= 8192),
  occurred_at timestamptz not null,
  day date not null,
  voided_at timestamptz,
  void_reason text,
  primary key (account_id, id, accepted_at),
  constraint meter_entries_voided_with_reason check ((voided_at is null) = (void_reason is null))
) partition by range (accepted_at);
-- For lists of entries and for audits, which read the entries of days and of a meter.
create index meter_entries_by_day on meter_entries (account_id, day, meter, id);

-- Totals by local day. Always total = pruned_total + the sum of the entries that are not voided; events alike. The
-- free space keeps updates on the page (HOT), so that they touch neither index.
create table meter_daily (
  account_id bigint not null references accounts,
  meter text not null,
  day date not null,
  total numeric not null check (total >= 0),
  events bigint not null check (events >= 0),
  pruned_total numeric not null default 0 check (pruned_total >= 0),
  pruned_events bigint not null default 0 check (pruned_events >= 0),
  primary key (account_id, meter, day)
) with (fillfactor = 70);
-- For summaries of all meters.
create index meter_daily_by_day on meter_daily (account_id, day);

-- Totals by month. Always the sum of the month's days: a summary of a year is as quick as one of a month.
create table meter_monthly (
  account_id bigint not null references accounts,
  meter text not null,
  month date not null check (extract(day from month) = 1),
  total numeric not null check (total >= 0),
  events bigint not null check (events >= 0),
  primary key (account_id, meter, month)
) with (fillfactor = 70);

-- Entries that the database refused, as the JSON in which they came: text, since the JSON may be what is wrong.
create table usage_rejects (
  account_id bigint not null,
  id bigint not null,
  entry text not null,
  reason text not null,
  rejected_at timestamptz not null default now(),
  primary key (account_id, id)
);

-- The months whose entries were deleted, all of them counted in meter_daily.pruned_*.
create table meter_prunings (
  month date primary key,
  entries bigint not null,
  pruned_at timestamptz not null default now()
);

-- Makes the partition of a month (UTC) unless it exists; false for a month that is pruned, which must not come back:
-- entries of it that are delivered once more may have been counted. Inserts go on meanwhile.
create function make_meter_partition(month date) returns boolean language plpgsql as $$
declare
  name text := to_char(month, '"meter_entries_"YYYY"_"MM');
begin
  perform pg_advisory_xact_lock(7241106);
  if exists (select from meter_prunings where meter_prunings.month >= make_meter_partition.month) then
    return false;
  end if;
  if to_regclass(format('%I', name)) is null then
    execute format('create table %I (like meter_entries including defaults including constraints)', name);
    execute format('alter table meter_entries attach partition %I for values from (%L) to (%L)',
      name, month::text || ' 00:00+00', (month + interval '1 month')::date::text || ' 00:00+00');
  end if;
  return true;
end
$$;

-- The worker makes those of later months.
select make_meter_partition((date_trunc('month', now() at time zone 'UTC') + months * interval '1 month')::date)
from generate_series(0, 2) as months;
