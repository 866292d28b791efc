-- compatible_from: 0028
-- A session of a browser is a session as those of the command line are, whose hash is that of its cookie's value. So the
-- check of before, by which sessions have none, goes.
alter table access_tokens drop constraint access_tokens_check;
alter table access_tokens add constraint access_tokens_hash check (hash is not null or kind = 'session');

-- What a session of a browser has besides its row in access_tokens, where expires_at moves on with its use.
create table browser_sessions (
  token_id uuid primary key references access_tokens (id) on delete cascade,
  -- Where the person has signed in.
  provider text not null,
  -- The end however much it is used.
  ends_at timestamptz not null,
  -- Until when the token of the provider was good that the roles were read from.
  vouched_until timestamptz not null,
  -- When it is renewed next. Whoever renews it sets it ahead first, so that one process does.
  renew_at timestamptz not null,
  -- The refresh token, encrypted; null where the provider gave none.
  sealed bytea
);
