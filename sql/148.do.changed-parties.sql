-- Workflows that tell the customer that the party of a booking was changed.

-- Every row had passed the former check, which allowed fewer triggers. A worker of the version before fails at a workflow
-- for changed parties, and does the others of its account; a worker of this version sends the e-mail when it numbers the
-- change.
alter table workflows drop constraint workflows_trigger_check;
-- Safe: NOT VALID, so that no row is read.
alter table workflows add constraint workflows_trigger_check check (
  trigger = any(array['booking-confirmed', 'booking-moved', 'booking-amended', 'booking-cancelled', 'before-start', 'after-end'])
) not valid;

-- Where timeslots went that were moved and that stay closed, since their schedule would make them again or an ended booking
-- names them. Such a timeslot is not offered when its day is reopened.
create table timeslot_moves (
  account_id bigint not null,
  timeslot_id bigint not null,
  to_timeslot_id bigint not null,
  primary key (account_id, timeslot_id),
  foreign key (account_id, timeslot_id) references timeslots (account_id, id) on delete cascade,
  foreign key (account_id, to_timeslot_id) references timeslots (account_id, id) on delete cascade
);
create index timeslot_moves_by_target on timeslot_moves (account_id, to_timeslot_id);
