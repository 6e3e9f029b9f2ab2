-- The trace (W3C traceparent) of the request or job that caused a row, for the worker that continues it. Null where
-- nothing was traced.
alter table events add column if not exists trace_context text;
alter table emails add column if not exists trace_context text;
alter table webhook_deliveries add column if not exists trace_context text;
