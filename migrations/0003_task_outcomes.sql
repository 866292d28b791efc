-- Whether a call of the task may have reached its adapter. True from the moment an attempt begins, as long as
-- its outcome is not known; so a crash leaves a component as it was only where nobody can have touched it.
alter table plan_tasks add column may_have_acted boolean not null default false;
