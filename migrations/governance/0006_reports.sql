-- compatible_from: 0001
-- Evaluations that workers do: of one resource, of a policy over everything that is deployed (a trial), or by a schedule.
create table evaluation_reports (
  id text primary key,
  kind text not null check (kind in ('evaluation', 'trial', 'schedule')),
  status text not null default 'pending' check (status in ('pending', 'completed', 'failed')),
  environment text not null,
  requested_by text not null,
  -- The resource, or the policy.
  request json not null,
  -- Of a schedule: which policy, and the minute that its expression named.
  policy_id text,
  tick timestamptz,
  -- Raised by each claim; a worker whose number is not this one any more writes nothing.
  fence int not null default 0,
  leased_until timestamptz,
  -- Claims since the last part was written.
  claims int not null default 0,
  -- Parts that were written, and where the next one begins; null for the beginning.
  parts int not null default 0,
  position text,
  counts json not null default '{}',
  failure text,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index evaluation_reports_pending on evaluation_reports (created_at) where status = 'pending';
create index evaluation_reports_pending_of on evaluation_reports (requested_by) where status = 'pending';
create index evaluation_reports_ended on evaluation_reports (ended_at) where ended_at is not null;
create unique index evaluation_reports_tick on evaluation_reports (policy_id, tick, environment) where kind = 'schedule';

-- The results of a report, a page of resources in each part; JSON texts of lists.
create table evaluation_report_parts (
  report_id text not null references evaluation_reports on delete cascade,
  part int not null,
  results text not null,
  primary key (report_id, part)
);
