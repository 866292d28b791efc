-- One number that rises with every change of what runs read of agents, skills and models, so that a process keeps what it has
-- read until then. It is raised at the commit, when a transaction takes no more locks: nobody waits for it in a ring.
create table assistant_record_version (
  one_row boolean primary key default true check (one_row),
  version bigint not null,
  -- A transaction raises it once, however many rows it changes.
  raised_by xid8 not null
);
insert into assistant_record_version (version, raised_by) values (1, pg_current_xact_id());

create function raise_assistant_record_version() returns trigger language plpgsql set search_path from current as $$
begin
  update assistant_record_version set version = version + 1, raised_by = pg_current_xact_id()
    where raised_by <> pg_current_xact_id();
  return null;
end
$$;

create constraint trigger changed after insert or update or delete on assistant_agents
  deferrable initially deferred for each row execute function raise_assistant_record_version();
create constraint trigger changed after insert or update or delete on assistant_skills
  deferrable initially deferred for each row execute function raise_assistant_record_version();
create constraint trigger changed after insert or update or delete on assistant_agent_skills
  deferrable initially deferred for each row execute function raise_assistant_record_version();
create constraint trigger changed after insert or update or delete on assistant_agent_subagents
  deferrable initially deferred for each row execute function raise_assistant_record_version();
create constraint trigger changed after insert or update or delete on assistant_models
  deferrable initially deferred for each row execute function raise_assistant_record_version();
create constraint trigger changed after insert or update or delete on external_agents
  deferrable initially deferred for each row execute function raise_assistant_record_version();
