/** Reads the agents and skills that are shipped with the product: Markdown files in the folders beside this file. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { agentCandidate, skillCandidate, type PortableAgent, type PortableSkill } from "./portable.ts";
import { readRecordFile, type RecordFile } from "./record-file.ts";
import type { Checked } from "./record-checks.ts";
import { readAgent, readSkill } from "./record-checks.ts";

export interface Shipped {
  skills: PortableSkill[];
  agents: PortableAgent[];
}

/** The key of the agent that is the root of the graph. */
export const orchestratorKey = "orchestrator";

export async function readShipped(): Promise<Shipped> {
  const skills = await readFolders("skills", "SKILL.md");
  const agents = await readFolders("agents", "AGENT.md");
  return {
    skills: skills.map(({ key, file }) => sound(key, readSkill(skillCandidate(key, file)))),
    agents: agents.map(({ key, file }) => sound(key, readAgent(agentCandidate(key, file)))),
  };
}

async function readFolders(kind: string, name: string): Promise<{ key: string; file: RecordFile }[]> {
  const folder = join(import.meta.dirname, kind);
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
