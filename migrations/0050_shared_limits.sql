-- compatible_from: 0028
-- Limits that hold for all processes together. A process is a member while it lives; a worker's member lives as long as the
-- worker does. Programs from before this migration are no members, and count for themselves.
create table limit_members (
  id uuid primary key,
  worker_id uuid,
  -- Whether it answers requests of callers.
  serves boolean not null,
  joined_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now(),
  -- When another member found it dead; a moment later what it held is free.
  gone_at timestamptz
);

-- What each member holds of each limit. Changed under one advisory lock, so that the sum of a name never exceeds its limit.
create table limit_shares (
  member_id uuid not null,
  name text not null,
  -- The minute (since 1970) in which a rate counts, and in which what was used stays used; 0 for things at work at once.
  period int not null,
  demand int not null,
  share int not null,
  used int not null,
  primary key (name, period, member_id)
);
