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
