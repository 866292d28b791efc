-- What tasks need of their templates, once for each version of a template. A process that uses one renews `used_at`, so
-- that what no task and no process needs any more can be deleted.
create table template_plans (
  hash text primary key,
  plan json not null,
  used_at timestamptz not null default now()
);

-- Instantiations of templates. There is no reference to template_plans: checking it would make every start lock the one
-- row of a template that is used much.
create table instantiations (
  id uuid primary key,
  template_ref text not null,
  title text not null,
  plan_hash text not null,
  status text not null check (status in ('open', 'processing', 'completed', 'failed', 'cancelled')),
  -- Who started it.
  owner text not null,
  -- Values of the parameters; those that are secret are masked here and in clear nowhere.
  parameters json not null,
  environment json not null default '{}',
  -- Secrets, encrypted; gone as soon as the task has ended.
  sealed bytea,
  -- Where each of them stood in the request, so that a retry can ask for them again.
  secret_names json not null default '[]',
  -- Raised by each claim, and by a cancellation: whoever has an older one can't write any more.
  fence int not null default 0,
  -- Number of the last write under the fence, so that one that is sent again after a lost connection counts once.
  writes int not null default 0,
  worker_id uuid,
  output json,
  error text,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz
) with (fillfactor = 70);
create index instantiations_live on instantiations (created_at) where status in ('open', 'processing');
create index instantiations_owner on instantiations (owner, created_at desc, id desc);
create index instantiations_recent on instantiations (created_at desc, id desc);

-- Steps that have ended. What is here does not run again.
create table instantiation_steps (
  instantiation_id uuid not null references instantiations (id) on delete cascade,
  step int not null,
  status text not null check (status in ('completed', 'failed', 'skipped')),
  output json not null default '{}',
  error text,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  primary key (instantiation_id, step)
);

-- What happened once within a step: effects outside, and turns of an `each`.
create table instantiation_checkpoints (
  instantiation_id uuid not null references instantiations (id) on delete cascade,
  step int not null,
  key text not null,
  value json not null,
  primary key (instantiation_id, step, key)
);

-- Files of a task as they were after its last recorded step, packed, for the worker that goes on with it.
create table instantiation_workspaces (
  instantiation_id uuid primary key references instantiations (id) on delete cascade,
  archive bytea not null,
  is_sealed boolean not null
);
