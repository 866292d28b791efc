-- What a task needs beyond its component: the literal body of its call, how its adapter validates, whether its
-- failure fails the plan. Null for the plain ones.
alter table plan_tasks add column details json;

-- Plans in one lane run one after the other, in the order in which they were accepted.
create sequence execution_plan_lanes;
alter table execution_plans add column lane text, add column lane_seq bigint;
create index execution_plans_lane on execution_plans (lane, lane_seq)
  where lane is not null and status in ('WAITING', 'RUNNING', 'TERMINATING');

-- A provisioning waits for the changes of access that were accepted on its unit before it.
create index execution_plans_access on execution_plans (unit_key, environment)
  where kind = 'ACCESS' and status in ('WAITING', 'RUNNING', 'TERMINATING');

-- Access requests, each under the id that its sender gave it.
create table acl_requests (
  request_id text primary key,
  body_hash text not null,
  plan_id text not null unique references execution_plans (id) on delete cascade,
  unit_key text not null,
  environment text not null,
  component_key text not null,
  component_id text not null,
  -- The complete set that was asked for.
  identities text[] not null,
  originator text not null,
  http_request_id text not null,
  created_at timestamptz not null
);
create index acl_requests_unit on acl_requests (unit_key, environment);

-- Who has access to what, as the adapters have confirmed it.
create table acls (
  unit_key text not null,
  environment text not null,
  component_key text not null,
  component_id text not null,
  identity text not null,
  request_id text not null,
  granted_at timestamptz not null default now(),
  primary key (unit_key, environment, component_key, identity)
);
