-- Run this once, before the service starts on a database that was restored to a point in the past:
--   psql "$DATABASE_URL" -v ended='2030-06-15 12:34:56+00' -f ops/after-restore.sql
-- `ended` is when the last process of the service stopped using the lost database.
\set ON_ERROR_STOP on
begin;

-- Partners and queues have ids that were drawn after that point. The sequences must not draw these ids again.
select count(setval(format('%I.%I', schemaname, sequencename)::regclass,
    coalesce(last_value, start_value) + 10000000 * increment_by)) as sequences_moved
  from pg_sequences where schemaname = 'public';

-- E-mails that were due by `ended`, or leased, may have been sent. They become failed e-mails, which can be retried one by one.
update emails set status = 'failed', reason = 'Perhaps sent already, before the database was restored.',
    lease = null, leased_until = null
  where status = 'queued' and (next_try_at <= :'ended' or lease is not null);
-- Workflows must not find the same bookings due again.
update workflows set armed_at = :'ended', swept_until = :'ended'
  where armed_at < :'ended';

-- On another server or timeline, the service begins a new epoch of the log itself. If a dump is restored into its original
-- server, the server and the timeline are the same, so this statement begins the new epoch.
insert into event_epochs (id, system_identifier, timeline)
  select floor(random() * 281474976710656)::bigint, newest.system_identifier, newest.timeline
  from (select * from event_epochs order by place desc limit 1) as newest, pg_control_system() as server
  where newest.system_identifier = server.system_identifier
    and newest.timeline = ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint;

commit;
