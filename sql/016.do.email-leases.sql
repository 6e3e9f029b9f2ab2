-- A worker claims an e-mail by a lease and hands it over outside any transaction.

-- Only the holder of the token marks the e-mail. `next_try_at` moves to the end of the lease as well, so that the
-- version before, which knows no leases, does not take it meanwhile. It does not clear a lease either: `leased_until`
-- tells a live one from one that has run out.
alter table emails add column if not exists lease uuid;
alter table emails add column if not exists leased_until timestamptz;

-- For claims in turns: the accounts that have e-mails queued, and what each has due first.
create index if not exists emails_by_turn on emails (account_id, next_try_at) where status = 'queued';
-- For the live leases of an account.
create index if not exists emails_by_lease on emails (account_id, leased_until) where lease is not null;
