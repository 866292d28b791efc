-- Keys under which callers start operations: a repeat under the same key answers the token of the first.
create table idempotency_keys (
  actor text not null,
  operation text not null,
  key text not null,
  -- Canonical hash of the whole request; another request under the same key is refused.
  fingerprint text not null,
  -- Null only within the transaction that accepts the start.
  token text,
  expires_at timestamptz not null,
  primary key (actor, operation, key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);

-- An operation that waits for its turn has a plan without tasks and an operation that is not active yet.
alter table execution_plans add column queued boolean not null default false;
-- When its turn came, for a plan that was queued: until then nobody could have taken it.
alter table execution_plans add column turn_at timestamptz;
-- The plan that this one goes on from.
alter table execution_plans add column origin_plan text;
alter table operations add column queued boolean not null default false;
drop index operations_active;
create unique index operations_active on operations (unit_key, environment)
  where status in ('SCHEDULED', 'RUNNING', 'TERMINATING') and not queued;

-- What was asked, until it is planned. Numbers are given under the lock of the unit's row, so they rise in the order
-- of acceptance.
create table queued_starts (
  plan_id text primary key references execution_plans (id) on delete cascade,
  unit_key text not null,
  environment text not null,
  number bigint generated always as identity,
  request json not null,
  queued_at timestamptz not null
);
create unique index queued_starts_turn on queued_starts (unit_key, environment, number);

-- How full the limits of a worker are, as it last wrote them; for those who ask why a task waits.
alter table workers add column slots json;
