-- compatible_from: 0028
-- The oldest waiting tasks that may be claimed so that no user has more than `per_user` under way in all processes together.
-- Claims of all processes take turns: the lock is held until the claiming statement ends. A volatile function reads what was
-- committed before each of its statements, so it counts what the claim before it has taken.
create function claimable_instantiations(per_user int, without text[], at_most int) returns setof uuid
language plpgsql volatile as $$
declare
  under_way jsonb;
  task record;
  found int := 0;
  used int;
begin
  perform pg_advisory_xact_lock(20558, 0);
  select coalesce(jsonb_object_agg(owner, n), '{}') into under_way
    from (select owner, count(*) as n from instantiations where status = 'processing' group by owner) counted;
  for task in
    select id, owner from instantiations
    where status = 'open' and not (owner = any (without)) and coalesce((under_way ->> owner)::int, 0) < per_user
    order by created_at
  loop
    exit when found >= at_most;
    used := coalesce((under_way ->> task.owner)::int, 0);
    continue when used >= per_user;
    under_way := under_way || jsonb_build_object(task.owner, used + 1);
    found := found + 1;
    return next task.id;
  end loop;
end $$;
