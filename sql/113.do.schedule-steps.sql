-- A schedule with many timeslots is changed or ended in steps, so that no transaction locks all of them.

alter table schedules
  -- The timeslots from this date on do not follow the schedule yet; null when all do.
  add column follow_from date,
  -- When the last step was taken: a job goes on with what nobody else does.
  add column followed_at timestamptz,
  -- Its timeslots are taken from it, and then the schedule is deleted.
  add column ending boolean not null default false;

-- For the worker, which takes the steps that are left, of all accounts.
create index schedules_to_follow on schedules (account_id, id) where follow_from is not null or ending;
