/**
 * What does a search cost beside the database's own full-text search? Asks an index of many passages by words, and by words
 * and vectors (1,536 dimensions; the embedder is a server of this process that answers at once), in turns with the bare
 * statement of the same words. Prints p50 and p99 in ms and the ratio to the bare statement.
 *
 *   node bench/retrieval.ts [--documents 10000] [--searches 300]
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { sql } from "../src/platform/db/sql.ts";
import type { AssistantContext } from "../src/assistant/context.ts";
import { documentRows } from "../src/assistant/retrieval/sources.ts";
import { countWords, noteCompared, writeBatch } from "../src/assistant/retrieval/index-store.ts";
import { countVectors, readWaiting, writeVectors } from "../src/assistant/retrieval/store.ts";
import { createVectorSearch } from "../src/assistant/retrieval/vector-search.ts";
import { searchKnowledge } from "../src/assistant/retrieval/service.ts";
import { packVector, unitVector } from "../src/assistant/retrieval/vector-memory.ts";
import { queryWords } from "../src/assistant/retrieval/words.ts";
import { loadConfig } from "../src/platform/config/load.ts";
import { systemActor } from "../src/platform/lib/actor.ts";
import { newId } from "../src/platform/lib/ids.ts";
import { silentLogger } from "../src/platform/lib/logger.ts";
import { createSecretBox } from "../src/platform/lib/secrets/secret-box.ts";
import { openOutboundClients } from "../src/platform/outbound/outbound-clients.ts";
import { benchDatabase } from "./support/fixtures.ts";
import { cellsOf, quantiles, ratioOf, timed } from "./support/read-times.ts";

const { values } = parseArgs({
  options: {
    documents: { type: "string", default: "10000" },
    searches: { type: "string", default: "300" },
  },
});
const documents = Number(values.documents);
const searches = Number(values.searches);
const dimensions = 1_536;
const embedder = newId();
const at = new Date();

/** Some words are in most texts and most are rare, as in any language. */
const word = (): string => `w${Math.floor(4_000 ** Math.random())}x`;
const words = (count: number): string => Array.from({ length: count }, word).join(" ");
const someVector = (): Float32Array =>
  unitVector(Array.from({ length: dimensions }, () => Math.random() - 0.5)) ?? new Float32Array();

const store = await benchDatabase();
const { database } = store;
const { db } = database;
for (let start = 0; start < documents; start += 500) {
  const keys = Array.from(
    { length: Math.min(500, documents - start) },
    (_, n) => `component:default/c${start + n}`,
  );
  const rows = keys.flatMap((key) =>
    documentRows({ key, names: [key], passages: [{ title: words(4), text: words(120), reference: key }] }),
  );
  await writeBatch(database, { kind: "entity", versions: new Map(keys.map((key) => [key, "1"])), rows, at });
}
await noteCompared(db, { kind: "entity", mark: "", at });
await countWords(database, documents);
for (let after = 0; ;) {
  const waiting = await readWaiting(db, { embedder, after, limit: 500 });
  if (waiting.length === 0) break;
  await writeVectors(
    database,
    embedder,
    waiting.map((document) => ({ ...document, packed: packVector(someVector()) })),
  );
  after = waiting.at(-1)?.id ?? after;
}
await countVectors(db, embedder);
await sql`vacuum analyze assistant_documents`.execute(db);

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: [{ index: 0, embedding: [...someVector()] }] }));
  });
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
await sql`insert into assistant_models (kind, provider, endpoint, deployment, api_version, model, version, updated_by,
    updated_at)
  values ('embedder', 'openai', ${endpoint}, '', '', 'bench', ${embedder}, 'bench', now())`.execute(db);

const { config } = loadConfig({ files: [], env: {}, cwd: "/" });
const outbound = openOutboundClients(config.outbound, silentLogger).clients.models;
const vectorSearch = createVectorSearch({
  database,
  outbound,
  secrets: createSecretBox(Buffer.alloc(32)),
  settings: { baseUrl: "", runs: config.assistant, providers: [] },
  log: silentLogger,
  now: () => new Date(),
});
const none: typeof vectorSearch = { search: async () => null, forget: () => undefined };
const search = (query: string, by: typeof vectorSearch) =>
  searchKnowledge(
    { actor: systemActor, assistant: { database, vectorSearch: by } } as unknown as AssistantContext,
    {
      query,
      kinds: [],
      limit: 10,
    },
  );
const bare = (query: string): Promise<unknown> =>
  sql`select id, title, body, ts_rank(words, q) as rank
    from assistant_documents, to_tsquery('english', ${queryWords(query)
      .map((each) => `${each}:*`)
      .join(" | ")}) q
    where words @@ q order by rank desc limit 10`.execute(db);

const times = { lexical: [] as number[], fused: [] as number[], bare: [] as number[] };
for (let n = -20; n < searches; n += 1) {
  const query = words(4);
  const round = [
    await timed(() => bare(query)),
    await timed(() => search(query, none)),
    await timed(async () => {
      const { meta } = await search(query, vectorSearch);
      if (meta.mode !== "fused") throw new Error("A search did without vectors.");
    }),
  ] as const;
  if (n < 0) continue;
  times.bare.push(round[0]);
  times.lexical.push(round[1]);
  times.fused.push(round[2]);
}
const floor = quantiles(times.bare);
console.log(`${documents} passages, ${searches} searches of 4 words; ms`);
console.log(`${" ".repeat(20)}${["search", "bare SQL", "ratio"].map((name) => name.padStart(20)).join("")}`);
console.log(`${" ".repeat(20)}${"p50       p99".padStart(20).repeat(3)}`);
for (const name of ["lexical", "fused"] as const) {
  const ours = quantiles(times[name]);
  console.log(name.padEnd(20) + cellsOf([ours, floor, ratioOf(ours, floor)]));
}
server.close();
server.closeAllConnections();
await outbound.close();
await store.close();
