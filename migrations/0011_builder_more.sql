-- Users and groups say who owns what, so not every location may bring them.
alter table catalogue_locations add column brings_people boolean not null default false;

-- What the product registered itself, and what has brought people until now, goes on; see
-- docs/decisions/2026-11-21-users-and-groups.md for how to find the latter.
update catalogue_locations l set brings_people = true
where registered_by = 'service:default/plinth'
  or exists (select 1 from catalogue_entities e where e.location_id = l.id and e.kind in ('user', 'group'));
