-- Browsers and network addresses that users signed in from. Wrong passwords from them are counted apart, so that
-- guesses from elsewhere do not keep the user out. Only hashes are stored.
create table sign_in_origins (
  account_id bigint not null,
  user_id bigint not null,
  -- Also the key of the row in sign_in_guesses that counts wrong passwords from here.
  about bytea not null check (length(about) = 32),
  kind text not null check (kind in ('browser', 'address')),
  last_at timestamptz not null,
  primary key (account_id, user_id, about),
  foreign key (account_id, user_id) references users (account_id, id)
);
-- For the sweep of old rows.
create index sign_in_origins_by_age on sign_in_origins (last_at);
