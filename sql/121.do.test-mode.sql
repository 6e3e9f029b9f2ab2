-- Test accounts: what test keys do belongs to an account of its own. That of the account 12 is the account -12, so that
-- the sign of an account's id says everywhere which of the two a row is of.

-- A slug with a dot cannot be chosen: the test account of `lagos` is `lagos.test`.
alter table accounts drop constraint accounts_slug_check;
alter table accounts add constraint accounts_slug_check check (
  slug ~ '^[a-z0-9]+(-[a-z0-9]+)*(\.test)?$' and length(slug) <= 68 and (account_id < 0) = (slug like '%.test')
  and length(slug) - 5 * (account_id < 0)::integer <= 63
);

-- How far each test account has followed the log of its live account.
create table test_accounts (
  account_id bigint primary key references accounts check (account_id < 0),
  -- The number of the last event that was followed.
  followed_number bigint not null check (followed_number >= 0),
  followed_at timestamptz not null default now(),
  -- When all timeslots were last compared with those of the live account; null when they are to be.
  compared_at timestamptz default now()
);

-- People belong to the live account. They look at both.
alter table users add constraint users_live check (account_id > 0) not valid;
alter table audits add constraint audits_live check (account_id > 0) not valid;

-- What an e-mail of a test account said, since it was sent to nobody. Of a live one nothing is kept.
alter table emails add column if not exists test_message jsonb;
alter table emails add constraint emails_test_message check (test_message is null or account_id < 0) not valid;

-- The catalogue of a test account is that of its live account, and nobody else writes it: a statement that would, fails.
create function refuse_unless_following() returns trigger
language plpgsql
as $$
begin
  if current_setting('app.following', true) is distinct from 'on' then
    raise exception 'the catalogue of a test account is that of its live account' using errcode = 'ABT01';
  end if;
  return coalesce(new, old);
end
$$;

do $$
declare
  name text;
begin
  foreach name in array array['accounts', 'partners', 'products', 'units', 'refund_terms', 'questions', 'schedules',
    'partner_terms', 'promotions', 'workflows', 'timeslots']
  loop
    execute format('create trigger %I before insert on %I for each row when (new.account_id < 0)
      execute function refuse_unless_following()', name || '_follow_insert', name);
    execute format('create trigger %I before delete on %I for each row when (old.account_id < 0)
      execute function refuse_unless_following()', name || '_follow_delete', name);
    -- What selling and sweeping write of a row is its own: they write no other column of it.
    execute format('create trigger %I before update %s on %I for each row
      when (new.account_id < 0 or old.account_id < 0) execute function refuse_unless_following()', name || '_follow_update', case name
        when 'timeslots' then 'of account_id, id, product_id, schedule_id, date, time, starts_at, capacity, status, edited,
          unit_prices, opening_hours, closes_at'
        when 'workflows' then 'of account_id, id, name, trigger, offset_minutes, product_id, subject, body, active,
          created_at, updated_at'
        else '' end, name);
  end loop;
end
$$;
