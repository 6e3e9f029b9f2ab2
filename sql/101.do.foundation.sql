-- What every feature uses: the clock, local times, and idempotency keys.
--
-- Every table has account_id first in its primary key and in every unique and foreign key, so that the schema can be
-- distributed by account. `accounts`, `event_epochs` and `meter_prunings` would be copied to every node.

-- The clock for every comparison with now. Tests move it for their own connections by app.clock_offset, an interval
-- that is unset in production.
create function app_now() returns timestamptz language sql stable parallel safe as $$
  select now() + coalesce(nullif(current_setting('app.clock_offset', true), ''), '0')::interval
$$;

-- The instant at which a local clock shows `wall`. A time that a clock change shows twice means its first
-- occurrence (RFC 5545, section 3.3.5); one that a clock change skips never happens: null.
create function local_instant(wall timestamp, zone text) returns timestamptz
language sql stable strict parallel safe as $$
  select min(candidate)
  from (
    select wall at time zone zone as candidate
    union all
    -- the same wall time under the UTC offset that was in force a day before it
    select (wall - ((eve at time zone zone) - (eve at time zone 'UTC'))) at time zone 'UTC'
    from (select (wall at time zone zone) - interval '1 day' as eve) as before_change
  ) as candidates
  where candidate at time zone zone = wall
$$;

-- The response to each request that had an Idempotency-Key. `response` is null only inside the transaction that
-- executes the request; a committed row always has it.
create table idempotency_keys (
  account_id bigint not null,
  api_key_id bigint not null,
  operation text not null,
  key text not null check (length(key) between 1 and 255),
  body_hash bytea not null,
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (account_id, api_key_id, operation, key)
);
-- For the sweep, which deletes old keys of all accounts.
create index idempotency_keys_by_age on idempotency_keys (created_at);
