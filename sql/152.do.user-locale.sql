-- The language and country in which a user reads the dashboard. Null for those that the browser prefers.
alter table users add column if not exists locale text;
-- Safe: NOT VALID, so that no row is read.
alter table users add constraint users_locale_check check (locale ~ '^[a-z]{2,3}-[A-Z]{2}$') not valid;
