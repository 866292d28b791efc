/** Pure: plans what an import does with each file, and reports why it can't. */
import { isDeepStrictEqual } from "node:util";
import type { InputProblem } from "../../../platform/http/operation.ts";
import { shortestCycle, type EdgeMap } from "../../../platform/lib/graph.ts";
import { bodyProblem } from "../../body-problems.ts";
import { distinctTools, toolKey, type McpToolRef } from "../../record-schema.ts";
import type { PortableAgent, PortableSkill, ExternalAgentFile } from "./portable.ts";
import type { Imported, ImportedRecords } from "./read-records.ts";
import { isSameAddress, unmaskAddress } from "../external/agent-address.ts";
import { mask, unmasked } from "../../masked-values.ts";
import type { OwnRecords } from "./own-records.ts";

export type Action = "created" | "updated" | "unchanged";

export interface Planned<T> {
  path: string;
  id: string;
  action: Action;
  record: T;
}

export interface PlannedAgent extends Planned<PortableAgent> {
  isDefault: boolean;
  skillIds: string[];
  subagentIds: string[];
}

interface NewLink {
  agentId: string;
  /** Id of the skill or the sub-agent. */
  id: string;
}

export interface ImportPlan {
  skills: Planned<PortableSkill>[];
  agents: PlannedAgent[];
  externalAgents: Planned<ExternalAgentFile>[];
  /** New links of shipped agents. */
  newSkillLinks: NewLink[];
  newSubagentLinks: NewLink[];
  notes: string[];
  problems: InputProblem[];
}

export interface Present {
  own: OwnRecords;
  /** Which agents an agent calls. */
  edges: EdgeMap<string>;
  newId: () => string;
  /** Keys of the tools in the files that no server has offered. */
  unknownTools: ReadonlySet<string>;
}

export function planImport(given: ImportedRecords, present: Present): ImportPlan {
  const { own, edges, newId } = present;
  const problems: InputProblem[] = [];
  const ids = {
    skills: match(given.skills, { own: own.skills, shipped: own.shippedSkills, problems, newId }),
    agents: match(given.agents, {
      own: own.agents,
      shipped: own.shippedAgents,
      problems,
      newId,
      isSameName: (one, other) => one.toLowerCase() === other.toLowerCase(),
    }),
    externalAgents: match(given.externalAgents, {
      own: own.externalAgents,
      shipped: new Map(),
      problems,
      newId,
    }),
  };
  const planning = { given, present, problems, ids };
  const agents = given.agents.map((file) => planAgent(file, planning));
  const newSkillLinks = newLinks(given.skills, {
    ids: ids.skills,
    had: (agentId) => own.skillsOf.get(agentId) ?? [],
    planning,
  });
  const newSubagentLinks = newLinks(given.agents, {
    ids: ids.agents,
    had: (agentId) => edges.get(agentId) ?? [],
    planning,
  });
  problems.push(...cycleProblems(agents, newSubagentLinks, edges));
  problems.push(
    ...unknownTools(given.skills, { had: own.skills, ids: ids.skills, unknown: present.unknownTools }),
    ...unknownTools(given.agents, { had: own.agents, ids: ids.agents, unknown: present.unknownTools }),
  );
  const notes: string[] = [];
  return {
    skills: given.skills.map(({ path, key, record }) => {
      const id = ids.skills.get(key) ?? "";
      const before = own.skills.find((each) => each.id === id);
      return { path, id, record, action: skillAction(record, before) };
    }),
    agents,
    externalAgents: given.externalAgents.map((file) =>
      planExternalAgent(file, { id: ids.externalAgents.get(file.key) ?? "", own, notes }),
    ),
    newSkillLinks,
    newSubagentLinks,
    notes,
    problems,
  };
}

/** References that the record has already may stay, as in a change of it. */
function unknownTools(
  files: readonly Imported<{ mcp_tools: McpToolRef[] }>[],
  options: {
    had: readonly { id: string; mcpTools: readonly McpToolRef[] }[];
    ids: ReadonlyMap<string, string>;
    unknown: ReadonlySet<string>;
  },
): InputProblem[] {
  return files.flatMap(({ path, key, record }) => {
    const before = options.had.find(({ id }) => id === options.ids.get(key))?.mcpTools ?? [];
    const had = new Set(before.map(toolKey));
    return record.mcp_tools.flatMap((tool, n) =>
      options.unknown.has(toolKey(tool)) && !had.has(toolKey(tool))
        ? [bodyProblem([path, "mcp-tools", n], "is no tool that a server has offered", tool)]
        : [],
    );
  });
}

interface Planning {
  given: ImportedRecords;
  present: Present;
  problems: InputProblem[];
  /** Ids of the records of the files, by key. */
  ids: Record<"skills" | "agents" | "externalAgents", Map<string, string>>;
}

function planAgent(
  { path, key, record }: Imported<PortableAgent>,
  { given, present, problems, ids }: Planning,
): PlannedAgent {
  const { own, edges } = present;
  const id = ids.agents.get(key) ?? "";
  const unknown = "names nothing that is in the archive or shipped with the product";
  const skillIds = resolve(record.skills, {
    at: [path, "skills"],
    targets: { ids: ids.skills, files: given.skillKeys, shipped: own.shippedSkills, unknown },
    problems,
  });
  const subagentIds = resolve(record.subagents, {
    at: [path, "subagents"],
    targets: { ids: ids.agents, files: given.agentKeys, shipped: own.shippedAgents, unknown },
    problems,
  });
  if (own.orchestrator !== null && subagentIds.includes(own.orchestrator))
    problems.push(bodyProblem([path, "subagents"], "names the orchestrator, which no agent calls"));
  const before = own.agents.find((each) => each.id === id);
  const had = { skillIds: own.skillsOf.get(id) ?? [], subagentIds: [...(edges.get(id) ?? [])] };
  const action = agentAction(record, before && { ...before, ...had }, { skillIds, subagentIds });
  return { path, id, action, record, skillIds, subagentIds, isDefault: before?.isDefault ?? false };
}

/** Links of shipped agents are only added, never removed. */
function newLinks(
  files: readonly Imported<unknown>[],
  options: {
    ids: ReadonlyMap<string, string>;
    had: (agentId: string) => readonly string[];
    planning: Planning;
  },
): NewLink[] {
  const { present, problems } = options.planning;
  const targets = {
    ids: new Map<string, string>(),
    files: new Set<string>(),
    shipped: present.own.shippedAgents,
    unknown: "names no agent that is shipped with the product",
  };
  return files.flatMap(({ path, key, agents }) => {
    const id = options.ids.get(key) ?? "";
    return resolve(agents, { at: [path, "agents"], targets, problems })
      .filter((agentId) => !options.had(agentId).includes(id))
      .map((agentId) => ({ agentId, id }));
  });
}

interface Matching {
  /** Whether two names are one; only names of agents are compared in any case. */
  isSameName?: (one: string, other: string) => boolean;
  own: readonly { id: string; name: string }[];
  shipped: ReadonlyMap<string, string>;
  problems: InputProblem[];
  newId: () => string;
}

/** The id of the record of each file, by key. A file without an id is the record with its name. */
function match<T extends { name: string }>(
  files: readonly Imported<T>[],
  { own, shipped, problems, newId, isSameName = (one, other) => one === other }: Matching,
): Map<string, string> {
  const ids = new Map<string, string>();
  const takenBy = new Map<string, string>();
  const shippedIds = new Set(shipped.values());
  for (const { path, key, id: givenId, record } of files) {
    const refuse = (message: string): void => void problems.push(bodyProblem([path], message));
    if (shipped.has(key)) refuse(`has the key of one that is shipped with the product: rename it`);
    const named = givenId === null ? own.filter(({ name }) => isSameName(name, record.name)) : [];
    if (named.length > 1) {
      refuse(`could be any of ${named.length} with the name ${record.name}: say which by metadata.id`);
    }
    const id = givenId ?? named[0]?.id ?? newId();
    if (shippedIds.has(id)) refuse("has the id of one that is shipped with the product: take the id out");
    const other = takenBy.get(id);
    if (other !== undefined) refuse(`is the same record as ${other}`);
    takenBy.set(id, path);
    ids.set(key, id);
  }
  return ids;
}

interface Targets {
  /** Ids of the archive's records by key. */
  ids: ReadonlyMap<string, string>;
  /** Keys of the archive, including files that can't be read. */
  files: ReadonlySet<string>;
  shipped: ReadonlyMap<string, string>;
  /** The message for an unknown key. */
  unknown: string;
}

interface Resolving {
  /** The field that has the keys. */
  at: [path: string, field: string];
  targets: Targets;
  problems: InputProblem[];
}

/** The ids of some keys, each once. */
function resolve(keys: readonly string[], { at, targets, problems }: Resolving): string[] {
  const ids = keys.flatMap((key, n) => {
    const id = targets.ids.get(key) ?? targets.shipped.get(key);
    if (id !== undefined) return [id];
    if (!targets.files.has(key)) problems.push(bodyProblem([...at, n], targets.unknown, key));
    return [];
  });
  return [...new Set(ids)];
}

function cycleProblems(
  agents: readonly PlannedAgent[],
  added: readonly NewLink[],
  edges: EdgeMap<string>,
): InputProblem[] {
  const wanted = new Map(edges);
  for (const { id, subagentIds } of agents) wanted.set(id, subagentIds);
  for (const { agentId, id } of added) wanted.set(agentId, [...(wanted.get(agentId) ?? []), id]);
  const names = new Map(agents.map(({ id, record }) => [id, record.name] as const));
  return agents.flatMap(({ id, path, subagentIds }) => {
    const cycle = shortestCycle(wanted, id, subagentIds);
    if (cycle === null) return [];
    const namedPath = cycle.map((each) => names.get(each) ?? each).join(" → ");
    return [bodyProblem([path, "subagents"], `would make a cycle: ${namedPath}`)];
  });
}

function agentAction(
  record: PortableAgent,
  before: (OwnRecords["agents"][number] & { skillIds: string[]; subagentIds: string[] }) | undefined,
  links: { skillIds: string[]; subagentIds: string[] },
): Action {
  if (before === undefined) return "created";
  const same =
    before.name === record.name &&
    before.label === record.label &&
    before.description === record.description &&
    before.instructions === record.instructions &&
    before.enabled === record.enabled &&
    before.displayOrder === record.display_order &&
    isDeepStrictEqual(before.mcpTools, distinctTools(record.mcp_tools)) &&
    isDeepStrictEqual(before.skillIds, links.skillIds) &&
    isDeepStrictEqual(before.subagentIds, links.subagentIds);
  return same ? "unchanged" : "updated";
}

function skillAction(record: PortableSkill, before: OwnRecords["skills"][number] | undefined): Action {
  if (before === undefined) return "created";
  const same =
    before.name === record.name &&
    before.description === record.description &&
    before.content === record.content &&
    isDeepStrictEqual(before.mcpTools, distinctTools(record.mcp_tools));
  return same ? "unchanged" : "updated";
}

/** Masked secrets keep their stored values. */
function planExternalAgent(
  { path, record }: Imported<ExternalAgentFile>,
  { id, own, notes }: { id: string; own: OwnRecords; notes: string[] },
): Planned<ExternalAgentFile> {
  const before = own.externalAgents.find((each) => each.id === id);
  // A stored secret is never sent to another address.
  const stored = before && isSameAddress(before.endpoint, record.endpoint) ? before : undefined;
  const payload = unmasked(record.payload, stored?.payload);
  for (const place of payload.unknown)
    notes.push(`${path}: payload.${place.join(".")} is masked and was left out; set it.`);
  const endpoint = unmaskAddress(record.endpoint, stored?.endpoint ?? "") ?? record.endpoint;
  if (endpoint.includes(mask)) notes.push(`${path}: the endpoint has a masked value; set it.`);
  const wanted = { ...record, endpoint, payload: payload.value as ExternalAgentFile["payload"] };
  const same =
    before !== undefined &&
    before.name === wanted.name &&
    before.description === wanted.description &&
    before.endpoint === wanted.endpoint &&
    isDeepStrictEqual(before.payload, wanted.payload) &&
    before.needAuthentication === wanted.need_authentication &&
    before.active === wanted.active;
  return {
    path,
    id,
    record: wanted,
    action: before === undefined ? "created" : same ? "unchanged" : "updated",
  };
}
