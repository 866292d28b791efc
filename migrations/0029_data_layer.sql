-- compatible_from: 0028
-- What the GraphQL data layer shows of the coordinator and of the marketplace: views of a schema of their own, never
-- tables, and nothing that is sealed or meant for the platform alone. Each view says in its comment which source shows it.
--
-- Who reads is told in the settings of the transaction: `plinth.reads_all` (on, off) and `plinth.domains` (a JSON list).
-- Without them no row of an operation is seen.

create function data_layer_reads_all() returns boolean language sql stable as
  $$ select coalesce(current_setting('plinth.reads_all', true) = 'on', false) $$;

create function data_layer_domains() returns text[] language sql stable as
  $$ select array(select jsonb_array_elements_text(
       coalesce(nullif(current_setting('plinth.domains', true), ''), '[]')::jsonb)) $$;

-- `domain:default/finance`, `domain:Finance` and `finance` are one domain.
create function data_layer_domain(domain text) returns text language sql immutable as
  $$ select regexp_replace(lower(btrim(domain)), '^(domain:)?(default/)?', '') $$;

create index units_data_layer_domain on units (data_layer_domain(domain)) where domain is not null;

-- The views are made in `data_layer`. A second installation in the same database has a schema of its own beside it.
do $$
declare
  own text := current_schema();
  target text := 'data_layer';
begin
  if to_regclass('data_layer.products') is not null then
    target := left(own, 52) || '_data_layer';
  end if;
  if not exists (select from pg_namespace where nspname = target) then
    execute format('create schema %I', target);
  end if;
  perform set_config('search_path', format('%I,%I', target, own), true);

  -- The marketplace: published rows, which everybody sees.
  execute $view$
    create view products as
    select u.unit_key, u.environment, u.unit_id, u.name, u.kind, u.owner, data_layer_domain(u.domain) as domain,
      u.descriptor_version as version, u.descriptor ->> 'description' as description, u.updated_at
    from units u
    where exists (select from unit_components c
      where c.unit_key = u.unit_key and c.environment = u.environment and c.status = 'DEPLOYED') $view$;
  execute $view$
    create view domains as
    select data_layer_domain(u.domain) as name, count(*)::int as product_count
    from units u
    where u.domain is not null and exists (select from unit_components c
      where c.unit_key = u.unit_key and c.environment = u.environment and c.status = 'DEPLOYED')
    group by data_layer_domain(u.domain) $view$;
  execute $view$
    create view output_ports as
    select c.unit_key, c.environment, c.component_key, c.component_id, c.name,
      c.descriptor ->> 'outputPortType' as output_port_type, c.descriptor ->> 'platform' as platform,
      c.descriptor ->> 'technology' as technology, c.descriptor ->> 'description' as description, c.position,
      c.info -> 'publicInfo' as public_info, c.updated_at
    from unit_components c
    where c.consumable and c.status = 'DEPLOYED' $view$;

  -- Operations: rows of the caller's domains.
  execute $view$
    create view access_grants as
    select a.unit_key, a.environment, a.component_key, a.component_id, a.identity, a.request_id, a.granted_at,
      data_layer_domain(u.domain) as domain
    from acls a left join units u on u.unit_key = a.unit_key and u.environment = a.environment
    where (select data_layer_reads_all()) or data_layer_domain(u.domain) = any ((select data_layer_domains())::text[])
  $view$;
  execute $view$
    create view deployment_units as
    select u.unit_key, u.environment, u.unit_id, u.name, u.kind, u.owner, data_layer_domain(u.domain) as domain,
      u.descriptor_version, u.last_plan_id, u.last_plan_status, u.updated_at
    from units u
    where (select data_layer_reads_all()) or data_layer_domain(u.domain) = any ((select data_layer_domains())::text[])
  $view$;
  execute $view$
    create view components as
    select c.unit_key, c.environment, c.component_key, c.component_id, c.name, c.parent_key, c.status,
      c.infrastructure_template_id, c.consumable, c.descriptor_version, c.position, c.info -> 'publicInfo' as public_info,
      c.plan_id, c.updated_at, data_layer_domain(u.domain) as domain
    from unit_components c left join units u on u.unit_key = c.unit_key and u.environment = c.environment
    where (select data_layer_reads_all()) or data_layer_domain(u.domain) = any ((select data_layer_domains())::text[])
  $view$;
  execute $view$
    create view deployment_operations as
    select o.id, o.plan_id, o.unit_key, o.unit_id, o.environment, o.action, o.descriptor_version, o.status, o.originator,
      o.start_time, o.stop_time, data_layer_domain(u.domain) as domain
    from operations o left join units u on u.unit_key = o.unit_key and u.environment = o.environment
    where (select data_layer_reads_all()) or data_layer_domain(u.domain) = any ((select data_layer_domains())::text[])
  $view$;
  execute $view$
    create view deployment_plans as
    select p.id, p.kind, p.unit_key, p.unit_id, p.environment, p.action, p.status, p.originator, p.descriptor_version,
      p.created_at, p.started_at, p.stopped_at, data_layer_domain(u.domain) as domain
    from execution_plans p left join units u on u.unit_key = p.unit_key and u.environment = p.environment
    where (select data_layer_reads_all()) or data_layer_domain(u.domain) = any ((select data_layer_domains())::text[])
  $view$;
  execute $view$
    create view deployment_tasks as
    select t.plan_id, t.task_id, t.position, t.action, t.component_id, t.component_name, t.status, t.adapter_id,
      t.attempts, t.started_at, t.stopped_at, data_layer_domain(u.domain) as domain
    from plan_tasks t join execution_plans p on p.id = t.plan_id
      left join units u on u.unit_key = p.unit_key and u.environment = p.environment
    where (select data_layer_reads_all()) or data_layer_domain(u.domain) = any ((select data_layer_domains())::text[])
  $view$;
  execute $view$
    create view adapters as
    select a.id, a.version, a.name, a.description, a.labels, a.created_at, a.updated_at from tech_adapters a $view$;

  comment on view products is E'@plinthSource marketplace\n@primaryKey unit_key,environment\n@foreignKey (domain) references domains (name)\nA product that is deployed, in one environment.';
  comment on view domains is E'@plinthSource marketplace\n@primaryKey name\nA domain that has products.';
  comment on view output_ports is E'@plinthSource marketplace\n@primaryKey unit_key,environment,component_key\n@foreignKey (unit_key,environment) references products (unit_key,environment)\nA deployed part of a product that others can get access to.';
  comment on view access_grants is E'@plinthSource marketplace\n@primaryKey unit_key,environment,component_key,identity\n@foreignKey (unit_key,environment,component_key) references output_ports (unit_key,environment,component_key)\nSomebody''s access to an output port.';
  comment on view deployment_units is E'@plinthSource coordinator\n@primaryKey unit_key,environment\nA deployment unit in one environment.';
  comment on view components is E'@plinthSource coordinator\n@primaryKey unit_key,environment,component_key\n@foreignKey (unit_key,environment) references deployment_units (unit_key,environment)\nThe last known state of a component.';
  comment on view deployment_operations is E'@plinthSource coordinator\n@primaryKey id\n@foreignKey (unit_key,environment) references deployment_units (unit_key,environment)\n@foreignKey (plan_id) references deployment_plans (id)\nWhat was started on a unit.';
  comment on view deployment_plans is E'@plinthSource coordinator\n@primaryKey id\nAn execution plan.';
  comment on view deployment_tasks is E'@plinthSource coordinator\n@primaryKey plan_id,task_id\n@foreignKey (plan_id) references deployment_plans (id)\nA task of an execution plan.';
  comment on view adapters is E'@plinthSource coordinator\n@primaryKey id\nA registered tech adapter.';

  perform set_config('search_path', quote_ident(own), true);
end $$;

-- What is tracked of each source, the same for all processes.
create table data_layer_metadata (
  id int primary key default 1 check (id = 1),
  revision bigint not null,
  -- Of the catalogues that it was made of; empty after a reset.
  hash text not null,
  sources jsonb not null,
  updated_at timestamptz not null,
  updated_by text not null
);
