-- compatible_from: 0028
-- Unknown outcomes are asked about again by the clock: how often that was, when it is next, and why it is over.
alter table unknown_outcomes
  add column retries int not null default 0,
  add column next_retry_at timestamptz,
  add column retry_ended text;
