-- Calls that may have acted although nobody learned how they ended: written when their plan ends, in its
-- transaction. While the plan still runs they are read from its tasks.
create table unknown_outcomes (
  plan_id text not null references execution_plans (id) on delete cascade,
  task_id text not null,
  unit_key text,
  unit_id text,
  environment text not null,
  action text not null,
  component_key text,
  component_id text,
  adapter_id text,
  adapter_url text,
  task_status text not null,
  token text,
  idempotency_key text not null,
  traceparent text not null,
  attempts int not null,
  -- When the task began; the lists are ordered by it, so that what has waited longest comes first.
  since timestamptz not null,
  last_call_at timestamptz,
  ended_at timestamptz not null,
  last_answer text,
  polls int not null default 0,
  last_poll_at timestamptz,
  last_poll_answer text,
  settled_at timestamptz,
  settled_by text,
  outcome text,
  reason text,
  primary key (plan_id, task_id)
);
create index unknown_outcomes_open on unknown_outcomes (since, plan_id, task_id) where settled_at is null;
create index unknown_outcomes_settled on unknown_outcomes (since, plan_id, task_id) where settled_at is not null;
create index unknown_outcomes_component on unknown_outcomes (unit_key, environment, component_key)
  where settled_at is null;

-- Checks whether what is deployed still is as it was deployed.
create table drift_checks (
  id text primary key,
  unit_key text not null,
  unit_id text not null,
  environment text not null,
  status text not null check (status in ('SCHEDULED', 'RUNNING', 'COMPLETED')),
  trigger text not null check (trigger in ('REQUESTED', 'SCHEDULED')),
  requested_by text not null,
  traceparent text not null,
  -- Raised by each run that takes the check, so that one that was given up can't write any more.
  fence int not null default 0,
  waiting json,
  result text check (result in ('NO_DRIFT', 'DRIFTED', 'UNKNOWN')),
  components json not null default '[]',
  created_at timestamptz not null,
  started_at timestamptz,
  stopped_at timestamptz
);
create unique index drift_checks_open on drift_checks (unit_key, environment)
  where status in ('SCHEDULED', 'RUNNING');
create index drift_checks_unit on drift_checks (unit_key, environment, created_at desc, id desc);

-- What goes out to others: one row per CloudEvent, made from the events table by one worker at a time, so that
-- their numbers rise in the order of their visibility.
create table outgoing_events (
  seq bigint generated always as identity primary key,
  id text not null unique,
  type text not null,
  subject text not null,
  environment text not null,
  at timestamptz not null,
  body text not null
);
create index outgoing_events_at on outgoing_events (at);

-- How far the events table has been read for that; `instance` tells this database's events from another's.
create table outgoing_position (
  only_row boolean primary key default true check (only_row),
  position bigint,
  instance text not null default left(replace(gen_random_uuid()::text, '-', ''), 12)
);
insert into outgoing_position default values;

-- How far each webhook has been handed the outgoing events.
create table webhooks (
  name text primary key,
  url text not null,
  position bigint not null,
  -- Its receiver has answered 410: nothing goes out to it until a replay or another address.
  gone_at timestamptz
);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook text not null,
  event_seq bigint not null,
  event_id text not null,
  type text not null,
  subject text not null,
  environment text not null,
  status text not null check (status in ('PENDING', 'DELIVERED', 'DEAD')),
  is_replay boolean not null default false,
  attempts int not null default 0,
  -- When it may be sent; null while an earlier one of its subject is on its way.
  next_attempt_at timestamptz,
  worker_id uuid,
  created_at timestamptz not null default now(),
  last_attempt_at timestamptz,
  last_status int,
  last_error text,
  ended_at timestamptz
) with (fillfactor = 80);
create index webhook_deliveries_due on webhook_deliveries (webhook, next_attempt_at)
  where status = 'PENDING' and next_attempt_at is not null;
create index webhook_deliveries_turn on webhook_deliveries (webhook, subject, id) where status = 'PENDING';
create index webhook_deliveries_list on webhook_deliveries (webhook, id desc);
create index webhook_deliveries_status on webhook_deliveries (status, id desc);
create index webhook_deliveries_event on webhook_deliveries (event_seq, webhook);
create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null;
