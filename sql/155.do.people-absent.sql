-- How many of a party that is checked in did not come. A party that is marked as a no-show has none here: all of it is absent.
alter table bookings add column if not exists people_absent integer not null default 0;

-- The version before counts only who is here, and takes back check-ins, so it would leave people absent who have come since
-- or of whom nothing is said any more. Hence the limit is kept here, whichever version writes.
create or replace function limit_people_absent() returns trigger language plpgsql as $$
begin
  new.people_absent := case when new.attendance = 'checked-in' then least(
    new.people_absent,
    coalesce(new.people, new.participants) - least(new.people_here, coalesce(new.people, new.participants))
  ) else 0 end;
  return new;
end $$;
create or replace trigger bookings_people_absent before update on bookings for each row
  when (new.people_absent > 0) execute function limit_people_absent();
