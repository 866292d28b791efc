-- compatible_from: 0028
-- When operations may begin in an environment: all its windows are one row, replaced as a whole.
create table maintenance_windows (
  environment text primary key,
  -- Raised by each change.
  version int not null,
  windows jsonb not null,
  updated_at timestamptz not null,
  updated_by text not null
);

-- Plans that wait until their environment is open: since when, why, and until when. An older worker takes them at once.
alter table execution_plans
  add column hold jsonb,
  -- An operator let it begin whatever the windows say.
  add column overrides_windows boolean not null default false;
create index execution_plans_hold on execution_plans (environment) where hold is not null;
