-- The words by which bookings are searched. The worker writes them after each event that changes them, so that a sale
-- pays for no index of names and phone numbers; those of bookings made before are written by a job.

create table booking_words (
  account_id bigint not null,
  booking_id bigint not null,
  -- In lower case and without accents, each behind its account: `12/lovelace`. A phone number is `12/#` and its digits
  -- from the last to the first.
  words tsvector not null,
  -- No foreign key: to write a row here must never wait for a booking that is locked.
  primary key (account_id, booking_id)
);
create index booking_words_by_word on booking_words using gin (words);

-- ISO 3166: the country in whose form phone numbers are typed; null for that of the time zone.
alter table accounts add column if not exists country text;
-- Safe: NOT VALID, so that no row is read.
alter table accounts add constraint accounts_country_check check (country ~ '^[A-Z]{2}$') not valid;
