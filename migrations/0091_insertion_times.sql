-- compatible_from: 0028
-- When the plan was inserted, by the clock of the database; created_at is of the clock of the process that accepted it. Plans of
-- before count as inserted now. Older programs get it by the default.
alter table execution_plans add column inserted_at timestamptz not null default now();
