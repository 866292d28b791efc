-- compatible_from: 0028
-- Drift that a plan is to repair: found by a check, then asked about or started.
create table reconciles (
  id text primary key,
  unit_key text not null,
  unit_id text not null,
  environment text not null,
  check_id text not null,
  -- Ids of the components that have drifted.
  components text[] not null,
  -- FOUND: nobody has looked at what a plan would do. ASKED: waits for a person. DUE: starts by itself.
  status text not null check (status in ('FOUND', 'ASKED', 'DUE', 'STARTED', 'SUCCEEDED', 'FAILED', 'REFUSED',
    'EXPIRED', 'DROPPED')),
  -- Whether it was started without asking.
  automatic boolean not null default false,
  -- The unit's last plan when the check began: another one means that the unit has changed.
  last_plan_id text,
  -- What a plan would do, as a preview answers it, and its hash.
  preview json,
  plan_hash text,
  plan_id text,
  -- Why it waits, why it is asked about, or why it has ended.
  reason text,
  decided_by text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz
);
create unique index reconciles_open on reconciles (unit_key, environment)
  where status in ('FOUND', 'ASKED', 'DUE', 'STARTED');
create index reconciles_work on reconciles (created_at) where status in ('FOUND', 'ASKED', 'DUE', 'STARTED');
create index reconciles_list on reconciles (created_at desc, id desc);
create unique index reconciles_plan on reconciles (plan_id) where plan_id is not null;
