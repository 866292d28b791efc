-- compatible_from: 0028
-- The order in which the plans of a unit were accepted. The number is given in the insert, which is made under the lock of the
-- unit's row; created_at is of the clock of the process that accepted the plan. Plans of before have no number and were accepted
-- earlier than all that have one: among them created_at decides, as it did. Older programs get the numbers by the default.
create sequence execution_plan_acceptances;
alter table execution_plans add column accepted_number bigint not null default 0;
alter table execution_plans alter column accepted_number set default nextval('execution_plan_acceptances');
