/** Several processes over one index. */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import type { KnowledgeSource } from "../../src/assistant/retrieval/passages.ts";
import { startIndexWorker } from "../../src/assistant/retrieval/worker.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { newId } from "../../src/platform/lib/ids.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { createSecretBox } from "../../src/platform/lib/secrets/secret-box.ts";
import { openOutboundClients } from "../../src/platform/outbound/outbound-clients.ts";
import type { Outbound } from "../../src/platform/outbound/outbound.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { startScriptedModel, type ScriptedModel } from "../support/scripted-model/server.ts";

let db: TestDatabase;
let model: ScriptedModel;
let outbound: Outbound;
const { config } = loadConfig({ files: [], env: {}, cwd: "/" });
beforeAll(async () => {
  db = await testDatabase();
  model = await startScriptedModel([]);
  outbound = openOutboundClients(config.outbound, silentLogger).clients.models;
  await sql`insert into assistant_models (kind, provider, endpoint, deployment, api_version, model, version, updated_by,
      updated_at)
    values ('embedder', 'openai', ${model.url}, '', '', 'scripted', ${newId()}, 'test', now())`.execute(
    db.database.db,
  );
});
afterAll(async () => {
  await outbound.close();
  await model.close();
  await db.drop();
});

const records = 120;
const keys = Array.from({ length: records }, (_, n) => `k${n}`);

/** Tells how often each record was read, and how many were read together. */
function countingSource(): KnowledgeSource & { reads: string[]; together: number[] } {
  const reads: string[] = [];
  const together: number[] = [];
  return {
    kind: "skill",
    reads,
    together,
    tables: [],
    batchSize: 25,
    versions: async () => new Map(keys.map((key) => [key, "1"])),
    async read(wanted) {
      reads.push(...wanted);
      together.push(wanted.length);
      await pause(5);
      return wanted.map((key) => ({
        key,
        names: [],
        passages: [{ title: key, text: `About ${key}`, reference: key }],
      }));
    },
  };
}

const failing: KnowledgeSource = {
  kind: "page",
  tables: [],
  versions: () => Promise.reject(new Error("the disk is gone")),
  read: async () => [],
};

it("of several processes one reads each record and asks for each vector; one source that fails stops no other", async () => {
  const source = countingSource();
  const assistant = structuredClone(config.assistant);
  assistant.retrieval.lookEveryMs = 20;
  const workers = [1, 2, 3].map(() =>
    startIndexWorker({
      database: db.database,
      outbound,
      secrets: createSecretBox(Buffer.alloc(32, 1)),
      settings: { baseUrl: "", runs: assistant, providers: [] },
      sources: [failing, source],
      workerId: newId(),
      log: silentLogger,
      now: () => new Date(),
    }),
  );
  const state = async () =>
    (
      await sql<{
        vectors: number;
        waiting: number;
      }>`select vectors, waiting from assistant_index`.execute(db.database.db)
    ).rows[0];
  await expect.poll(state).toEqual({ vectors: records, waiting: 0 });
  await Promise.all(workers.map((worker) => worker.close()));
  expect(source.reads.toSorted()).toEqual(keys.toSorted());
  expect(source.together).toEqual([25, 25, 25, 25, 20]);
  expect(model.embedding.inputs.toSorted()).toEqual(keys.map((key) => `${key}\n\nAbout ${key}`).toSorted());
  const { rows } = await sql`select kind, documents, error is not null as failed from assistant_index_sources
    order by kind`.execute(db.database.db);
  expect(rows).toEqual([
    { kind: "page", documents: 0, failed: true },
    { kind: "skill", documents: records, failed: false },
  ]);
  const { rows: lease } = await sql`select lease_by from assistant_index`.execute(db.database.db);
  expect(lease).toEqual([{ lease_by: null }]);
});
