-- compatible_from: 0028
-- How far the deletion of old rows has come, a row for each of its rules.
create table retention_state (
  rule text primary key,
  -- After which row the next batch begins; null at the first one.
  position json,
  -- When the last pass over all old rows ended.
  pass_ended_at timestamptz,
  deleted bigint not null default 0,
  -- Why the last batch failed; null after one that did not.
  failure text,
  updated_at timestamptz not null default now()
);

-- The order in which old plans are looked at.
create index execution_plans_ended on execution_plans (stopped_at, id) where stopped_at is not null;
