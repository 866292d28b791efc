-- compatible_from: 0028
-- When a worker had its session again after it was lost; null before that, and of an older program.
alter table workers add column reopened_at timestamptz;
