-- compatible_from: 0001
-- Where a row of the audit comes from. Rows of before, and of programs from before, say neither.
alter table audit
  add column area text,
  add column client_address text;
create index audit_actor on audit (actor, id desc);
create index audit_request on audit (request_id);
create index audit_at on audit using brin (at);

-- The rows of the audit in the order in which they were sealed, each with a hash over itself and the hash before it. Rows are
-- written without one; a worker seals them a moment after their commit, so that writers never wait for each other.
create table audit_chain (
  audit_id bigint primary key,
  seq bigint not null unique,
  sealed_at timestamptz not null,
  hash bytea not null
);

-- The end of the chain, and where it begins since older rows were deleted.
create table audit_head (
  id int primary key default 1 check (id = 1),
  seq bigint not null default 0,
  audit_id bigint not null default 0,
  hash bytea not null default decode(repeat('00', 32), 'hex'),
  sealed_at timestamptz,
  pruned_seq bigint not null default 0,
  pruned_id bigint not null default 0,
  pruned_hash bytea not null default decode(repeat('00', 32), 'hex'),
  pruned_at timestamptz,
  -- Where the signature did not fit when the chain was continued.
  unsigned_seq bigint,
  unsigned_at timestamptz,
  -- Of all of this, with the key of the installation. Null until the first row is sealed.
  signature bytea
);
insert into audit_head default values;
