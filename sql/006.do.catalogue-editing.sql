-- What the operator edits of a catalogue by hand, and the account's settings of selling.

-- How long places are held for a basket, how far a hold can be extended, and how long a waitlist offer stands.
alter table accounts
  add column hold_minutes integer not null default 15 check (hold_minutes between 1 and 1440),
  add column hold_limit_minutes integer not null default 60 check (hold_limit_minutes between 1 and 10080),
  add column offer_minutes integer not null default 120 check (offer_minutes between 1 and 10080);

-- Partners and customers cancel a booking no later than this before its start.
alter table products
  add column cancel_cutoff_minutes integer not null default 0 check (cancel_cutoff_minutes between 0 and 525600);

-- Days of the pattern on which nothing takes place.
alter table schedules add column closed_dates date[] not null default '{}';

-- A timeslot that somebody edited is left alone by its schedule from then on.
alter table timeslots add column edited boolean not null default false;
create index timeslots_by_date on timeslots (account_id, date, time, id);
