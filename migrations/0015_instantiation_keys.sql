-- A start that was sent again under the same key starts nothing: the task that it started first is answered.
alter table instantiations add column idempotency_key text, add column body_hash text;
create unique index instantiations_key on instantiations (owner, idempotency_key) where idempotency_key is not null;
