-- compatible_from: 0028
-- How often a drift check was begun, without the times that ended with the stop of their process.
alter table drift_checks add column attempts integer not null default 0;
