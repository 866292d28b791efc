-- compatible_from: 0028
-- The domains of the data layer, found by steps in the index instead of by grouping all units: a product's own domain took
-- as long as all of them together.
do $$
declare
  own text := current_schema();
  target text := left(own, 52) || '_data_layer';
begin
  if to_regclass(format('%I.domains', target)) is null then
    target := 'data_layer';
  end if;
  perform set_config('search_path', format('%I,%I', target, own), true);
  execute $view$
    create or replace view domains as
    with recursive known (name) as (
      (select data_layer_domain(u.domain) from units u where u.domain is not null
        order by data_layer_domain(u.domain) limit 1)
      union all
      select (select data_layer_domain(u.domain) from units u
        where u.domain is not null and data_layer_domain(u.domain) > k.name
        order by data_layer_domain(u.domain) limit 1)
      from known k where k.name is not null
    )
    select k.name, (select count(*)::int from products p where p.domain = k.name) as product_count
    from known k
    -- The offset has it asked for each domain, until the first deployed unit, and not for all units at once.
    where k.name is not null and exists (select from units u
      where u.domain is not null and data_layer_domain(u.domain) = k.name
        and exists (select from unit_components c
          where c.unit_key = u.unit_key and c.environment = u.environment and c.status = 'DEPLOYED' offset 0)
      offset 0) $view$;
  perform set_config('search_path', quote_ident(own), true);
end $$;
