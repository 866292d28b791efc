-- compatible_from: 0028
-- When an adapter accepted a task, and the ended tasks of each adapter by time: what its calls took and how they ended.
-- `status` is left out of the index on purpose: an index on it would make every change of a task write all indexes.
-- A task is unanswered when it failed because its adapter gave no usable answer.
alter table plan_tasks add column accepted_at timestamptz, add column unanswered boolean not null default false;
create index plan_tasks_ended on plan_tasks (adapter_id, stopped_at) where stopped_at is not null;
