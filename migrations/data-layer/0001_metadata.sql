-- compatible_from: 0001
-- What the GraphQL data layer tracks, where it has a database of its own (dataLayer.metadataUrl): the table of the platform's
-- migration 0029.
create table data_layer_metadata (
  id int primary key default 1 check (id = 1),
  revision bigint not null,
  -- Of the catalogues that it was made of; empty after a reset.
  hash text not null,
  sources jsonb not null,
  updated_at timestamptz not null,
  updated_by text not null
);
