/** What the assistant's search finds, by words and by meaning, and how its index is updated. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import type { AssistantContext } from "../../src/assistant/context.ts";
import { createVectorSearch } from "../../src/assistant/retrieval/vector-search.ts";
import { rankKeys, searchKnowledge } from "../../src/assistant/retrieval/service.ts";
import { createSecretBox } from "../../src/platform/lib/secrets/secret-box.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { createOutbound } from "../../src/platform/outbound/outbound.ts";
import type { CatalogueFixture } from "../builder/catalogue-fixture.ts";
import { startScriptedModel, type ScriptedModel } from "../support/scripted-model/server.ts";
import { setDatabaseWait, until as untilAnswer, type Answer, type TestRole } from "../support/server.ts";
import { connectMcp } from "./mcp/clients.ts";
import { startFleetFixture } from "./mcp/fleet-fixture.ts";

let fixture: CatalogueFixture;
let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel([]);
  fixture = await startFleetFixture({
    onConfig(config) {
      config.assistant.retrieval.lookEveryMs = 100;
      // A search may wait for a busy database longer than the 4 s of a read.
      setDatabaseWait(config, { read: 60_000, write: 60_000 });
    },
  });
});
afterAll(async () => {
  await fixture.close();
  await model.close();
});

const search = (q: string, more: Record<string, string> = {}, as: TestRole = "viewer"): Promise<Answer> =>
  fixture.server.assistant({ path: `/search?${new URLSearchParams({ q, ...more }).toString()}`, as });
const keysOf = ({ body }: Answer): string[] => body.data.map(({ key }: { key: string }) => key);
/** A busy database may refuse a connection, which is answered by 503: then it is asked again as well. */
const until: typeof untilAnswer = (ask, fits) =>
  untilAnswer(ask, (answer) => answer.status !== 503 && fits(answer));
/** Asks until it fits. What a connection has changed is counted when it is used again, so all of them are. */
async function untilFits(ask: () => Promise<Answer>, fits: (answer: Answer) => boolean): Promise<Answer> {
  const { db } = fixture.server.db.database;
  return until(async () => {
    await Promise.allSettled([sql`select 1`.execute(db), ...Array.from({ length: 5 }, () => search(""))]);
    return ask();
  }, fits);
}
const untilFound = (q: string, kind: string, key: string): Promise<Answer> =>
  untilFits(
    () => search(q, { kind }),
    (answer) => keysOf(answer).includes(key),
  );
const untilGone = (q: string, kind: string, key: string): Promise<Answer> =>
  untilFits(
    () => search(q, { kind }),
    (answer) => !keysOf(answer).includes(key),
  );
/** An embedder that answers too late once is not asked for a while. */
const untilFused = (q: string, more?: Record<string, string>): Promise<Answer> =>
  until(
    () => search(q, more),
    ({ body }) => body.meta.mode === "fused",
  );
const createSkill = async (name: string, content: string): Promise<string> => {
  const { body } = await fixture.server.assistant({
    method: "POST",
    path: "/skills",
    body: { name, content },
  });
  return body.id as string;
};
const setEmbedder = (endpoint: string, provider = "openai"): Promise<Answer> =>
  fixture.server.assistant({
    method: "POST",
    path: "/embedder/config",
    body: { provider, endpoint, api_key: "sk-canary-0002", model: "scripted" },
  });
const untilIndexed = (): Promise<Answer> =>
  until(
    () => search("anything"),
    ({ body: { meta } }) => meta.index.documents > 0 && meta.index.waiting_for_vectors === 0,
  );

const storeUnit = (descriptor: object) =>
  sql`insert into units (unit_key, environment, unit_id, descriptor) values ('urn:dmb:dp:sea:tides:0', 'development',
    'urn:dmb:dp:sea:tides:0', ${JSON.stringify(descriptor)}::json)`.execute(fixture.server.db.database.db);

describe("by words", () => {
  it("finds an entity, in a literal answer", async () => {
    const key = "system:default/mobility.fleet-positions.0";
    await untilFound("fleet positions", "entity", key);
    const { status, body } = await search("fleet positions", { kind: "entity", limit: "50" });
    expect(status).toBe(200);
    expect(body.data.find((each: { key: string }) => each.key === key)).toEqual({
      kind: "entity",
      key,
      title: expect.any(String),
      excerpt: expect.stringContaining("kind: System"),
      score: expect.any(Number),
      reference: key,
    });
    expect(body.meta).toEqual({
      mode: "lexical",
      index: {
        updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
        documents: expect.any(Number),
        has_embedder: false,
        waiting_for_vectors: 0,
        last_error: null,
        retry_at: null,
      },
    });
  });

  it("finds the component of a descriptor by a column, and nothing of what is specific to a technology", async () => {
    await storeUnit({
      id: "urn:dmb:dp:sea:tides:0",
      name: "Tides",
      components: [
        {
          id: "urn:dmb:cmp:sea:tides:0:gauge",
          name: "gauge",
          specific: { password: "canarypassword" },
          dataContract: { schema: [{ name: "heightAboveDatum" }] },
        },
      ],
    });
    const { body } = await untilFound("datum", "descriptor", "development/urn:dmb:dp:sea:tides:0");
    expect(body.data[0]).toMatchObject({
      title: "Tides › gauge",
      reference: "urn:dmb:cmp:sea:tides:0:gauge",
    });
    expect((await search("canarypassword")).body.data).toEqual([]);
  });

  it("finds shipped skills, the platform's tools and the pages of the documentation", async () => {
    await untilFound("which adapters are deployed", "tool", "platform:list_tech_adapters");
    const { body } = await untilFound("custom header of a model", "page", "docs/guides/assistant-operate.md");
    expect(body.data[0].reference).toMatch(/^docs\//);
    const skills = await until(
      () => search("why did the plan fail", { kind: "skill" }),
      ({ body: found }) => found.data.length > 0,
    );
    expect(skills.body.data[0].title).toBe("Explain a failed plan");
  });

  it.each([
    ["how do I undo a deployment", "page", "docs/guides/running-plans.md#resume-and-roll-back"],
    ["someone changed a table by hand", "page", "docs/guides/running-plans.md#drift"],
    ["get rid of a system", "tool", "platform:terminate_provisioning"],
    ["Stop a deployment", "tool", "platform:terminate_provisioning"],
    ["our plan is stuck", "page", "docs/guides/running-plans.md#why-does-it-wait"],
    ["our deployment hangs", "page", "docs/guides/running-plans.md#why-does-it-wait"],
    ["GPT says nothing", "page", "docs/guides/assistant-operate.md#when-the-model-does-not-answer"],
    ["a golden path for a first project, please", "tool", "platform:search_templates"],
    ["use it in Cursor", "page", "docs/guides/mcp.md"],
    ["try a template out beforehand", "page", "docs/guides/templates.md#dry-run"],
  ])("finds what is called otherwise: %s", async (q, kind, reference) => {
    await untilFound("terminate provisioning", "tool", "platform:terminate_provisioning");
    await untilFound("settings", "page", "docs/reference/settings.md");
    const { body } = await search(q, { kind });
    const references = body.data.map((each: { reference: string }) => each.reference);
    expect(references.slice(0, 3)).toContain(reference);
  });

  it("three sections of a page are shown, so that the best one hides not the one that answers", async () => {
    await untilFound("settings", "page", "docs/reference/settings.md");
    const { body } = await search("webhook delivery signature retries replay", { kind: "page", limit: "50" });
    const shown: { key: string; reference: string }[] = body.data;
    const ofGuide = shown.filter(({ key }) => key === "docs/guides/webhooks.md");
    expect(new Set(ofGuide.map(({ reference }) => reference)).size).toBe(3);
    for (const { key } of shown)
      expect(shown.filter((other) => other.key === key).length).toBeLessThanOrEqual(3);
  });

  it("the phrases in which people ask are found, and never shown", async () => {
    const { body } = await search("CopilotKit or LibreChat", { kind: "page" });
    expect(body.data[0].reference).toBe("docs/guides/assistant-use.md#other-clients");
    expect(body.data[0].excerpt).not.toMatch(/copilotkit|librechat/i);
  });

  it("those that have more of the words come first, of whatever kind", async () => {
    const both = await createSkill("Quillwort", "Moor the zephyrline at the quillwort berth.");
    const one = await createSkill("Sedge", "The zephyrline leaves.");
    await untilFound("zephyrline", "skill", one);
    await untilFound("zephyrline", "skill", both);
    expect(keysOf(await search("quillwort zephyrline"))).toEqual([both, one]);
    expect(keysOf(await search("QUILL", { kind: "entity,skill" }))).toEqual([both]);
  });

  it("changed records are found again, and deleted ones are not", async () => {
    const id = await createSkill("Gannet", "The gannetword is said once.");
    await untilFound("gannetword", "skill", id);
    await fixture.server.assistant({
      method: "PATCH",
      path: `/skills/${id}`,
      body: { content: "A puffinword." },
    });
    await untilFound("puffinword", "skill", id);
    expect(keysOf(await search("gannetword"))).toEqual([]);
    await fixture.server.assistant({ method: "DELETE", path: `/skills/${id}` });
    await untilGone("puffinword", "skill", id);
    await fixture.write("reef.yaml", reef);
    const { body } = await fixture.register("reef.yaml");
    await untilFound("coralline", "entity", "component:default/reef");
    await fixture.catalog({ method: "DELETE", path: `/locations/${body.location.id}` });
    await untilGone("coralline", "entity", "component:default/reef");
  });

  it("an unchanged record costs nothing: no row is written again", async () => {
    const { db } = fixture.server.db.database;
    const rows = async () =>
      (await sql`select id, xmin::text from assistant_documents order by id`.execute(db)).rows;
    const before = await rows();
    await sql`update assistant_skills set updated_at = now()`.execute(db);
    await sql`update assistant_index_sources set compared_at = '2020-01-01'`.execute(db);
    const compared = () =>
      sql<{ n: number }>`select count(*) as n from assistant_index_sources
        where compared_at > '2021-01-01'`.execute(db);
    await expect.poll(async () => (await compared()).rows[0]?.n).toBe(4);
    const ofSkills = new Set(
      (
        await sql<{ id: number }>`select id from assistant_documents where kind = 'skill'`.execute(db)
      ).rows.map(({ id }) => id),
    );
    const others = (all: unknown[]) => all.filter((row) => !ofSkills.has((row as { id: number }).id));
    expect(others(await rows())).toEqual(others(before));
  });
});

const reef = `apiVersion: plinth.io/v1
kind: Component
metadata: { name: reef, title: Reef, description: A coralline reef }
spec: { type: workload }
`;

it.each([
  ["nothing", ""],
  ["operators", "a & | !b <-> (c):* 'd' \\ \"e\" -- ; drop table x"],
  ["only stop words", "the of and"],
  ["10,000 letters", "x".repeat(10_000)],
  ["5,000 words", "ab ".repeat(3_333)],
  ["half characters and other scripts", "\u202e 海港 ß ﷽ 🐚 %_"],
])("a question of %s makes no error", async (_what, q) => {
  const { status, text } = await search(q);
  expect([status, text.slice(0, 9)]).toEqual([200, '{"data":[']);
});

it.each([
  ["q=%00", "q"],
  [`q=${"x".repeat(10_001)}`, "q"],
  ["", "q"],
  ["q=a&kind=boat", "kind"],
  ["q=a&limit=0", "limit"],
  ["q=a&limit=51", "limit"],
])("%s is refused", async (query, field) => {
  const { status, body } = await fixture.server.assistant({ path: `/search?${query}` });
  expect([status, body.detail[0].loc.slice(0, 2)]).toEqual([422, ["query", field]]);
});

it("finds for a caller only what the caller may read", async () => {
  expect((await fixture.server.assistant({ path: "/search?q=fleet", as: null })).status).toBe(401);
  const find = async (roles: TestRole[]) => {
    const { database } = fixture.server.db;
    const vectorSearch = { search: async () => null, forget: () => undefined };
    const ctx = {
      actor: { ref: "user:default/eve", roles, provider: "test" },
      assistant: { database, vectorSearch },
    };
    const asked = { query: "fleet positions", kinds: [], limit: 5 };
    return (await searchKnowledge(ctx as unknown as AssistantContext, asked)).data.length;
  };
  expect([await find(["viewer"]), await find([])]).toEqual([5, 0]);
});

it("agents and MCP clients have it as a tool", async () => {
  await untilFound("fleet positions", "entity", "system:default/mobility.fleet-positions.0");
  const client = await connectMcp(`${fixture.server.url}/mcp`, "present");
  const input = { query: "fleet positions", kinds: ["entity"], limit: 3 };
  const { value, isError } = await client.call("search_knowledge", input);
  await client.close();
  expect([isError, value.mode, value.found.length]).toEqual([false, "lexical", 3]);
});

describe("by meaning", () => {
  it("finds what has none of the words once an embedder is set", async () => {
    model.embedding.synonyms = { lighthouse: "beacon", pharos: "beacon" };
    const id = await createSkill("Beacon", "beacon beacon beacon");
    await untilFound("beacon", "skill", id);
    expect(keysOf(await search("lighthouse", { kind: "skill" }))).toEqual([]);
    expect((await setEmbedder(model.url)).headers.get("x-model-probe")).toBe("ok");
    await untilIndexed();
    const { body } = await untilFused("lighthouse", { kind: "skill" });
    expect(body.data[0].key).toBe(id);
    expect(body.meta.index).toMatchObject({ has_embedder: true, last_error: null });
  });

  it("the agreement of its vectors with the words is measured, kept with the index, and shown", async () => {
    const { body } = await until(
      () => fixture.server.assistant({ path: "/embedder/config" }),
      ({ body: shown }) => shown.agreement !== null,
    );
    // The scripted embedder counts words, so everyday words around a title mislead it.
    expect(body.agreement).toBeGreaterThan(0);
    expect(body.agreement).toBeLessThan(0.6);
    const questions = model.embedding.inputs.filter((text) =>
      /^(?:how do I go|can you tell|hello,)/.test(text),
    );
    expect(questions.length).toBeGreaterThan(10);
    expect(questions.length).toBeLessThanOrEqual(40);
  });

  it("embeds only what is new, and finds that too", async () => {
    const before = model.embedding.inputs.length;
    const id = await createSkill("Pharos", "pharos");
    await untilFits(
      () => search("lighthouse", { kind: "skill" }),
      (answer) => keysOf(answer).includes(id),
    );
    const sent = model.embedding.inputs.slice(before);
    expect(sent.filter((text) => text !== "lighthouse")).toEqual(["Pharos\n\npharos"]);
  });

  it("a document that the embedder refuses keeps no other one waiting", async () => {
    model.embedding.refuses = /poisonword/;
    const bad = await createSkill("Bad", "poisonword pharos");
    const good = await createSkill("Good", "pharos light");
    await untilFits(
      () => search("lighthouse", { kind: "skill" }),
      (answer) => keysOf(answer).includes(good),
    );
    const { body } = await untilIndexed();
    expect(body.meta.index.last_error).toBeNull();
    await untilFound("poisonword pharos", "skill", bad);
    await untilFused("lighthouse");
    model.embedding.refuses = undefined;
  });

  it("the words alone decide while the embedder fails, and the state says why", async () => {
    model.embedding.status = 500;
    const id = await createSkill("Cormorant", "cormorantword");
    const { body } = await untilFits(
      () => search("cormorantword", { kind: "skill" }),
      (answer) => keysOf(answer).includes(id) && answer.body.meta.index.last_error !== null,
    );
    expect(body.meta.mode).toBe("lexical");
    expect(body.meta.index).toMatchObject({
      has_embedder: true,
      waiting_for_vectors: 1,
      last_error: "The model answered with status 500. It said: Scripted 500.",
      retry_at: expect.stringMatching(/Z$/),
    });
    model.embedding.status = undefined;
    // Another configuration is tried at once.
    await setEmbedder(model.url);
    expect((await untilIndexed()).body.meta.index.last_error).toBeNull();
    await untilFits(
      () => search("pharos cormorantword"),
      ({ body: found }) => found.meta.mode === "fused",
    );
  });

  it("a slow embedder is not waited for, and a broken one is reported", async () => {
    await untilFused("pharos cormorantword");
    model.embedding.delayMs = 4_000;
    expect((await search("never asked before")).body.meta.mode).toBe("lexical");
    model.embedding.delayMs = undefined;
    // As an older release has stored it: it is refused now.
    await sql`update assistant_models set provider = 'anthropic', version = gen_random_uuid()
      where kind = 'embedder'`.execute(fixture.server.db.database.db);
    const { body } = await untilFits(
      () => search("beacon"),
      (answer) => answer.body.meta.index.last_error !== null,
    );
    expect([body.meta.mode, body.meta.index.last_error]).toEqual([
      "lexical",
      "Anthropic offers no embeddings.",
    ]);
    await setEmbedder("", "");
    const without = await untilFits(
      () => search("beacon"),
      (answer) => !answer.body.meta.index.has_embedder,
    );
    expect(without.body.meta.index).toMatchObject({ waiting_for_vectors: 0, last_error: null });
  });
});

it("ranks given tools for a question; those that nobody knows come last in their order", async () => {
  const policy = {
    allowedSchemes: ["http"],
    blockedHosts: [],
    allowPrivateNetworks: true,
    maxResponseBytes: 1_000_000,
    timeoutMs: 5_000,
  };
  const outbound = createOutbound(policy, silentLogger);
  const { database } = fixture.server.db;
  const vectorSearch = createVectorSearch({
    database,
    outbound,
    secrets: createSecretBox(Buffer.alloc(32, 1)),
    settings: { baseUrl: "", runs: fixture.config.assistant, providers: [] },
    log: silentLogger,
    now: () => new Date(),
  });
  const keys = [
    "new:b",
    "new:a",
    "platform:get_plan_logs",
    "platform:request_access",
    "platform:search_templates",
  ];
  const rank = (query: string, limit = 10) =>
    rankKeys({ database, vectorSearch }, { kind: "tool", query, keys, limit });
  expect(await rank("access to data", 1)).toEqual(["platform:request_access"]);
  expect((await rank("find templates"))[0]).toBe("platform:search_templates");
  const all = await rank("read the logs of a plan");
  expect([all[0], all.length, all.indexOf("new:b") < all.indexOf("new:a")]).toEqual([
    "platform:get_plan_logs",
    5,
    true,
  ]);
  expect(await rank("xyzzy")).toEqual(keys);
  await outbound.close();
});
