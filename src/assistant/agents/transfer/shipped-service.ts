/** Installs the shipped agents and skills in the database, at the start of every process that serves them. */
import { writeAudit } from "../../context.ts";
import { isDeepStrictEqual } from "node:util";
import { inTransaction, type Database, type Db } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/lib/ids.ts";
import type { RequestContext } from "../../../platform/lib/request-context.ts";
import { findNameConflicts, lockAgents, renameToFree } from "../store.ts";
import {
  type PortableAgent,
  type PortableSkill,
  agentCandidate,
  skillCandidate,
  readRecordFile,
  type RecordFile,
  type Checked,
  readAgent,
  readSkill,
} from "./portable.ts";
import { toolKey } from "../../record-schema.ts";
import {
  linkSkills,
  linkSubagents,
  readShippedAgents,
  readShippedSkills,
  upsertShippedAgent,
  upsertShippedSkill,
  type ShippedAgentRow,
  type ShippedParts,
  type ShippedSkillRow,
} from "./shipped-store.ts";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Reads two tables and changes nothing when everything is installed. */
export async function installShipped(
  ctx: RequestContext,
  database: Database,
  shipped?: Shipped,
): Promise<void> {
  const wanted = shipped ?? (await readShipped());
  if (isInstalled(await readPresent(database.db), wanted)) return;
  await inTransaction(database, async (tx) => {
    await lockAgents(tx);
    const present = await readPresent(tx);
    if (isInstalled(present, wanted)) return;
    await install(tx, ctx, { present, wanted, at: ctx.now() });
    await writeAudit(tx, ctx, { operation: "bringShipped", subject: "assistant", detail: {} });
  });
}

interface Present {
  skills: Map<string, ShippedSkillRow>;
  agents: Map<string, ShippedAgentRow>;
}

const readPresent = async (db: Db): Promise<Present> => ({
  skills: await readShippedSkills(db),
  agents: await readShippedAgents(db),
});

const isInstalled = (present: Present, { skills, agents }: Shipped): boolean =>
  skills.every((skill) => isSameSkill(present.skills.get(skill.key), skill)) &&
  agents.every((agent) => isSameAgent(present.agents.get(agent.key), agent));

const isSameSkill = (row: ShippedSkillRow | undefined, skill: PortableSkill): boolean =>
  row?.name === skill.name &&
  row.description === skill.description &&
  row.content === skill.content &&
  isDeepStrictEqual(row.shippedTools, skill.mcp_tools);

const isSameAgent = (row: ShippedAgentRow | undefined, agent: PortableAgent): boolean =>
  row?.name === agent.name &&
  row.label === agent.label &&
  row.description === agent.description &&
  row.instructions === agent.instructions &&
  isDeepStrictEqual(row.shipped, partsOf(agent));

const partsOf = ({ mcp_tools: tools, skills, subagents }: PortableAgent): ShippedParts => ({
  tools,
  skills,
  subagents,
});

interface ShippedChange {
  present: Present;
  wanted: Shipped;
  at: Date;
}

async function install(tx: Db, ctx: RequestContext, { present, wanted, at }: ShippedChange): Promise<void> {
  const skillIds = new Map([...present.skills].map(([key, { id }]) => [key, id]));
  const agentIds = new Map([...present.agents].map(([key, { id }]) => [key, id]));
  for (const { key } of wanted.skills) if (!skillIds.has(key)) skillIds.set(key, newId());
  for (const { key } of wanted.agents) if (!agentIds.has(key)) agentIds.set(key, newId());
  for (const skill of wanted.skills) {
    const row = present.skills.get(skill.key);
    const tools = merged(
      row?.mcpTools ?? [],
      changeOf(row?.shippedTools ?? [], skill.mcp_tools, toolKey),
      toolKey,
    );
    await upsertShippedSkill(tx, { ...skill, id: skillIds.get(skill.key) ?? "", tools, at });
  }
  await giveNames(
    tx,
    ctx,
    wanted.agents.map(({ key, name }) => ({ id: agentIds.get(key) ?? "", name })),
  );
  for (const agent of wanted.agents) {
    const row = present.agents.get(agent.key);
    const tools = changeOf(row?.shipped.tools ?? [], agent.mcp_tools, toolKey);
    await upsertShippedAgent(tx, {
      ...agent,
      id: agentIds.get(agent.key) ?? "",
      isOrchestrator: agent.key === orchestratorKey,
      tools: merged(row?.mcpTools ?? [], tools, toolKey),
      shipped: partsOf(agent),
      at,
    });
  }
  // Links come last: they may lead to new rows of the same release.
  for (const agent of wanted.agents) {
    const before = present.agents.get(agent.key)?.shipped ?? {};
    const agentId = agentIds.get(agent.key) ?? "";
    const idsOf = (keys: readonly string[], ids: ReadonlyMap<string, string>): string[] =>
      keys.flatMap((key) => ids.get(key) ?? []);
    const skills = changeOf(before.skills ?? [], agent.skills, String);
    const subagents = changeOf(before.subagents ?? [], agent.subagents, String);
    await linkSkills(tx, {
      agentId,
      added: idsOf(skills.added, skillIds),
      withdrawn: idsOf(skills.withdrawn, skillIds),
    });
    await linkSubagents(tx, {
      agentId,
      added: idsOf(subagents.added, agentIds),
      withdrawn: idsOf(subagents.withdrawn, agentIds),
    });
  }
}

/** An agent of users that has the name of a shipped one gets another: the product's own agents name each other. */
async function giveNames(
  tx: Db,
  ctx: RequestContext,
  shipped: readonly { id: string; name: string }[],
): Promise<void> {
  for (const { otherId, otherName } of await findNameConflicts(tx, shipped)) {
    const name = await renameToFree(tx, { id: otherId, at: ctx.now() });
    const detail = { before: otherName, name };
    await writeAudit(tx, ctx, { operation: "renameAgent", subject: `agent:${otherId}`, detail });
  }
}

export interface Change<T> {
  added: T[];
  withdrawn: T[];
}

/** What a release has added to and removed from the one before. */
export function changeOf<T>(before: readonly T[], now: readonly T[], keyOf: (each: T) => string): Change<T> {
  const had = new Set(before.map(keyOf));
  const has = new Set(now.map(keyOf));
  return {
    added: now.filter((each) => !had.has(keyOf(each))),
    withdrawn: before.filter((each) => !has.has(keyOf(each))),
  };
}

/** Applies the change of a release: what users added stays, and what they removed does not come back. */
export function merged<T>(
  present: readonly T[],
  { added, withdrawn }: Change<T>,
  keyOf: (each: T) => string,
): T[] {
  const gone = new Set(withdrawn.map(keyOf));
  const there = new Set(present.map(keyOf));
  return [
    ...present.filter((each) => !gone.has(keyOf(each))),
    ...added.filter((each) => !there.has(keyOf(each))),
  ];
}

// Reads the agents and skills that are shipped with the product: Markdown files in the folders beside this
// file.

export interface Shipped {
  skills: PortableSkill[];
  agents: PortableAgent[];
}

/** The key of the agent that is the root of the graph. */
const orchestratorKey = "orchestrator";

export async function readShipped(): Promise<Shipped> {
  const skills = await readFolders("skills", "SKILL.md");
  const agents = await readFolders("agents", "AGENT.md");
  return {
    skills: skills.map(({ key, file }) => sound(key, readSkill(skillCandidate(key, file)))),
    agents: agents.map(({ key, file }) => sound(key, readAgent(agentCandidate(key, file)))),
  };
}

async function readFolders(kind: string, name: string): Promise<{ key: string; file: RecordFile }[]> {
  const folder = join(import.meta.dirname, "shipped", kind);
  const keys = (await readdir(folder)).sort();
  return Promise.all(
    keys.map(async (key) => {
      const file = readRecordFile(await readFile(join(folder, key, name), "utf8"));
      if (typeof file === "string") throw new Error(`${kind}/${key}/${name} ${file}`);
      return { key, file: { ...file, body: file.body.trim() } };
    }),
  );
}

function sound<T>(key: string, checked: Checked<T>): T {
  if ("value" in checked) return checked.value;
  throw new Error(
    `${key}: ${checked.problems.map(({ where, message }) => `${where} ${message}`).join("; ")}`,
  );
}
