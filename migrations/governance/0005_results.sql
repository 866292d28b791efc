-- compatible_from: 0001
-- What policies and metrics said of resources. A result is never changed; the latest of a policy over a resource counts.
create table results (
  policy_id text not null,
  -- The resource's id in lower case.
  resource_key text not null,
  environment text not null,
  at timestamptz not null,
  policy_version int not null,
  policy_kind text not null check (policy_kind in ('policy', 'metric')),
  policy_name text not null,
  policy_status text not null,
  resource_id text not null,
  resource_name text not null,
  resource_type text not null,
  -- Id of its unit in lower case; null for a resource of no unit.
  unit_key text,
  outcome text not null check (outcome in ('ok', 'warning', 'error', 'failed')),
  blocking boolean not null,
  is_error boolean not null,
  is_satisfied boolean not null,
  value double precision,
  label text,
  errors json not null,
  advice text,
  exception_id text,
  source text not null check (source in ('plan', 'report', 'schedule', 'pushed')),
  primary key (policy_id, resource_key, environment, at)
);
create index results_of_resource on results (resource_key, environment, at desc);
create index results_of_unit on results (unit_key, environment, at desc) where unit_key is not null;
create index results_by_time on results (at desc, policy_id, resource_key, environment);
