-- compatible_from: 0028
-- Plans that wait for somebody's approval before a worker takes them. An older worker would take them at once.

alter table execution_plans
  add column approval_status text check (approval_status in ('PENDING', 'APPROVED', 'REJECTED', 'EXPIRED')),
  -- Rule, who may decide, since when and until when, the hook action, and how it was decided.
  add column approval jsonb;
create unique index execution_plans_approval on execution_plans ((approval ->> 'actionId'))
  where approval is not null;
