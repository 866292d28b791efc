-- compatible_from: 0001
-- Excuses from a policy, with an end.

create table exceptions (
  id text primary key,
  policy_id text not null references policies (id),
  -- Either ids or an expression.
  resource_ids text[] not null default '{}',
  selection text,
  -- Empty for every environment.
  environments text[] not null default '{}',
  reason text not null,
  until timestamptz not null,
  status text not null check (status in ('pending', 'approved', 'rejected', 'revoked', 'expired')),
  requested_by text not null,
  requested_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  decision_reason text,
  updated_at timestamptz not null
);
create index exceptions_by_policy on exceptions (policy_id, status);
create index exceptions_by_end on exceptions (until) where status in ('pending', 'approved');
