-- compatible_from: 0028
-- Whose access tokens there are. Roles are those of the owner's last sign-in; of a service account, those that it was given.
create table token_owners (
  ref text primary key,
  -- guest and settings: the settings say at each use which roles it has. signed: JWTs of an issuer do. account: this row does.
  source text not null check (source in ('guest', 'settings', 'signed', 'account')),
  -- Which provider vouched for it.
  provider text not null,
  roles text[] not null,
  -- Null where nothing was said of domains.
  domains text[],
  description text,
  -- When the roles were last shown or given. What was signed earlier does not change them.
  known_at timestamptz not null,
  updated_by text not null
);

create table access_tokens (
  id uuid primary key,
  kind text not null check (kind in ('personal', 'service', 'session')),
  owner text not null,
  name text not null,
  -- SHA-256 of the token. Sessions have none: their tokens are signed and name this row.
  hash bytea unique,
  -- The last letters of the token, to recognise it by.
  ending text,
  roles text[] not null,
  scopes text[] not null,
  created_at timestamptz not null,
  created_by text not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_by text,
  check ((hash is null) = (kind = 'session'))
);
create index access_tokens_owner on access_tokens (owner, created_at desc, id desc);
create index access_tokens_created on access_tokens (created_at desc, id desc);
create index access_tokens_ended on access_tokens (least(expires_at, coalesce(revoked_at, expires_at)));
