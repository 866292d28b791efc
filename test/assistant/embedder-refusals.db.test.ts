/** Passages that an embedder refuses in words that nobody knows: they keep no other passage without a vector. */
import type { ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import type { KnowledgeSource } from "../../src/assistant/retrieval/passages.ts";
import { startIndexWorker } from "../../src/assistant/retrieval/worker.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { newId } from "../../src/platform/lib/ids.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { createSecretBox } from "../../src/platform/lib/secrets/secret-box.ts";
import { openOutboundClients } from "../../src/platform/outbound/outbound-clients.ts";
import { testDatabase } from "../support/database.ts";
import { startHttpPeer } from "../support/http-peer.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const { config } = loadConfig({ files: [], env: {}, cwd: "/" });
const records = 120;
const atOnce = 32;
const keys = Array.from({ length: records }, (_, n) => `k${n}`);
const skills: KnowledgeSource = {
  kind: "skill",
  tables: [],
  versions: async () => new Map(keys.map((key) => [key, "1"])),
  read: async (wanted) =>
    wanted.map((key) => ({
      key,
      names: [],
      passages: [{ title: key, text: `About ${key}`, reference: key }],
    })),
};

type Refusal = (response: ServerResponse, texts: string[]) => void;

const refusing =
  (status: number, error: object): Refusal =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));

interface Indexed {
  /** The texts of each request. */
  requests: string[][];
  state: () => Promise<{ vectors: number; waiting: number; error: string | null }>;
}

/** An index whose embedder answers in a way of its own when one of the texts matches. */
async function startIndex(refused: RegExp, refuse: Refusal): Promise<Indexed> {
  const requests: string[][] = [];
  const peer = await startHttpPeer((request, response) => {
    void json(request).then((body) => {
      const { input } = body as { input: string[] };
      requests.push(input);
      if (input.some((text) => refused.test(text))) return refuse(response, input);
      const data = input.map((text, index) => ({ index, embedding: [1, text.length % 7, 2] }));
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
    });
  });
  cleanups.push(() => peer.close());
  const db = await testDatabase();
  const { database } = db;
  cleanups.push(() => db.drop());
  const outbound = openOutboundClients(config.outbound, silentLogger).clients.models;
  cleanups.push(() => outbound.close());
  await sql`insert into assistant_models (kind, provider, endpoint, deployment, api_version, model, version,
      updated_by, updated_at)
    values ('embedder', 'openai-compatible', ${`${peer.url}/v1`}, '', '', 'bge', ${newId()}, 'test', now())`.execute(
    database.db,
  );
  const assistant = structuredClone(config.assistant);
  assistant.retrieval.lookEveryMs = 20;
  assistant.retrieval.embedAtOnce = atOnce;
  assistant.models.attempts = 1;
  const worker = startIndexWorker({
    database,
    outbound,
    secrets: createSecretBox(Buffer.alloc(32, 1)),
    settings: { baseUrl: "", runs: assistant, providers: [] },
    sources: [skills],
    workerId: newId(),
    log: silentLogger,
    now: () => new Date(),
  });
  cleanups.push(() => worker.close());
  return {
    requests,
    async state() {
      const { rows } = await sql<{ vectors: number; waiting: number; error: string | null }>`select vectors,
        waiting, vector_error as error from assistant_index`.execute(database.db);
      return rows[0]!;
    },
  };
}

const about = (n: number): RegExp => new RegExp(String.raw`\bk${n}\b`);
const tooLong =
  "The decoder prompt (length 613) is longer than the maximum model length of 512. Make sure that `max_model_len` is no smaller than the number of text tokens.";

it.each<[string, Refusal]>([
  ["400 of vLLM", refusing(400, { message: tooLong, code: 400 })],
  ["422 of a validation", refusing(422, { message: "inputs must have less than 512 tokens." })],
  [
    "500 of llama.cpp",
    refusing(500, { message: "input is too large to process. increase the physical batch size", code: 500 }),
  ],
  [
    "200 without a number in a vector",
    (response, texts) =>
      void response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ data: texts.map((_, index) => ({ index, embedding: [null, 1, 2] })) })),
  ],
])("a passage that is refused by a %s gets no vector, and all others do", async (_, refuse) => {
  const { state } = await startIndex(about(3), refuse);
  await expect.poll(state).toEqual({ vectors: records - 1, waiting: 0, error: null });
});

it("batches of which everything is refused keep no other one waiting", async () => {
  const { state } = await startIndex(/About k(?!119)/, refusing(400, { message: tooLong }));
  await expect.poll(state).toEqual({ vectors: 1, waiting: 0, error: null });
});

it("a batch that fails otherwise waits, and later ones are tried", async () => {
  const { state } = await startIndex(about(3), (response) => void response.destroy());
  await expect.poll(state).toEqual({
    vectors: records - atOnce,
    waiting: atOnce,
    error: expect.stringContaining("can't be reached"),
  });
});

it("an embedder that refuses everything is asked for one short text more, and nothing is stored of it", async () => {
  const { state, requests } = await startIndex(/./, refusing(500, { message: "Out of order." }));
  await expect.poll(state).toEqual({
    vectors: 0,
    waiting: records,
    error: "The model answered with status 500. It said: Out of order.",
  });
  expect(requests.slice(0, 2).map(({ length }) => length)).toEqual([atOnce, 1]);
});

it("an embedder that refuses the key is asked for nothing more", async () => {
  const { state, requests } = await startIndex(/./, refusing(401, { message: "No." }));
  await expect.poll(state).toMatchObject({ waiting: records, error: expect.stringContaining("credentials") });
  expect(new Set(requests.map(({ length }) => length))).toEqual(new Set([atOnce]));
});
