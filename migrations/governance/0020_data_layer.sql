-- compatible_from: 0001
-- What the GraphQL data layer shows of governance: views of the schema `data_layer`, as for the platform (its migration 0029).
-- Programs that do not know the column write no domain; such results are seen by operators only.
alter table results add column domain text;

create function data_layer_reads_all() returns boolean language sql stable as
  $$ select coalesce(current_setting('plinth.reads_all', true) = 'on', false) $$;

create function data_layer_domains() returns text[] language sql stable as
  $$ select array(select jsonb_array_elements_text(
       coalesce(nullif(current_setting('plinth.domains', true), ''), '[]')::jsonb)) $$;

create function data_layer_domain(domain text) returns text language sql immutable as
  $$ select regexp_replace(lower(btrim(domain)), '^(domain:)?(default/)?', '') $$;

do $$
declare
  own text := current_schema();
  target text := 'data_layer';
begin
  if to_regclass('data_layer.governance_policies') is not null then
    target := left(own, 52) || '_data_layer';
  end if;
  if not exists (select from pg_namespace where nspname = target) then
    execute format('create schema %I', target);
  end if;
  perform set_config('search_path', format('%I,%I', target, own), true);

  -- What a policy says can name systems inside: its name and its state are shown.
  execute $view$
    create view governance_policies as
    select p.id, p.version, v.name, v.content ->> 'kind' as kind, v.content ->> 'severity' as severity,
      v.content ->> 'description' as description, p.status, p.grace_until, p.created_at, p.updated_at
    from policies p join policy_versions v on v.policy_id = p.id and v.version = p.version
    where p.deleted_at is null and p.status <> 'draft' $view$;
  execute $view$
    create view policy_results as
    select r.policy_id, r.resource_key, r.environment, r.at, r.policy_version, r.policy_kind, r.policy_name,
      r.policy_status, r.resource_id, r.resource_name, r.resource_type, r.unit_key, r.outcome, r.blocking, r.is_error,
      r.is_satisfied, r.value, r.label, r.exception_id, r.source, data_layer_domain(r.domain) as domain
    from results r
    where (select data_layer_reads_all()) or data_layer_domain(r.domain) = any ((select data_layer_domains())::text[])
  $view$;

  comment on view governance_policies is E'@plinthSource cgp\n@primaryKey id\n@name cgp_policy\nA policy or metric that is or was in force.';
  comment on view policy_results is E'@plinthSource cgp\n@primaryKey resource_key,policy_id,environment,at\n@foreignKey (policy_id) references governance_policies (id)\nWhat a policy or metric said of a resource.';

  perform set_config('search_path', quote_ident(own), true);
end $$;
