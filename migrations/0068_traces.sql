-- compatible_from: 0028
-- W3C trace context of the request that started it, so that its spans are a part of that trace in whatever process they are made.
-- Absent in rows that an older program has written.
alter table instantiations add column traceparent text;
alter table assistant_runs add column traceparent text;
