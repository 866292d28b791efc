-- What others have to agree to before it happens: an action, and the hooks that have to be OK for it.
create table hook_actions (
  id uuid primary key,
  name text not null,
  status text not null check (status in ('PENDING', 'APPROVED', 'REJECTED', 'EXPIRED')),
  requester text not null,
  -- Entity references of those whose resource it is about, in lower case.
  owners text[] not null,
  -- What the hooks are told about it.
  fields json not null,
  reason text,
  traceparent text not null,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index hook_actions_ended on hook_actions (ended_at) where ended_at is not null;
create index hook_actions_owners on hook_actions using gin (owners);
create index hook_actions_requester on hook_actions (requester, created_at desc);

create table hooks (
  id uuid primary key,
  action_id uuid not null references hook_actions (id) on delete cascade,
  position int not null,
  name text not null,
  kind text not null check (kind in ('notification', 'remote')),
  status text not null check (status in ('pending', 'OK', 'KO')),
  -- Whoever holds the request id of a remote hook may answer it, so only its hash is kept. The seed is what a repeated
  -- call makes the id from: with the hook's secret, or alone for a hook without one; it is forgotten once the call was
  -- accepted.
  request_hash text unique,
  request_seed text,
  is_signed boolean not null default false,
  -- The call of the third party. Due while next_attempt_at is set.
  attempts int not null default 0,
  next_attempt_at timestamptz,
  worker_id uuid,
  sent_at timestamptz,
  sent_info json,
  last_error text,
  response json,
  ended_by text,
  reason text,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (action_id, position)
) with (fillfactor = 80);
create index hooks_due on hooks (next_attempt_at) where next_attempt_at is not null;
create index hooks_expiry on hooks (expires_at) where status = 'pending';
create index hooks_list on hooks (created_at desc, id desc);
create index hooks_status on hooks (status, created_at desc, id desc);

-- Who asked for whose access to which output ports.
create table access_requests (
  id uuid primary key,
  action_id uuid,
  operation text not null check (operation in ('GRANT', 'REVOKE')),
  status text not null check (status in
    ('PENDING', 'APPROVED', 'APPLYING', 'GRANTED', 'REVOKED', 'REJECTED', 'EXPIRED', 'WITHDRAWN', 'FAILED')),
  unit_id text not null,
  environment text not null,
  identities text[] not null,
  reason text not null,
  fields json,
  template_ref text,
  requester text not null,
  owners text[] not null,
  message text,
  idempotency_key text,
  body_hash text not null,
  -- Rises with each retry, so that each is a request of its own for the coordinator.
  attempt int not null default 1,
  -- When the worker looks at it again; set while something is to be done.
  next_look_at timestamptz,
  looks int not null default 0,
  worker_id uuid,
  http_request_id text not null,
  traceparent text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  approved_at timestamptz,
  ended_at timestamptz
) with (fillfactor = 80);
create unique index access_requests_key on access_requests (requester, idempotency_key)
  where idempotency_key is not null;
create unique index access_requests_action on access_requests (action_id) where action_id is not null;
create index access_requests_due on access_requests (next_look_at) where next_look_at is not null;
create index access_requests_list on access_requests (created_at desc, id desc);
create index access_requests_status on access_requests (status, created_at desc, id desc);
create index access_requests_requester on access_requests (requester, created_at desc, id desc);
create index access_requests_owners on access_requests using gin (owners);
create index access_requests_open on access_requests (requester)
  where status in ('PENDING', 'APPROVED', 'APPLYING');

create table access_request_ports (
  -- What the coordinator and its adapters are told as the number of the port.
  number bigint generated always as identity primary key,
  request_id uuid not null references access_requests (id) on delete cascade,
  position int not null,
  urn text not null,
  name text,
  status text not null check (status in ('WAITING', 'APPLYING', 'DONE', 'FAILED')),
  plan_id text,
  message text,
  waiting text,
  waiting_since timestamptz,
  unique (request_id, position)
) with (fillfactor = 80);

-- Whether access of a component is being changed just now.
create index acl_requests_component on acl_requests (environment, unit_key, component_key);
