-- compatible_from: 0028
-- When a drift check that could not be made is tried again; null while nothing has failed.
alter table drift_checks add column next_attempt_at timestamptz;
-- Why an adapter was not asked about an unknown outcome although its time had come; null once it is asked.
alter table unknown_outcomes add column retry_waiting text;
-- A search finds the units with the name that is typed, however many others contain it. A hash, because names have no limit.
create index units_name on units using hash (lower(name));
