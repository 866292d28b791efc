-- compatible_from: 0018
-- What an adapter has refused before anything can have begun is kept in the ledger, settled. Old programs write false.
alter table plan_tasks add column refused boolean not null default false;

-- Units whose last operation failed.
create index units_failed on units (last_plan_id) where last_plan_status = 'FAILED';

-- What lists of units show and filter by. Wanted are the components of the descriptor, and the subcomponents that have a
-- template of their own; their ids are compared in lower case.
create function wanted_components(descriptor json) returns text[] language sql immutable as $$
  with recursive parts (id, is_called, nested) as (
    select c.entry ->> 'id', true, c.entry -> 'components'
    from json_array_elements(case when json_typeof(descriptor -> 'components') = 'array'
      then descriptor -> 'components' else '[]' end) c(entry)
    union all
    select coalesce(nullif(c.entry ->> 'id', ''), p.id || ':' || coalesce(c.entry ->> 'name', '')),
      btrim(coalesce(c.entry ->> 'infrastructureTemplateId', '')) <> '', c.entry -> 'components'
    from parts p, json_array_elements(case when json_typeof(p.nested) = 'array'
      then p.nested else '[]' end) c(entry)
  )
  select coalesce(array_agg(lower(id)), '{}') from parts where is_called
$$;
alter table units
  add column name text generated always as (descriptor ->> 'name') stored,
  add column owner text
    generated always as (coalesce(descriptor ->> 'dataProductOwner', descriptor ->> 'projectOwner')) stored,
  add column domain text generated always as (descriptor ->> 'domain') stored,
  add column is_root_wanted boolean
    generated always as (coalesce(descriptor ->> 'infrastructureTemplateId', '') <> '') stored,
  add column wanted_components text[] generated always as (wanted_components(descriptor)) stored;
