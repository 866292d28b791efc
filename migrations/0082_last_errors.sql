-- compatible_from: 0028
-- Why the last worker of a plan could not go on: since when, how often in a row, and when it is tried again. Null while
-- nothing has failed since a task has ended. An older worker does not pause, and leaves it as it is.
alter table execution_plans
  add column last_error jsonb,
  -- Why the plan was terminated, where nobody asked for it.
  add column terminate_reason text;
-- Why a start whose turn has come can't begin yet, and since when.
alter table queued_starts add column last_error jsonb;
