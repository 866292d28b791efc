-- Lists of operations: each pair of environment and status is one run of the index in the order of time, and every
-- list is a merge of some or all of them. An index by time alone tempts the planner to filter its way through it.
drop index operations_start;
create index operations_listed on operations (environment, status, start_time);
create index operations_of_unit on operations (unit_key, start_time);

-- Accepted descriptors are read by time, as a feed. A plan's time is taken before its transaction commits, so a
-- reader could go past a plan that is not visible yet. `settled_by` is the first transaction id that was not
-- given out when the plan was inserted: once no older transaction runs, no plan with an earlier time can appear.
alter table execution_plans
  add column settled_by xid8 not null default pg_snapshot_xmax(pg_current_snapshot());
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
