-- compatible_from: 0028
-- Where a new webhook begins, and since when nobody has had a webhook in the configuration.
-- `begins_after` is the id of an event: outgoing events that are made later from events up to it are not for the webhook.
-- `configured_at` is when a process last had the webhook, to the hour; null once its deliveries have ended because none has.
alter table webhooks add column begins_after bigint not null default 0,
  add column configured_at timestamptz default now();
