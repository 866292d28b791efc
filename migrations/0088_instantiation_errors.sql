-- compatible_from: 0028
-- Why workers could not go on with a task, when it is tried again, and how often its process has died with it. An older program tries
-- at once.
alter table instantiations add column last_error jsonb;
