/**
 * Does the assistant's search find what people ask for? Indexes what the product ships (skills, tools, guides, reference pages)
 * and a small catalogue, asks everyday questions, and prints how many are answered by the first result and by the first five, and
 * the CPU time of a question (this process and the database). By words alone, and fused with embedders of which the agreement with the
 * words is measured as in the product: `random` knows nothing, `words` counts words (both are weak), `ideal` knows the answers but for a
 * tenth (a simulation), and any real one that speaks OpenAI's protocol.
 *
 * By words alone: held 19/29, tuning 27/30, unseen 22/27, judge 26/28, outsider 26/29, later 24/29, drawn 23/30, issues1 to issues4 25/30, 24/27,
 * 24/27, 22/26, blind1 to blind4 23/30, 21/26, 20/27, 24/29; blind5 and blind6, which nobody had seen: 25/28, 24/30.
 *
 *   node bench/retrieval-questions.ts [--sets held,tuning,unseen,judge,outsider,later,drawn,issues1] [--from other-questions.json] [--show tuning] [--times 10]
 *     [--embedders random,words,ideal] [--embedder http://localhost:4999/v1]
 */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { AssistantContext } from "../src/assistant/context.ts";
import { installShipped } from "../src/assistant/agents/transfer/shipped-service.ts";
import { embedWaiting } from "../src/assistant/retrieval/worker.ts";
import { countWords, noteCompared, readProgress } from "../src/assistant/retrieval/index-store.ts";
import { searchKnowledge } from "../src/assistant/retrieval/service.ts";
import { compareSource, createSources } from "../src/assistant/retrieval/sources.ts";
import type { RecordFeed } from "../src/assistant/ports.ts";
import { recordPlatformTools } from "../src/assistant/tools/mcp/tool-store.ts";
import { createPlatformTools } from "../src/assistant/tools/toolbox.ts";
import { sql } from "../src/platform/db/sql.ts";
import { systemActor } from "../src/platform/lib/actor.ts";
import { silentLogger } from "../src/platform/lib/logger.ts";
import { loadConfig } from "../src/platform/config/load.ts";
import { newId } from "../src/platform/lib/ids.ts";
import { createSecretBox } from "../src/platform/lib/secrets/secret-box.ts";
import { openOutboundClients } from "../src/platform/outbound/outbound-clients.ts";
import { readIndexState } from "../src/assistant/retrieval/store.ts";
import { createVectorSearch } from "../src/assistant/retrieval/vector-search.ts";
import { cpuOfFamily } from "./support/process-use.ts";
import { startTestEmbedders } from "./support/test-embedders.ts";
import { benchDatabase } from "./support/fixtures.ts";

const { values } = parseArgs({
  options: {
    sets: { type: "string", default: "held,tuning" },
    show: { type: "string", default: "" },
    times: { type: "string", default: "0" },
    embedder: { type: "string", default: "" },
    embedders: { type: "string", default: "random,words,ideal" },
    from: { type: "string", default: "" },
  },
});

interface Question {
  ask: string;
  expect: string[];
}
const readJson = async (name: string) => JSON.parse(await readFile(new URL(name, import.meta.url), "utf8"));
const questions: Record<string, Question[]> =
  values.from === ""
    ? await readJson("./retrieval-questions.json")
    : JSON.parse(await readFile(values.from, "utf8"));
const described: Record<string, any>[] = await readJson("./retrieval-entities.json");

const entities = new Map(
  described.map(({ kind, name, title, description, tags, type, owner }) => [
    `${kind.toLowerCase()}:default/${name}`,
    { kind, metadata: { name, title, description, tags }, spec: { type, owner } },
  ]),
);
const feedOf = (records: ReadonlyMap<string, Record<string, unknown>>): RecordFeed => ({
  tables: [],
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

async function score(set: string, search: unknown, show: boolean): Promise<string> {
  const asked = questions[set] ?? [];
  let first = 0;
  let five = 0;
  for (const question of asked) {
    const found = await find(question.ask, search);
    const place = found.findIndex((each) => isAnswer(question, each));
    if (place === 0) first += 1;
    if (place >= 0 && place < 5) five += 1;
    if (show && place !== 0)
      console.log(`  ${place < 0 ? "-" : place + 1} ${question.ask}\n    ${found.slice(0, 5).join("  ")}`);
  }
  return `${first}/${five}`.padStart(6);
}

const sets = values.sets.split(",");
console.log(`rank 1 / first five, of 30: ${sets.join(", ")}`);
const scores = async (search: unknown, show: boolean): Promise<string> => {
  const line: string[] = [];
  for (const set of sets) line.push(await score(set, search, show && values.show === set));
  return line.join("  ");
};
console.log(`${"words alone".padEnd(28)}${await scores(none, true)}`);

const embedders = await startTestEmbedders();
const { config } = loadConfig({ files: [], env: {}, cwd: "/" });
config.outbound.privateNetworks.models = true;
const outbound = openOutboundClients(config.outbound, silentLogger).clients.models;
const deps = {
  database,
  outbound,
  secrets: createSecretBox(Buffer.alloc(32)),
  settings: { baseUrl: "", runs: config.assistant, providers: [] },
  log: { ...silentLogger, warn: console.warn } as never,
  now: () => new Date(),
};
await learnMeanings();

for (const [model, endpoint] of [
  ...values.embedders
    .split(",")
    .filter((name) => name !== "")
    .map((name) => [name, embedders.url] as const),
  ...(values.embedder === "" ? [] : [["given", values.embedder] as const]),
] as const) {
  await sql`insert into assistant_models (kind, provider, endpoint, deployment, api_version, model, version, updated_by,
      updated_at)
    values ('embedder', 'openai', ${endpoint}, '', '', ${model}, ${newId()}, 'bench', now())
    on conflict (kind) do update set endpoint = excluded.endpoint, model = excluded.model,
      version = excluded.version`.execute(database.db);
  await embedWaiting({
    deps,
    progress: await readProgress(database.db),
    signal: new AbortController().signal,
    mayContinue: async () => true,
  });
  const { agreement } = await readIndexState(database.db);
  const search = createVectorSearch(deps);
  const fused = await scores(search, false);
  console.log(`${`${model}, agreement ${agreement?.toFixed(2)}`.padEnd(28)}${fused}`);
}

/** The ideal embedder knows the first answer of each question, and the passage of each title. */
async function learnMeanings(): Promise<void> {
  const { rows } = await sql<{
    title: string;
    body: string;
    reference: string;
    kind: string;
  }>`select title, body,
    reference, kind from assistant_documents where body <> '' order by id`.execute(database.db);
  const textOf = new Map<string, string>();
  for (const { title, body, reference, kind } of rows) {
    const text = `${title}\n\n${body}`;
    const name = kind === "skill" ? (skillKeys.get(reference) ?? reference) : reference;
    if (!textOf.has(name)) textOf.set(name, text);
  }
  for (const { ask, expect } of Object.values(questions).flatMap((set) => (Array.isArray(set) ? set : []))) {
    const answer = expect.find((each) => textOf.has(each));
    if (answer !== undefined) embedders.meanings.set(ask, textOf.get(answer) ?? "");
  }
  for (const { title, body } of rows) {
    const key = title.toLowerCase();
    if (!embedders.meanings.has(key)) embedders.meanings.set(key, `${title}\n\n${body}`);
  }
}

if (Number(values.times) > 0) {
  const asked = sets.flatMap((set) => questions[set] ?? []);
  for (const { ask } of asked) await find(ask, none);
  const before = await cpuOfFamily(process.pid);
  for (let n = 0; n < Number(values.times); n += 1) for (const { ask } of asked) await find(ask, none);
  const cpu = (await cpuOfFamily(process.pid)) - before;
  console.log(`CPU of a question by words: ${(cpu / Number(values.times) / asked.length).toFixed(2)} ms`);
}
embedders.close();
await outbound.close();
await store.close();
