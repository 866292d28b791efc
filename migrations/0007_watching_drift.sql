-- Who runs a check, so that another takes it over as soon as that process is dead.
alter table drift_checks add column worker_id uuid;
