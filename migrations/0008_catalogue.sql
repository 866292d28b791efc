-- The builder's catalogue: where entities are registered from, the entities, and what they are found by.
create table catalogue_locations (
  id uuid primary key,
  type text not null,
  target text not null,
  registered_by text not null,
  created_at timestamptz not null,
  -- Tells whether anything has changed since it was last read.
  version text,
  content_hash text,
  -- What was wrong when it was last read, and with which of its entities.
  problems json not null default '[]',
  refreshed_at timestamptz,
  -- When it is read again; null when nobody has asked and refreshing is off.
  next_refresh_at timestamptz,
  failures int not null default 0,
  -- Raised by each reading that begins, so that one that was overtaken can't write any more.
  fence int not null default 0,
  unique (type, target)
);
create index catalogue_locations_due on catalogue_locations (next_refresh_at) where next_refresh_at is not null;

create table catalogue_entities (
  uid uuid primary key,
  -- kind:namespace/name in lower case.
  ref text collate "C" not null unique,
  kind text collate "C" not null,
  location_id uuid not null references catalogue_locations (id) on delete cascade,
  -- As it stands in its location, with what it includes.
  raw json not null,
  -- As it is shown, but for its relations, which others declare too.
  processed text not null,
  hash text not null,
  -- It is in its location no more.
  orphan boolean not null default false,
  updated_at timestamptz not null
);
create index catalogue_entities_kind on catalogue_entities (kind, ref);
create index catalogue_entities_location on catalogue_entities (location_id, ref);

-- One row per value in an entity, for filters, facets and orders.
create table catalogue_search (
  uid uuid not null references catalogue_entities (uid) on delete cascade,
  key text collate "C" not null,
  -- In lower case; null when it is null or too long to be looked for.
  value text collate "C",
  shown text
);
create index catalogue_search_value on catalogue_search (key, value, uid);
create index catalogue_search_entity on catalogue_search (uid, key);

-- Both directions of each relation, with the entity that declares it.
create table catalogue_relations (
  source_ref text collate "C" not null,
  type text collate "C" not null,
  target_ref text collate "C" not null,
  declared_by uuid not null references catalogue_entities (uid) on delete cascade,
  primary key (source_ref, type, target_ref, declared_by)
);
create index catalogue_relations_declared on catalogue_relations (declared_by);

-- The files that a descriptor is built from, of systems and components.
create table catalogue_files (
  uid uuid not null references catalogue_entities (uid) on delete cascade,
  name text not null,
  content bytea not null,
  primary key (uid, name)
);

-- What was done once at the first start, so that it is never done again.
create table startup_actions (
  name text primary key,
  done_at timestamptz not null,
  detail json not null
);
