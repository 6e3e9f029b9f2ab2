-- All-day timeslots, and until when places are sold.

-- So many minutes before its start, or before the last closing of an all-day timeslot, a place is no longer sold.
alter table products add column booking_cutoff_minutes integer not null default 0
  constraint products_booking_cutoff_minutes_check check (booking_cutoff_minutes between 0 and 525600);

-- The opening hours of its all-day timeslots, in order: [{"opens": "09:00", "closes": "17:00"}, …]. A closing that is not
-- after its opening is on the next day. Null for a schedule of times; else `times` has the first opening alone.
alter table schedules add column opening_hours jsonb;

-- The same of a timeslot, and its last closing. Both are null for one that has a start and a duration. `time` and
-- `starts_at` are the first opening.
alter table timeslots add column if not exists opening_hours jsonb;
alter table timeslots add column if not exists closes_at timestamptz;
alter table timeslots add constraint timeslots_all_day check ((opening_hours is null) = (closes_at is null)) not valid;

-- The instant of the last closing of opening hours that begin on a local date; null without opening hours. A closing that
-- a clock change skips is as much later as the clocks go forward; of one that the clocks show twice it is the second.
create function last_closing(day date, hours jsonb, zone text) returns timestamptz
language sql stable strict parallel safe
as $$
  select (day + (hours -> -1 ->> 'closes')::time
    + case when (hours -> -1 ->> 'closes')::time <= (hours -> -1 ->> 'opens')::time then interval '1 day' else '0' end
  ) at time zone zone
$$;
