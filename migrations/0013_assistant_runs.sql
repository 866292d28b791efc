-- Conversations of a user with the assistant.
create table assistant_sessions (
  id uuid primary key,
  owner text not null,
  title text not null default '',
  -- Who made the title; one by the owner is never replaced.
  title_by text not null default 'nobody' check (title_by in ('nobody', 'assistant', 'owner')),
  -- The agent of the last run, which the next one takes unless told otherwise.
  agent_id uuid,
  -- What was said up to the message `summary_until`, in short, once the whole would fill the model's context.
  summary text,
  summary_until bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index assistant_sessions_owner on assistant_sessions (owner, updated_at desc, id desc);

-- One request and all that is done to answer it.
create table assistant_runs (
  id uuid primary key,
  session_id uuid not null references assistant_sessions (id) on delete cascade,
  owner text not null,
  -- As whom its tools are called: `{ref, roles, provider}`.
  actor json not null,
  request_id text not null,
  -- Of what was asked, so that the same request id with something else is refused.
  request_hash text not null,
  agent_id uuid,
  message text not null,
  page_context text,
  status text not null
    check (status in ('queued', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'interrupted')),
  -- Raised by each claim: whoever has an older one can't write any more.
  fence int not null default 0,
  worker_id uuid,
  -- Where the run stood after its last whole turn, and the last event of that turn.
  state json,
  state_seq int,
  answer text not null default '',
  error_code text,
  limited boolean not null default false,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz
) with (fillfactor = 70);
create unique index assistant_runs_request on assistant_runs (owner, request_id);
create unique index assistant_runs_one_a_session on assistant_runs (session_id) where status in ('running', 'waiting');
create index assistant_runs_session on assistant_runs (session_id, created_at, id);
create index assistant_runs_live on assistant_runs (created_at) where status in ('queued', 'running', 'waiting');
create index assistant_runs_ended on assistant_runs (ended_at) where ended_at is not null;

create table assistant_messages (
  id bigint generated always as identity primary key,
  session_id uuid not null references assistant_sessions (id) on delete cascade,
  run_id uuid not null references assistant_runs (id) on delete cascade,
  role text not null check (role in ('user', 'assistant')),
  content text not null,
  created_at timestamptz not null
);
create index assistant_messages_session on assistant_messages (session_id, id);
create index assistant_messages_run on assistant_messages (run_id);

-- The events of runs, many in a row: `events` holds those from `first_seq` to `last_seq`, one JSON text in each line.
create table assistant_run_events (
  run_id uuid not null references assistant_runs (id) on delete cascade,
  first_seq int not null,
  last_seq int not null,
  events text not null,
  primary key (run_id, first_seq)
);

-- Tool calls that wait for the user.
create table assistant_approvals (
  id uuid primary key,
  run_id uuid not null references assistant_runs (id) on delete cascade,
  call_id text not null,
  -- Names of the agents from the first one to the one that calls.
  agents json not null,
  server text not null,
  tool text not null,
  arguments json not null,
  status text not null check (status in ('pending', 'approved', 'denied', 'expired')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz
);
create unique index assistant_approvals_call on assistant_approvals (run_id, call_id);
create index assistant_approvals_open on assistant_approvals (expires_at) where status = 'pending';

-- What each call of a model has used; outlives its run and its session.
create table assistant_usage (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  owner text not null,
  session_id uuid not null,
  run_id uuid not null,
  agent text not null,
  model text not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cached_tokens bigint not null,
  cost double precision not null
);
create index assistant_usage_owner on assistant_usage (owner, at);
create index assistant_usage_at on assistant_usage (at);
create index assistant_usage_run on assistant_usage (run_id);
