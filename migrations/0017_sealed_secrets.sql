-- compatible_from: 0015
-- The key of the installation has a fingerprint here, and external agents are stored sealed with it.

-- Which key this database's secrets are sealed with: a hash under that key, from which nothing of it follows.
create table installation_key (
  one_row boolean primary key default true check (one_row),
  fingerprint text not null,
  written_at timestamptz not null
);

-- Address and payload as they were given. The columns beside it have what everybody may see of them. Null in rows that an
-- older program has written; the next start of this one seals them.
alter table external_agents add column sealed bytea;

-- An older program that still runs changes the columns and knows nothing of what is sealed.
create function unseal_external_agent() returns trigger language plpgsql set search_path from current as $$
begin
  new.sealed := null;
  return new;
end
$$;
create trigger unseal before update on external_agents for each row
  when (new.sealed is not distinct from old.sealed
    and (new.endpoint, new.payload::text) is distinct from (old.endpoint, old.payload::text))
  execute function unseal_external_agent();

-- Keys that stood in the query of an address were told to the audit.
update audit set detail = jsonb_set(detail, '{endpoint}',
    to_jsonb(regexp_replace(detail->>'endpoint', '[?#].*', '?********')))
  where subject like 'external-agent:%' and detail->>'endpoint' ~ '[?#]';
