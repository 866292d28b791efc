-- Who did what: one row per state change that a person or a service asked for.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor text not null,
  operation text not null,
  subject text not null,
  request_id text not null,
  detail jsonb not null default '{}'
);
create index audit_subject on audit (subject, id desc);

-- The log of every stream (an execution plan, later an instantiation or a run). A writer locks the row
-- that owns the stream before it inserts here, so within a stream the ids rise in commit order.
create table events (
  id bigint generated always as identity primary key,
  stream text not null,
  type text not null,
  at timestamptz not null,
  -- Severity of a `log` event: 10 DEBUG, 20 INFO, 30 WARNING, 40 ERROR.
  level smallint,
  data json not null
);
create index events_stream on events (stream, id);
create index events_logs on events (stream, level, id) where type = 'log';

-- Processes that drive durable work. One is alive while it holds the session lock of its key and has
-- written its heartbeat within the lease.
create table workers (
  id uuid primary key,
  lock_key int not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now(),
  lease_ms int not null
);
