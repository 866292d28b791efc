-- compatible_from: 0001
-- Policies and metrics: one row for each, and one for each version of what it says.

create table policies (
  id text primary key,
  version integer not null,
  status text not null check (status in ('draft', 'grace', 'enabled', 'disabled')),
  grace_until timestamptz,
  -- Deleted ones stay, so that results of their versions can be explained.
  deleted_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  check ((status = 'grace') = (grace_until is not null))
);

create table policy_versions (
  policy_id text not null references policies (id),
  version integer not null,
  name text not null,
  -- What it says, as in a request that creates it.
  content jsonb not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (policy_id, version)
);

create index policies_by_status on policies (status) where deleted_at is null;

-- Raised by each change of what an evaluation depends on, so that processes know when to read again.
create table revisions (
  what text primary key,
  revision bigint not null
);
insert into revisions values ('policies', 1), ('exceptions', 1);

-- What has been done once for this installation and is not to be repeated.
create table first_starts (
  what text primary key,
  at timestamptz not null
);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  operation text not null,
  subject text not null,
  request_id text,
  detail jsonb not null default '{}'
);
create index audit_by_subject on audit (subject, id);
