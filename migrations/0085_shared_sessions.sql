-- compatible_from: 0028
-- Whether a session stands for all JWTs of its owner with the same rights that were got without the name of a session. Those of before
-- don't say it and are found for no further JWT; they end within a day.
alter table access_tokens add column shared boolean not null default false;
