create table tech_adapters (
  id text primary key,
  version text not null,
  name text not null,
  description text,
  labels text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index tech_adapters_name on tech_adapters (name, id);

create table adapter_deployments (
  adapter_id text not null references tech_adapters (id) on delete cascade,
  environment text not null,
  url text not null,
  enabled boolean not null default true,
  properties json,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (adapter_id, environment)
);

-- A deployment unit in one environment; the key is the id in lower case, because ids compare so.
create table units (
  unit_key text not null,
  environment text not null,
  unit_id text not null,
  -- The last descriptor that was accepted for provisioning.
  descriptor json,
  descriptor_version text,
  last_plan_id text,
  last_plan_status text,
  -- The last operation failed on an external service that blocks.
  blocked_by_service boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (unit_key, environment)
);

-- Last known state of each component (and of the root, under the unit's own key).
create table unit_components (
  unit_key text not null,
  environment text not null,
  component_key text not null,
  component_id text not null,
  name text,
  parent_key text,
  status text not null check (status in ('DEPLOYED', 'NOT_DEPLOYED', 'CORRUPT')),
  infrastructure_template_id text,
  -- The descriptor sent to the adapter, its canonical hash and its dependencies.
  descriptor json not null,
  hash text not null,
  depends_on text[] not null default '{}',
  descriptor_version text,
  info json,
  last_operation json,
  position int not null default 0,
  plan_id text not null,
  updated_at timestamptz not null default now(),
  primary key (unit_key, environment, component_key)
);

create table execution_plans (
  id text primary key,
  kind text not null,
  unit_key text,
  unit_id text,
  environment text not null,
  action text not null,
  status text not null check
    (status in ('WAITING', 'RUNNING', 'COMPLETED', 'FAILED', 'TERMINATING', 'TERMINATED')),
  originator text not null,
  -- What was asked (descriptor, planned changes, flags) and the unit's enrichment at the start.
  request json not null,
  descriptor_version text,
  failure text,
  traceparent text not null,
  terminate_mode text check (terminate_mode in ('safe', 'forced')),
  terminate_at timestamptz,
  deadline_at timestamptz not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  stopped_at timestamptz,
  -- Ownership: the worker that drives it, the number that rises with each claim, and the number of the
  -- last group of writes, so that a repeated group is known as such.
  worker_id uuid,
  fence bigint not null default 0,
  write_seq bigint not null default 0
) with (fillfactor = 60);
create index execution_plans_active on execution_plans (created_at)
  where status in ('WAITING', 'RUNNING', 'TERMINATING');
create index execution_plans_unit on execution_plans (unit_key, environment, created_at desc);

create table plan_tasks (
  plan_id text not null references execution_plans (id) on delete cascade,
  task_id text not null,
  position int not null,
  stage smallint not null,
  action text not null,
  component_key text,
  component_id text,
  component_name text,
  depends_on text[] not null default '{}',
  status text not null check
    (status in ('WAITING', 'RUNNING', 'COMPLETED', 'FAILED', 'SKIPPED', 'TERMINATING', 'TERMINATED')),
  adapter_id text,
  adapter_url text,
  -- What becomes of the component row when the task ends well, with its subcomponents.
  snapshot json,
  idempotency_key text not null,
  -- Intent: the call is about to be made. A token says that the adapter accepted it.
  intent_at timestamptz,
  attempts int not null default 0,
  token text,
  waiting json,
  result text,
  info json,
  started_at timestamptz,
  stopped_at timestamptz,
  primary key (plan_id, task_id)
) with (fillfactor = 60);
create index plan_tasks_component on plan_tasks (component_key, plan_id) where component_key is not null;

create table operations (
  id text primary key,
  plan_id text not null references execution_plans (id) on delete cascade,
  unit_key text not null,
  unit_id text not null,
  environment text not null,
  action text not null,
  descriptor_version text,
  status text not null check
    (status in ('SCHEDULED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'TERMINATING', 'TERMINATED')),
  originator text not null,
  components json not null,
  start_time timestamptz not null,
  stop_time timestamptz
);
-- One active operation per unit and environment, kept by the database itself.
create unique index operations_active on operations (unit_key, environment)
  where status in ('SCHEDULED', 'RUNNING', 'TERMINATING');
create unique index operations_plan on operations (plan_id);
create index operations_start on operations (start_time desc, id desc);
