/** Export and import of users' skills, agents and external agents. */
import { packArchive } from "../../../platform/archive/write-archive.ts";
import { isAllowed } from "../../../platform/auth/policy.ts";
import { inTransaction, type Db } from "../../../platform/db/database.ts";
import { bodyTooLarge } from "../../../platform/http/errors.ts";
import type { InputProblem } from "../../../platform/http/operation.ts";
import { newId } from "../../../platform/lib/ids.ts";
import {
  findNameConflicts,
  findUnknownTools,
  freeNames,
  insertAgent,
  lockAgents,
  readEdges,
  setSubagents,
  setTools,
  updateAgent,
} from "../store.ts";
import { namedAgent, nameTaken } from "../references.ts";
import { writeAudit, type AssistantContext } from "../../context.ts";
import { endpointProblems, refuseProblems, jsonProblems } from "../../body-problems.ts";
import { assistantFailure } from "../../error-codes.ts";
import { maskAll, maskNamed } from "../external/agent-secrets.ts";
import { openAgent, sealAgent } from "../external/sealed-agent.ts";
import { archiveLimits, unpackRecords } from "./archive.ts";
import { type OwnRecords, type OwnAgent, type OwnSkill, uniqueKeys, pathOf } from "./own-records.ts";
import { planImport, type ImportPlan, type Planned, type PlannedAgent } from "./plan-import.ts";
import { readRecords, type ImportedRecords } from "./read-records.ts";
import type { ImportAnswer } from "./schema.ts";
import { lockOwn, measureOwn, readOwn, type StoredRecords, clearSkills } from "./store.ts";
import type { EdgeMap } from "../../../platform/lib/graph.ts";
import { agentFile, skillFile, printRecordFile, type RecordFile } from "./portable.ts";
import type { SecretBox } from "../../../platform/lib/secrets/secret-box.ts";
import { insertExternalAgent, updateExternalAgent } from "../external/store.ts";
import { linkSkills, linkSubagents } from "./shipped-store.ts";
import { insertSkill, updateSkill } from "../skill-store.ts";
import { distinctTools } from "../../record-schema.ts";

/** A .tar.gz of all records of users. */
export async function exportRecords(ctx: AssistantContext): Promise<Buffer> {
  const { database } = ctx.assistant;
  const { records, bytes } = await measureOwn(database.db);
  if (records > archiveLimits.records || bytes > archiveLimits.unpackedBytes / 2)
    throw tooMuch(`${records} of a kind with ${bytes} bytes in all`);
  // One snapshot, so that no file refers to a record that is missing.
  const files = await inTransaction(
    database,
    async (tx) => exportFiles(maskedOwn(ctx, await readOwn(tx)), await readEdges(tx)),
    { isolation: "repeatable read" },
  );
  const archive = await packArchive(Object.fromEntries(files));
  if (archive.length > archiveLimits.packedBytes) throw tooMuch(`an archive of ${archive.length} bytes`);
  return archive;
}

/** Users who may not edit external agents export them masked; for editors only the secrets are masked. */
function maskedOwn(ctx: AssistantContext, own: StoredRecords): OwnRecords {
  const isEditor = isAllowed(ctx.actor, "writeExternalAgents");
  const externalAgents = own.externalAgents.map(({ sealed, ...shown }) =>
    isEditor
      ? { ...shown, ...maskNamed(openAgent(ctx.assistant.secrets, { ...shown, sealed })) }
      : { ...shown, ...(sealed === null && maskAll(shown)) },
  );
  return { ...own, externalAgents };
}

const openedOwn = (ctx: AssistantContext, own: StoredRecords): OwnRecords => ({
  ...own,
  externalAgents: own.externalAgents.map((agent) => openAgent(ctx.assistant.secrets, agent)),
});

const tooMuch = (what: string) =>
  assistantFailure("ASSISTANT_EXPORT_TOO_LARGE", {
    message:
      `There are ${what}; an archive takes ${archiveLimits.records} records of a kind, ` +
      `${archiveLimits.unpackedBytes / 2} bytes of texts and ${archiveLimits.packedBytes} bytes packed.`,
  });

/** Imports all records or none; existing records are replaced. */
export async function importRecords(
  ctx: AssistantContext,
  archive: Buffer,
  { dryRun }: { dryRun: boolean },
): Promise<ImportAnswer> {
  if (archive.length > archiveLimits.packedBytes) throw bodyTooLarge(archiveLimits.packedBytes);
  const unpacked = await unpackRecords(archive);
  const given = readRecords(unpacked.records);
  const found = [...unpacked.problems, ...given.problems, ...externalAgentProblems(ctx, given)];
  const plan = await inTransaction(ctx.assistant.database, async (tx) => {
    await lockAgents(tx);
    await lockOwn(tx);
    const named = [...given.skills, ...given.agents].flatMap(({ record }) => record.mcp_tools);
    const present = {
      own: openedOwn(ctx, await readOwn(tx)),
      edges: await readEdges(tx),
      newId,
      unknownTools: await findUnknownTools(tx, named),
    };
    const planned = planImport(given, present);
    refuseProblems([...found, ...planned.problems]);
    await refuseTakenNames(tx, planned.agents);
    if (!dryRun) await writePlan(tx, ctx, planned);
    return planned;
  });
  return answerOf(plan, { dryRun, ignored: unpacked.ignored });
}

async function refuseTakenNames(tx: Db, agents: readonly PlannedAgent[]): Promise<void> {
  const paths = new Map(agents.map(({ id, path }) => [id, path]));
  const named = agents.map(({ id, record }) => ({ id, name: record.name }));
  const conflicts = (await findNameConflicts(tx, named)).map(
    (conflict) =>
      `${paths.get(conflict.otherId) ?? namedAgent(conflict)} has the name of ${paths.get(conflict.id)}`,
  );
  if (conflicts.length > 0) throw nameTaken(conflicts.slice(0, maxNotes));
}

async function writePlan(tx: Db, ctx: AssistantContext, plan: ImportPlan): Promise<void> {
  await writeImport(tx, plan, { secrets: ctx.assistant.secrets, at: ctx.now() });
  const changed = (list: readonly Planned<unknown>[]) =>
    list.flatMap(({ id, action }) => (action === "unchanged" ? [] : [id]));
  const detail = {
    skills: changed(plan.skills),
    agents: changed(plan.agents),
    externalAgents: changed(plan.externalAgents),
  };
  await writeAudit(tx, ctx, { operation: "importRecords", subject: "assistant", detail });
}

/** Problems of addresses and payloads of external agents that no schema finds. */
function externalAgentProblems(ctx: AssistantContext, { externalAgents }: ImportedRecords): InputProblem[] {
  return externalAgents.flatMap(({ path, record }) =>
    [
      ...endpointProblems(ctx.assistant.agentOutbound, record.endpoint),
      ...jsonProblems(record.payload, ["payload"]),
    ].map((problem) => ({ ...problem, path: [path, ...problem.path] })),
  );
}

const maxNotes = 100;

function answerOf(
  plan: ImportPlan,
  { dryRun, ignored }: { dryRun: boolean; ignored: readonly string[] },
): ImportAnswer {
  const entriesOf = <Kind extends string>(kind: Kind, list: readonly Planned<{ name: string }>[]) =>
    list.map(({ path, id, action, record }) => ({ kind, path, id, name: record.name, action }));
  return {
    dry_run: dryRun,
    records: [
      ...entriesOf("skill", plan.skills),
      ...entriesOf("agent", plan.agents),
      ...entriesOf("external_agent", plan.externalAgents),
    ],
    notes: [
      ...plan.notes,
      ...ignored.map((path) => `${path.slice(0, 200)}: is no record and was ignored.`),
    ].slice(0, maxNotes),
  };
}

/** Shipped records are not exported; the files of users' records name the shipped agents that they are attached to. */
function exportFiles(own: OwnRecords, edges: EdgeMap<string>): Map<string, string> {
  const links = { own, edges, ...namesOf(own) };
  const files = new Map<string, string>();
  for (const skill of own.skills) {
    const key = links.skillKeys.get(skill.id) ?? "";
    files.set(pathOf({ kind: "skill", key }), printRecordFile(ownSkillFile(key, skill, links)));
  }
  for (const agent of own.agents) {
    const key = links.agentKeys.get(agent.id) ?? "";
    files.set(pathOf({ kind: "agent", key }), printRecordFile(ownAgentFile(key, agent, links)));
  }
  const keys = uniqueKeys(own.externalAgents);
  for (const { id, name, description, endpoint, payload, needAuthentication, active } of own.externalAgents) {
    const body = {
      id,
      name,
      description,
      endpoint,
      payload,
      need_authentication: needAuthentication,
      active,
    };
    const path = pathOf({ kind: "external_agent", key: keys.get(id) ?? "" });
    files.set(path, `${JSON.stringify(body, null, 2)}\n`);
  }
  return files;
}

interface Links {
  own: OwnRecords;
  edges: EdgeMap<string>;
  /** Keys by id, including those of shipped records. */
  skillKeys: Map<string, string>;
  agentKeys: Map<string, string>;
}

function namesOf({ skills, agents, shippedSkills, shippedAgents }: OwnRecords) {
  const both = (
    records: readonly { id: string; name: string }[],
    shipped: ReadonlyMap<string, string>,
  ): Map<string, string> =>
    new Map([...uniqueKeys(records, shipped.keys()), ...[...shipped].map(([key, id]) => [id, key] as const)]);
  return { skillKeys: both(skills, shippedSkills), agentKeys: both(agents, shippedAgents) };
}

function ownSkillFile(key: string, skill: OwnSkill, { own }: Links): RecordFile {
  const { id, name, description, content, mcpTools } = skill;
  const file = skillFile({ key, name, description, content, mcp_tools: mcpTools });
  const agents = [...own.shippedAgents].flatMap(([agent, agentId]) =>
    own.skillsOf.get(agentId)?.includes(id) === true ? [agent] : [],
  );
  return withMore(file, { id, agents });
}

function ownAgentFile(key: string, agent: OwnAgent, { own, edges, skillKeys, agentKeys }: Links): RecordFile {
  const { id, name, label, description, instructions, enabled, displayOrder, mcpTools } = agent;
  const keysIn = (ids: readonly string[] | undefined, keys: ReadonlyMap<string, string>): string[] =>
    (ids ?? []).flatMap((each) => keys.get(each) ?? []);
  const file = agentFile({
    key,
    name,
    label,
    description,
    instructions,
    enabled,
    display_order: displayOrder,
    mcp_tools: mcpTools,
    skills: keysIn(own.skillsOf.get(id), skillKeys),
    subagents: keysIn(edges.get(id), agentKeys),
  });
  const callers = [...own.shippedAgents].flatMap(([caller, callerId]) =>
    edges.get(callerId)?.includes(id) === true ? [caller] : [],
  );
  return withMore(file, { id, agents: callers });
}

/** `id` identifies the record at an import; `agents` are the shipped agents that have or call it. */
const withMore = (
  { front, body }: RecordFile,
  { id, agents }: { id: string; agents: string[] },
): RecordFile => ({
  front: {
    ...front,
    metadata: { id, ...(front["metadata"] as object), ...(agents.length > 0 ? { agents } : {}) },
  },
  body,
});

/** Writes the plan of an import, in the transaction in which it was made. */
async function writeImport(
  tx: Db,
  plan: ImportPlan,
  { secrets, at }: { secrets: Pick<SecretBox, "seal">; at: Date },
): Promise<void> {
  for (const { id, action, record } of plan.skills) {
    if (action === "unchanged") continue;
    const { name, description, content } = record;
    const skill = { name, description, content, mcpTools: distinctTools(record.mcp_tools), at };
    if (action === "created") await insertSkill(tx, { ...skill, id });
    else await updateSkill(tx, id, skill);
  }
  const agents = plan.agents.filter(({ action }) => action !== "unchanged");
  await freeNames(
    tx,
    agents.flatMap(({ id, action }) => (action === "updated" ? [id] : [])),
  );
  for (const agent of agents) await writeAgent(tx, agent, at);
  // Links come last: they may lead to agents of the same archive.
  for (const { id, skillIds, subagentIds } of agents) {
    await clearSkills(tx, id);
    await linkSkills(tx, { agentId: id, added: skillIds, withdrawn: [] });
    await setSubagents(tx, id, subagentIds);
  }
  for (const { agentId, id } of plan.newSkillLinks)
    await linkSkills(tx, { agentId, added: [id], withdrawn: [] });
  for (const { agentId, id } of plan.newSubagentLinks)
    await linkSubagents(tx, { agentId, added: [id], withdrawn: [] });
  for (const { id, action, record } of plan.externalAgents) {
    if (action === "unchanged") continue;
    const { name, description, endpoint, payload, need_authentication: needAuthentication, active } = record;
    const agent = {
      id,
      name,
      description,
      endpoint,
      payload: { ...payload },
      needAuthentication,
      active,
      at,
    };
    const row = sealAgent(secrets, agent);
    if (action === "created") await insertExternalAgent(tx, row);
    else await updateExternalAgent(tx, row);
  }
}

async function writeAgent(tx: Db, { id, action, record, isDefault }: PlannedAgent, at: Date): Promise<void> {
  const { name, label, description, instructions, enabled, display_order: displayOrder } = record;
  const mcpTools = distinctTools(record.mcp_tools);
  const fields = { name, label, description, instructions, enabled, isDefault, displayOrder, at };
  if (action === "created") return insertAgent(tx, { ...fields, id, mcpTools });
  await updateAgent(tx, id, fields);
  await setTools(tx, id, { mcpTools, at });
}
