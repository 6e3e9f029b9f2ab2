-- Platform events: nearer to their commit, and not kept for ever.

-- An event's time stands for that of its commit, which no transaction can know. The transaction's start, which
-- now() gives, may be seconds before it when locks were waited for; the moment of the insert is the nearest there is.
alter table platform_events alter column occurred_at set default clock_timestamp();

-- What finds the events that were recorded long ago.
create index platform_events_recorded on platform_events (recorded_at) where recorded_at is not null;
