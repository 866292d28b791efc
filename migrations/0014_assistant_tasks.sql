-- Runs of an owner by when they last changed: clients of A2A list them so.
create index assistant_runs_changed on assistant_runs
  (owner, coalesce(ended_at, started_at, created_at) desc, id desc);
