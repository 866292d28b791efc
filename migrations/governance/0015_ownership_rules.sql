-- compatible_from: 0001
-- Rules about who may touch whose unit, each version as a whole; the highest one counts.
create table ownership_rules (
  version integer primary key,
  rules jsonb not null,
  created_at timestamptz not null,
  created_by text not null
);
insert into revisions values ('ownership', 1);
