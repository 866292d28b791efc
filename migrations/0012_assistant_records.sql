-- What the assistant is made of: skills, agents, tools of MCP servers, models, settings and external agents.

create table assistant_skills (
  id uuid primary key,
  -- Of a skill that is shipped with the product; empty for those of users.
  platform_key text not null default '',
  name text not null,
  description text not null default '',
  content text not null,
  -- [{"server": …, "name": …}], in the order given.
  mcp_tools jsonb not null default '[]',
  -- The tools that it was last shipped with, so that what users took out or added survives the next release.
  shipped_tools jsonb not null default '[]',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index assistant_skills_platform_key on assistant_skills (platform_key) where platform_key <> '';
create index assistant_skills_name on assistant_skills (lower(name), id);

create table assistant_agents (
  id uuid primary key,
  platform_key text not null default '',
  name text not null,
  label text not null,
  description text not null default '',
  instructions text not null default '',
  enabled boolean not null default true,
  is_default boolean not null default false,
  is_orchestrator boolean not null default false,
  display_order integer not null default 0,
  mcp_tools jsonb not null default '[]',
  -- {"tools": […], "skills": [platform keys], "subagents": [platform keys]} of the last release that shipped it.
  shipped jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index assistant_agents_platform_key on assistant_agents (platform_key) where platform_key <> '';
create unique index assistant_agents_default on assistant_agents (is_default) where is_default;
create unique index assistant_agents_orchestrator on assistant_agents (is_orchestrator) where is_orchestrator;
create index assistant_agents_label on assistant_agents (lower(label), id);

create table assistant_agent_skills (
  agent_id uuid not null references assistant_agents (id) on delete cascade,
  skill_id uuid not null references assistant_skills (id) on delete cascade,
  -- Rises with each that is added.
  position bigint generated always as identity,
  primary key (agent_id, skill_id)
);
create index assistant_agent_skills_skill on assistant_agent_skills (skill_id);

create table assistant_agent_subagents (
  agent_id uuid not null references assistant_agents (id) on delete cascade,
  subagent_id uuid not null references assistant_agents (id) on delete cascade,
  position bigint generated always as identity,
  primary key (agent_id, subagent_id),
  check (agent_id <> subagent_id)
);
create index assistant_agent_subagents_subagent on assistant_agent_subagents (subagent_id);

-- Tools as their servers last described them. One that is described otherwise than it was approved is not offered.
create table mcp_tools (
  id text generated always as (server || ':' || name) stored,
  server text not null,
  name text not null,
  description text not null default '',
  input_schema json not null default '{}',
  annotations json not null default '{}',
  fingerprint text not null,
  approved_fingerprint text,
  state text not null check (state in ('approved', 'changed', 'gone')),
  seen_at timestamptz not null,
  primary key (server, name)
);
create unique index mcp_tools_id on mcp_tools (id);
create index mcp_tools_changed on mcp_tools (server, name) where state = 'changed';

create table assistant_config (
  key text primary key,
  value json not null,
  updated_by text not null,
  updated_at timestamptz not null
);

create table assistant_models (
  kind text primary key check (kind in ('llm', 'embedder')),
  provider text not null,
  endpoint text not null,
  -- Under the installation's key.
  sealed_api_key bytea,
  deployment text not null,
  api_version text not null,
  model text not null,
  -- Values of headers may be secrets as well.
  sealed_custom_header bytea,
  -- What the last probe of exactly this configuration has found.
  probe json,
  version uuid not null,
  updated_by text not null,
  updated_at timestamptz not null
);

create table external_agents (
  id uuid primary key,
  name text not null,
  description text not null,
  endpoint text not null,
  payload json not null default '{}',
  need_authentication boolean not null default true,
  active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index external_agents_name on external_agents (lower(name), id);
