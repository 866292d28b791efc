-- compatible_from: 0018
-- Access is given to consumable components only, and a subcomponent is deployed only when its own adapter said so.
-- Older programs know neither: they would grant what the constraints below refuse.

-- Whether others may be given access to it; resolved when its plan was accepted.
alter table unit_components add column consumable boolean not null default false;

-- The rule for what was accepted before: what the component says, else its type in the taxonomy, else output ports only.
create function consumable_by_rule(component json) returns boolean language sql stable as $$
  select coalesce(
    case lower(btrim(component ->> 'consumable')) when 'true' then true when 'false' then false end,
    (select case lower(t.raw -> 'spec' ->> 'consumable') when 'true' then true when 'false' then false end
      from catalogue_entities t
      cross join (select coalesce(
          nullif(regexp_replace(lower(btrim(component ->> 'instanceOf')), '^componenttype:', ''), ''),
          lower(btrim(component ->> 'kind'))) as type_name) wanted
      where t.kind = 'componenttype' and not t.orphan
        and wanted.type_name in (split_part(t.ref, ':', 2), split_part(t.ref, '/', 2),
          lower(coalesce(t.raw -> 'spec' ->> 'resourceTypeId', t.raw -> 'spec' ->> 'resourceType')))
      order by split_part(t.ref, ':', 2) = wanted.type_name desc, split_part(t.ref, '/', 2) = wanted.type_name desc,
        t.ref not like '%:default/%', t.ref
      limit 1),
    lower(btrim(component ->> 'kind')) = 'outputport',
    false)
$$;
update unit_components set consumable = true where component_key <> unit_key and consumable_by_rule(descriptor);

-- Subcomponents with a template of their own were called deployed although their adapter was never asked.
create table unit_components_never_called as
  select * from unit_components
  where parent_key is not null and infrastructure_template_id is not null and status <> 'NOT_DEPLOYED';
update unit_components set status = 'NOT_DEPLOYED', last_operation = null
where parent_key is not null and infrastructure_template_id is not null and status <> 'NOT_DEPLOYED';

-- The same for plans that go on, or are gone on from: members with a template of their own are no part of another's call.
update plan_tasks t set snapshot = json_build_object('members', (
    select json_agg(json_build_object('key', m.value -> 'key', 'id', m.value -> 'id', 'name', m.value -> 'name',
      'parentKey', m.value -> 'parentKey', 'infrastructureTemplateId', m.value -> 'infrastructureTemplateId',
      'descriptor', m.value -> 'descriptor', 'hash', m.value -> 'hash', 'dependsOn', m.value -> 'dependsOn',
      'descriptorVersion', m.value -> 'descriptorVersion', 'position', m.value -> 'position',
      'dropped', m.value -> 'dropped', 'closed', m.value -> 'closed',
      'consumable', p.unit_key is distinct from m.value ->> 'key' and consumable_by_rule(m.value -> 'descriptor'))
      order by m.ordinality)
    from json_array_elements(t.snapshot -> 'members') with ordinality as m(value, ordinality)
    where m.ordinality = 1 or m.value ->> 'infrastructureTemplateId' is null))
from execution_plans p
where p.id = t.plan_id and t.status <> 'COMPLETED' and json_typeof(t.snapshot -> 'members') = 'array';
drop function consumable_by_rule(json);

-- Access to what is not consumable moves down to the first consumable subcomponents on each branch below it.
create table acls_before_consumable as select * from acls;

-- Access to what has no consumable part. `plinth upgrade verify` reports it; it is deleted by nobody but an operator.
create table acls_unresolved (
  unit_key text not null,
  environment text not null,
  component_key text not null,
  component_id text not null,
  identity text not null,
  request_id text not null,
  granted_at timestamptz not null,
  moved_at timestamptz not null default now(),
  primary key (unit_key, environment, component_key, identity)
);

-- What each subcomponent is nested in. Its row names its component only, so the levels are read from the descriptor.
create table nesting as
with recursive nested as (
  select c.unit_key, c.environment, c.component_key as top_key, c.component_id as id, null::text as parent_id,
    c.descriptor
  from unit_components c
  where c.parent_key is null and c.component_key <> c.unit_key and exists (
    select 1 from acls a where a.unit_key = c.unit_key and a.environment = c.environment)
  union all
  select n.unit_key, n.environment, n.top_key,
    coalesce(child.descriptor ->> 'id', n.id || ':' || (child.descriptor ->> 'name')), n.id, child.descriptor
  from nested n cross join json_array_elements(case when json_typeof(n.descriptor -> 'components') = 'array'
    then n.descriptor -> 'components' else '[]' end) as child(descriptor)
  where json_typeof(child.descriptor) = 'object'
)
select c.unit_key, c.environment, c.component_key, coalesce(p.component_key, c.parent_key) as parent_key
from nested n
join unit_components c on c.unit_key = n.unit_key and c.environment = n.environment and c.parent_key = n.top_key
  and c.component_id = n.id
left join unit_components p on p.unit_key = n.unit_key and p.environment = n.environment and p.component_id = n.parent_id
where n.parent_id is not null;
create index nesting_parent on nesting (unit_key, environment, parent_key);

create table moves as
with recursive below as (
  select s.unit_key, s.environment, s.component_key as source_key, t.component_key, t.consumable
  from unit_components s
  join nesting n on n.unit_key = s.unit_key and n.environment = s.environment and n.parent_key = s.component_key
  join unit_components t on t.unit_key = n.unit_key and t.environment = n.environment
    and t.component_key = n.component_key
  where not s.consumable and exists (select 1 from acls a where a.unit_key = s.unit_key
    and a.environment = s.environment and a.component_key = s.component_key)
  union
  select b.unit_key, b.environment, b.source_key, t.component_key, t.consumable
  from below b
  join nesting n on n.unit_key = b.unit_key and n.environment = b.environment and n.parent_key = b.component_key
  join unit_components t on t.unit_key = n.unit_key and t.environment = n.environment
    and t.component_key = n.component_key
  where not b.consumable
)
select unit_key, environment, source_key, component_key from below where consumable;

insert into acls (unit_key, environment, component_key, component_id, identity, request_id, granted_at)
select m.unit_key, m.environment, m.component_key, c.component_id, a.identity,
  (array_agg(a.request_id order by a.granted_at, a.request_id))[1], min(a.granted_at)
from moves m
join acls a on a.unit_key = m.unit_key and a.environment = m.environment and a.component_key = m.source_key
join unit_components c on c.unit_key = m.unit_key and c.environment = m.environment
  and c.component_key = m.component_key
group by m.unit_key, m.environment, m.component_key, c.component_id, a.identity
on conflict (unit_key, environment, component_key, identity) do update set
  request_id = case when excluded.granted_at < acls.granted_at then excluded.request_id else acls.request_id end,
  granted_at = least(excluded.granted_at, acls.granted_at);

insert into acls_unresolved (unit_key, environment, component_key, component_id, identity, request_id, granted_at)
select a.unit_key, a.environment, a.component_key, a.component_id, a.identity, a.request_id, a.granted_at
from acls a
left join unit_components c on c.unit_key = a.unit_key and c.environment = a.environment
  and c.component_key = a.component_key
where c.consumable is not true and not exists (select 1 from moves m where m.unit_key = a.unit_key
  and m.environment = a.environment and m.source_key = a.component_key);

delete from acls a where not exists (select 1 from unit_components c where c.unit_key = a.unit_key
  and c.environment = a.environment and c.component_key = a.component_key and c.consumable);
drop table moves;
drop table nesting;

insert into audit (actor, operation, subject, request_id, detail)
select 'service:default/plinth', moved.operation, 'component:' || moved.component_id || '@' || moved.environment,
  'upgrade', jsonb_build_object('identity', moved.identity, 'accessRequestId', moved.request_id, 'upgrade', 'consumable')
from (
  select 'grantAccess' as operation, a.* from acls a where not exists (select 1 from acls_before_consumable b
    where b.unit_key = a.unit_key and b.environment = a.environment and b.component_key = a.component_key
      and b.identity = a.identity)
  union all
  select 'revokeAccess', b.* from acls_before_consumable b where not exists (select 1 from acls a
    where b.unit_key = a.unit_key and b.environment = a.environment and b.component_key = a.component_key
      and b.identity = a.identity)
) as moved;

-- From here on the database itself keeps access to what is consumable.
alter table unit_components add constraint unit_components_consumable
  unique (unit_key, environment, component_key, consumable);
alter table acls add column consumable boolean not null default true check (consumable);
alter table acls add constraint acls_component foreign key (unit_key, environment, component_key, consumable)
  references unit_components (unit_key, environment, component_key, consumable);

-- A request was about a component that was consumable then. Requests of before whose component is gone stay as they are.
alter table acl_requests add constraint acl_requests_component foreign key (unit_key, environment, component_key)
  references unit_components (unit_key, environment, component_key) not valid;
