-- compatible_from: 0028
-- Keys that secrets of this database may be sealed with: one, and several from the first start with a new one until
-- `plinth admin rekey` has found nothing that is sealed with another.
create table installation_keys (
  fingerprint text primary key,
  -- Whether what is sealed names its key. Programs from before names can't open what does, so `schema_migrations` takes none of
  -- them from then on.
  naming boolean not null,
  since timestamptz not null
);
-- The table of older programs, which may still start beside this one.
insert into installation_keys (fingerprint, naming, since)
  select fingerprint, false, written_at from installation_key;
