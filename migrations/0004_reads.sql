-- Lists of operations: each pair of environment and status is one run of the index in the order of time, and every
-- list is a merge of some or all of them. An index by time alone tempts the planner to filter its way through it.
drop index operations_start;
create index operations_listed on operations (environment, status, start_time);
create index operations_of_unit on operations (unit_key, start_time);

-- The feed of accepted descriptors.
create index execution_plans_accepted on execution_plans (created_at, id) where kind = 'PROVISIONING';

-- What kind of resource a unit is; lists filter by it.
alter table units
  add column kind text generated always as (lower(descriptor ->> 'kind')) stored;
create index units_of_environment on units (environment, unit_key);
create index unit_components_deployed on unit_components (environment, unit_key) where status = 'DEPLOYED';

-- Templates that were announced; an address among them became a deployment of a tech adapter.
create table template_metadata (
  id text primary key,
  name text not null,
  description text not null,
  version text not null,
  infrastructure_id_ref text,
  url text,
  environment text,
  properties json not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
