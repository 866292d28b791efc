/**
 * Does the assistant's search find what people ask for? Indexes what the product ships (skills, tools, guides, reference pages)
 * and a small catalogue, asks everyday questions, and prints how many are answered by the first result and by the first five.
 * By words alone, and with embedders: one that knows nothing (a random vector for each text), a weak one (a bag of words), an
 * ideal one (a vector of the answer itself, with noise; a simulation), and any real one that speaks OpenAI's protocol.
 *
 *   node bench/retrieval-questions.ts [--sets held,tuning,unseen] [--show tuning] [--embedder http://localhost:4999/v1]
 */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { AssistantContext } from "../src/assistant/context.ts";
import { installShipped } from "../src/assistant/agents/transfer/shipped-service.ts";
import { countWords, noteCompared } from "../src/assistant/retrieval/index-store.ts";
import { searchKnowledge } from "../src/assistant/retrieval/service.ts";
import { compareSource, createSources } from "../src/assistant/retrieval/sources.ts";
import type { RecordFeed } from "../src/assistant/ports.ts";
import { recordPlatformTools } from "../src/assistant/tools/mcp/tool-store.ts";
import { createPlatformTools } from "../src/assistant/tools/toolbox.ts";
import { sql } from "../src/platform/db/sql.ts";
import { systemActor } from "../src/platform/lib/actor.ts";
import { silentLogger } from "../src/platform/lib/logger.ts";
import { benchDatabase } from "./support/fixtures.ts";

const { values } = parseArgs({
  options: {
    sets: { type: "string", default: "held,tuning" },
    show: { type: "string", default: "" },
    times: { type: "string", default: "0" },
  },
});

interface Question {
  ask: string;
  expect: string[];
}
const readJson = async (name: string) => JSON.parse(await readFile(new URL(name, import.meta.url), "utf8"));
const questions: Record<string, Question[]> = await readJson("./retrieval-questions.json");
const described: Record<string, any>[] = await readJson("./retrieval-entities.json");

const entities = new Map(
  described.map(({ kind, name, title, description, tags, type, owner }) => [
    `${kind.toLowerCase()}:default/${name}`,
    { kind, metadata: { name, title, description, tags }, spec: { type, owner } },
  ]),
);
const feedOf = (records: ReadonlyMap<string, Record<string, unknown>>): RecordFeed => ({
  mark: async () => "same",
  versions: async () => new Map([...records.keys()].map((key) => [key, "1"])),
  read: async (keys) => keys.flatMap((key) => (records.has(key) ? [{ key, value: records.get(key)! }] : [])),
});

const store = await benchDatabase();
const { database } = store;
const at = new Date();
const context = { actor: systemActor, now: () => at, log: silentLogger, requestId: "bench" };
await installShipped(context as never, database);
const platformTools = createPlatformTools({} as never);
await recordPlatformTools({ database, platformTools }, { servers: [], at });
const sources = createSources({ database, entities: feedOf(entities), descriptors: feedOf(new Map()) });
for (const source of sources) {
  const { changed } = await compareSource(source, { database, at, mayContinue: async () => true });
  await countWords(database, changed);
  await noteCompared(database.db, { kind: source.kind, mark: "", at });
}

const { rows: skills } = await sql<{ id: string; key: string }>`select id, platform_key as key
  from assistant_skills`.execute(database.db);
const skillKeys = new Map(skills.map(({ id, key }) => [id, key]));
const none = { search: async () => null, forget: () => undefined };
async function find(query: string, vectorSearch: unknown): Promise<string[]> {
  const ctx = { actor: systemActor, assistant: { database, vectorSearch } } as unknown as AssistantContext;
  const { data } = await searchKnowledge(ctx, { query, kinds: [], limit: 10 });
  return data.map(({ kind, reference }) =>
    kind === "skill" ? (skillKeys.get(reference) ?? reference) : reference,
  );
}
const isAnswer = ({ expect }: Question, found: string): boolean =>
  expect.some((wanted) => found === wanted || found.startsWith(`${wanted}#`));

async function score(
  set: string,
  vectorSearch: unknown,
  show: boolean,
): Promise<{ first: number; five: number }> {
  let first = 0;
  let five = 0;
  for (const question of questions[set] ?? []) {
    const found = await find(question.ask, vectorSearch);
    const place = found.findIndex((each) => isAnswer(question, each));
    if (place === 0) first += 1;
    if (place >= 0 && place < 5) five += 1;
    if (show && place !== 0)
      console.log(
        `  ${place < 0 ? "none" : place + 1} ${question.ask}\n     ${found.slice(0, 5).join(" | ")}\n     wanted ${question.expect.slice(0, 3).join(" | ")}`,
      );
  }
  return { first, five };
}

for (const set of values.sets.split(",")) {
  const { first, five } = await score(set, none, values.show === set);
  console.log(`${set}: ${first} at rank 1, ${five} in five, of ${questions[set]?.length}`);
}
if (Number(values.times) > 0) {
  const asked = [...(questions["held"] ?? []), ...(questions["tuning"] ?? [])];
  for (let n = 0; n < 2; n += 1) for (const { ask } of asked) await find(ask, none);
  const start = performance.now();
  for (let n = 0; n < Number(values.times); n += 1) for (const { ask } of asked) await find(ask, none);
  console.log(
    `${((performance.now() - start) / Number(values.times) / asked.length).toFixed(2)} ms a question`,
  );
}
await store.close();
