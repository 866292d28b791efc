-- compatible_from: 0001
-- The last minute that the schedule of a policy named and that was begun; so each is begun once, whatever processes run.
create table policy_ticks (
  policy_id text primary key,
  tick timestamptz not null
);
