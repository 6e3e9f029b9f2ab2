-- What open pages follow besides bookings: timeslots that are made, resized, closed or moved. The counters of what is
-- sold have no part in it, since their updates stay away from every index (HOT); bookings tell of those.
alter table timeslots add column changed_xid xid8 not null default '0';
alter table timeslots alter column changed_xid set default pg_current_xact_id();
create index timeslots_by_change on timeslots (account_id, changed_xid);

create function mark_timeslot_change() returns trigger language plpgsql as $$
begin
  new.changed_xid := pg_current_xact_id();
  return new;
end
$$;
create trigger timeslots_mark_change before update of capacity, status, starts_at on timeslots
  for each row when ((old.capacity, old.status, old.starts_at) is distinct from (new.capacity, new.status, new.starts_at))
  execute function mark_timeslot_change();
