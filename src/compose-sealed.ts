/** What the areas have sealed with the key of the installation, a part of it. */
import { aboutAgent } from "./assistant/external-agents/sealed-agent.ts";
import { readSealedAgents } from "./assistant/external-agents/store.ts";
import { aboutHeader, aboutKey } from "./assistant/models/read-model.ts";
import { readSealedModels } from "./assistant/models/store.ts";
import { readSealedTasks } from "./builder/instantiations/task-store.ts";
import type { Db } from "./platform/db/database.ts";

export interface SealedSample {
  sealed: Buffer;
  about: string;
}

/** Some are enough: they are all of one key, or nobody can say which is the right one. */
const mostSamples = 20;

export async function readSamples(db: Db): Promise<SealedSample[]> {
  const models = await readSealedModels(db);
  const agents = await readSealedAgents(db, mostSamples);
  const tasks = await readSealedTasks(db, mostSamples);
  return [
    ...models.flatMap(({ kind, sealedApiKey, sealedCustomHeader }) => [
      { sealed: sealedApiKey, about: aboutKey(kind) },
      { sealed: sealedCustomHeader, about: aboutHeader(kind) },
    ]),
    ...agents.map(({ id, sealed }) => ({ sealed, about: aboutAgent(id) })),
    ...tasks.map(({ id, sealed }) => ({ sealed, about: id })),
  ].flatMap(({ sealed, about }) => (sealed === null ? [] : [{ sealed, about }]));
}
