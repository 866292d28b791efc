-- compatible_from: 0018
-- No two agents have one name, in any case: clients of `/v1` choose an agent by its name. Older programs answer 500 where
-- this one answers 409.

-- Of several with one name the shipped one keeps it, else the oldest, as `/v1` chose among them until now. The others get a
-- number behind theirs; their ids, labels and links stay, and the audit keeps the name that they had.
set constraints all immediate;
do $$
declare
  agent record;
  free text;
begin
  for agent in
    select id, name from (
      select id, name, created_at,
        row_number() over (partition by lower(name) order by platform_key = '', created_at, id) as place
      from assistant_agents) each_name
    where place > 1 order by created_at, id
  loop
    select left(agent.name, 240) || ' (' || n || ')' into free from generate_series(2, 1000000) as n
      where not exists (select from assistant_agents o where lower(o.name) = lower(left(agent.name, 240) || ' (' || n || ')'))
      order by n limit 1;
    update assistant_agents set name = free, updated_at = now() where id = agent.id;
    insert into audit (actor, operation, subject, request_id, detail)
      values ('service:default/plinth', 'renameAgent', 'agent:' || agent.id, 'upgrade',
        jsonb_build_object('before', agent.name, 'name', free));
  end loop;
end
$$;
create unique index assistant_agents_name on assistant_agents (lower(name));

-- Some keys of the configuration take effect in runs, which read them again when they change.
create constraint trigger changed after insert or update or delete on assistant_config
  deferrable initially deferred for each row execute function raise_assistant_record_version();
