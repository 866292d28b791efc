-- compatible_from: 0028
-- Until when, at most, the call of an unknown outcome is being made again; no plan of its unit begins before that. Null while it is not.
alter table unknown_outcomes add column repeating_until timestamptz;
create index unknown_outcomes_repeating on unknown_outcomes (unit_key, environment) where repeating_until is not null;
