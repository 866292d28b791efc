/** Tools, keys of the configuration, models and external agents over HTTP. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { readModel } from "../../src/assistant/models/read-model.ts";
import { createSecretBox } from "../../src/platform/lib/secrets/secret-box.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import {
  startWholeServer,
  testSecretKey,
  type Answer,
  type Call,
  type WholeServer,
} from "../support/server.ts";
import { badIds, badPages, expectRefusal, unknownId, testRefusals } from "./refusals.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
});
afterAll(() => server.close());

const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
  server.assistant({ method, path, as: "operator", ...(body === undefined ? {} : { body }) });
const id = expect.stringMatching(/^[0-9a-f-]{36}$/);

describe("tools", () => {
  const insert = async (name: string, state: string, fingerprint = "f1"): Promise<void> => {
    await sql`insert into mcp_tools (server, name, description, fingerprint, approved_fingerprint, state, seen_at)
      values ('yard', ${name}, ${`Does ${name}`}, ${fingerprint}, 'f0', ${state}, now())`.execute(
      server.db.database.db,
    );
  };
  const shown = (name: string): object => ({
    id: `yard:${name}`,
    name,
    description: `Does ${name}`,
    server: "yard",
  });
  beforeEach(async () => {
    await sql`delete from mcp_tools`.execute(server.db.database.db);
    await insert("knot", "approved");
    await insert("splice", "approved");
    await insert("haul", "changed");
    await insert("row", "gone");
  });

  it("are listed once approved", async () => {
    expect((await server.assistant({ path: "/mcp-tools", as: "viewer" })).body).toEqual({
      data: [shown("knot"), shown("splice")],
      meta: { pagination: { total: 2, limit: 25, offset: 0 } },
    });
    const list = async (query: string): Promise<unknown> =>
      (await server.assistant({ path: `/mcp-tools?${query}` })).body.data;
    expect(await list("server=yard&server=other&search=KNO")).toEqual([shown("knot")]);
    expect(await list("server=other")).toEqual([]);
    expect(await list("limit=1&offset=1")).toEqual([shown("splice")]);
  });

  it("are looked up by up to 1,000 ids, in their order", async () => {
    const lookUp = (ids: unknown): Promise<Answer> =>
      server.assistant({ method: "POST", path: "/mcp-tools/lookup", body: { ids }, as: "viewer" });
    const filler = Array.from({ length: 997 }, (_, n) => `none:${n}`);
    const found = await lookUp(["yard:splice", "yard:haul", ...filler, "yard:knot"]);
    expect(found.status).toBe(200);
    expect(found.body).toEqual([shown("splice"), shown("knot")]);
    expect((await lookUp([])).body).toEqual([]);
    expectRefusal(await lookUp([...filler, "a", "b", "c", "d"]), {
      status: 422,
      type: "too_long",
      loc: ["body", "ids"],
    });
    expectRefusal(await lookUp("yard:knot"), { status: 422, type: "list_type", loc: ["body", "ids"] });
    expectRefusal(await lookUp([1]), { status: 422, type: "string_type", loc: ["body", "ids", "0"] });
  });

  it("that changed are shown and approved as they were looked at", async () => {
    const { body } = await server.assistant({ path: "/mcp-tools/changed" });
    expect(body).toEqual({
      data: [
        {
          ...shown("haul"),
          input_schema: {},
          annotations: {},
          fingerprint: "f1",
          is_new: false,
          seen_at: expect.stringMatching(/Z$/),
        },
      ],
      meta: { pagination: { total: 1, limit: 25, offset: 0 } },
    });
    const approve = (tool: object): Promise<Answer> => send("POST", "/mcp-tools/approve", { tools: [tool] });
    const stale = await approve({ id: "yard:haul", fingerprint: "f0" });
    expectRefusal(stale, { status: 409, type: "ASSISTANT_TOOL_CHANGED" });
    const loc = ["body", "tools", "0", "id"];
    for (const at of ["yard:row", "yard:none"])
      expectRefusal(await approve({ id: at, fingerprint: "f1" }), { status: 422, type: "value_error", loc });
    expect((await approve({ id: "yard:haul", fingerprint: "f1" })).body).toEqual([shown("haul")]);
    const { rows } = await sql`select state, approved_fingerprint from mcp_tools where name = 'haul'`.execute(
      server.db.database.db,
    );
    expect(rows).toEqual([{ state: "approved", approved_fingerprint: "f1" }]);
    const program = await server.assistant({
      method: "POST",
      path: "/mcp-tools/approve",
      body: {},
      as: "service",
    });
    expectRefusal(program, { status: 403, type: "PLATFORM_FORBIDDEN" });
  });

  describe("lists refuse", () => {
    testRefusals(() => server, badPages("/mcp-tools"));
  });
});

describe("keys of the configuration", () => {
  it.each([
    ["a text", "a"],
    ["an empty text", ""],
    ["a number", -0.5],
    ["true", true],
    ["null", null],
    ["a list", [1, [null], {}]],
    ["an object", { a: { b: [] }, "": 0 }],
  ])("hold %s", async (_what, value) => {
    expect((await send("PUT", "/config/ui.theme", { value })).body).toEqual({ key: "ui.theme", value });
    expect((await server.assistant({ path: "/config/ui.theme", as: "viewer" })).body).toEqual({
      key: "ui.theme",
      value,
    });
  });

  const put = (body: unknown, key = "k"): Call => ({ method: "PUT", path: `/config/${key}`, body });
  testRefusals(
    () => server,
    [
      ["no value", put({}), 422, "missing", ["body", "value"]],
      ["a body that is a list", put([]), 422, "model_attributes_type", ["body"]],
      ["an endless number", put('{"value": [1e400]}'), 422, "value_error", ["body", "value"]],
      ["a long value", put({ value: "x".repeat(262_144) }), 422, "value_error", ["body", "value"]],
      ["a long key", put({ value: 1 }, "k".repeat(256)), 422, "string_too_long", ["path", "key"]],
      ["a key that was never set", { path: "/config/none" }, 404, "ASSISTANT_UNKNOWN_CONFIG_KEY"],
      ["a developer", { ...put({ value: 1 }), as: "developer" }, 403, "PLATFORM_FORBIDDEN"],
    ],
  );
});

describe("models", () => {
  let model: Recorder;
  beforeAll(async () => {
    model = await startRecorder();
  });
  afterAll(() => model.close());
  const canary = "sk-canary-7a61";
  const save = (body: object, path = "/llm/config"): Promise<Answer> => send("POST", path, body);
  const empty = {
    provider: "",
    endpoint: "",
    api_key: "",
    deployment: "",
    api_version: "",
    model: "",
    custom_header: "",
  };

  it("nothing is configured at first", async () => {
    expect((await server.assistant({ path: "/embedder/config" })).body).toEqual({
      ...empty,
      probe: null,
      agreement: null,
    });
  });

  it("a configuration is saved, masked, probed and read with its secrets", async () => {
    const given = {
      provider: "vllm",
      endpoint: `${model.url}/v1/`,
      api_key: canary,
      deployment: null,
      api_version: null,
      model: "llama",
      custom_header: `X-Team: sea\nX-Api-Token: ${canary}`,
    };
    const saved = await save(given);
    expect(saved.status, saved.text).toBe(200);
    const shown = {
      provider: "vllm",
      endpoint: `${model.url}/v1/`,
      api_key: "********",
      deployment: "",
      api_version: "",
      model: "llama",
      custom_header: "X-Team: sea\nX-Api-Token: ********",
    };
    expect(saved.body).toEqual(shown);
    expect(saved.headers.get("x-model-probe")).toBe("ok");
    const [probe] = model.calls;
    expect(probe).toMatchObject({
      method: "POST",
      path: "/v1/chat/completions",
      headers: { authorization: `Bearer ${canary}`, "x-team": "sea", "x-api-token": canary },
      body: { model: "llama", max_tokens: 1 },
    });
    const read = await server.assistant({ path: "/llm/config", as: "viewer" });
    expect(read.body).toEqual({
      ...shown,
      probe: {
        outcome: "ok",
        reason: "",
        message: expect.stringContaining("answered"),
        checked_at: expect.any(String),
      },
    });
    const secrets = createSecretBox(Buffer.from(testSecretKey, "base64"));
    const deps = { database: server.db.database, secrets };
    const wanted = {
      provider: "openai-compatible",
      endpoint: `${model.url}/v1/`,
      apiKey: canary,
      deployment: "",
      apiVersion: "",
      model: "llama",
      customHeaders: [
        ["X-Team", "sea"],
        ["X-Api-Token", canary],
      ],
    };
    expect(await readModel(deps, "llm")).toEqual(wanted);
    expect(await readModel(deps, "embedder")).toBeNull();
    // Sent back as it was shown, or with null, it keeps what is stored.
    expect((await save({ ...shown, model: "llama-2" })).body).toEqual({ ...shown, model: "llama-2" });
    expect(await readModel(deps, "llm")).toEqual({ ...wanted, model: "llama-2" });
    await save({ ...shown, api_key: null });
    expect(await readModel(deps, "llm")).toEqual(wanted);
    expect((await save({ ...shown, api_key: "" })).body.api_key).toBe("");
    expect(await readModel(deps, "llm")).toEqual({ ...wanted, apiKey: "" });
  });

  it("an embedder that answers without a vector is refused, one that can't be reached is not", async () => {
    const given = { provider: "openai-compatible", endpoint: model.url, model: "chat-only" };
    const before = (await server.assistant({ path: "/embedder/config" })).body;
    for (const [status, body] of [
      [200, {}],
      [200, { data: [{ embedding: [] }] }],
      [200, { data: [{ embedding: "AAAA" }] }],
      [404, { error: "no such thing" }],
      [400, { error: "this model does not support embeddings" }],
    ] as const) {
      model.answers.set("/embeddings", { status, body });
      const answer = await save(given, "/embedder/config");
      expectRefusal(answer, { status: 422, type: "value_error", loc: ["body", "model"] });
      expect(answer.body.detail[0]).toMatchObject({
        input: "chat-only",
        msg: expect.stringContaining("vector"),
      });
    }
    expectRefusal(await save({ provider: "anthropic", model: "m" }, "/embedder/config"), {
      status: 422,
      type: "value_error",
      loc: ["body", "model"],
    });
    expect((await server.assistant({ path: "/embedder/config" })).body).toEqual(before);
    for (const status of [401, 429, 500]) {
      model.answers.set("/embeddings", { status, body: {} });
      expect((await save(given, "/embedder/config")).status).toBe(200);
    }
    const away = await save({ ...given, endpoint: "http://127.0.0.1:9" }, "/embedder/config");
    expect([away.status, away.headers.get("x-model-probe")]).toEqual([200, "failed unreachable"]);
    model.answers.set("/embeddings", { status: 200, body: { data: [{ embedding: [0.5, 1] }] } });
    const sound = await save(given, "/embedder/config");
    expect([sound.status, sound.headers.get("x-model-probe")]).toEqual([200, "ok"]);
  });

  it.each([
    ["an embedder", "/embedder/config", "/embeddings"],
    ["a model", "/llm/config", "/chat/completions"],
  ])("%s that is given by its full address is probed there, as runs ask it", async (_, path, operation) => {
    model.answers.set(operation, { status: 200, body: { data: [{ embedding: [0.5, 1] }] } });
    model.answers.set(`${operation}${operation}`, { status: 404, body: {} });
    const given = { provider: "openai-compatible", endpoint: `${model.url}${operation}`, model: "m" };
    const { status, headers } = await save(given, path);
    expect([status, headers.get("x-model-probe")]).toEqual([200, "ok"]);
  });

  it("a model that only a deployment names is probed by that name, as runs ask it", async () => {
    model.calls.length = 0;
    await save({
      provider: "openai",
      endpoint: model.url,
      deployment: "d",
      custom_header: "Authorization: Own x",
    });
    expect(model.calls[0]).toMatchObject({ headers: { authorization: "Own x" }, body: { model: "d" } });
  });

  it("secrets are in no table and no audit as they are", async () => {
    model.answers.set("/embeddings", { status: 200, body: { data: [{ embedding: [1] }] } });
    await save({ provider: "openai", endpoint: model.url, api_key: canary, model: "m" }, "/embedder/config");
    const { rows } = await sql<{ text: string }>`select row_to_json(m)::text as text from assistant_models m
      union all select row_to_json(a)::text from audit a`.execute(server.db.database.db);
    expect(rows.length).toBeGreaterThan(1);
    const hex = Buffer.from(canary).toString("hex");
    expect(rows.filter(({ text }) => text.includes(canary) || text.includes(hex))).toEqual([]);
  });

  it("what the probe finds does not stop the save", async () => {
    const away = await save({
      provider: "openai",
      endpoint: "http://127.0.0.1:9/v1",
      model: "m",
      api_key: canary,
    });
    expect(away.status).toBe(200);
    expect(away.headers.get("x-model-probe")).toBe("failed unreachable");
    const partial = await save({ provider: "azure", model: "m", api_key: "" });
    expect(partial.headers.get("x-model-probe")).toBe("skipped incomplete");
    const nothing = await save({});
    expect({ status: nothing.status, probe: nothing.headers.get("x-model-probe") }).toEqual({
      status: 200,
      probe: "skipped incomplete",
    });
    expect((await server.assistant({ path: "/llm/config" })).text).not.toContain(canary);
  });

  it("a refusal never tells a secret back", async () => {
    for (const body of [
      { api_key: [canary] },
      { api_key: { [canary]: canary } },
      { custom_header: { authorization: canary } },
      { custom_header: `Bad Name: ${canary}` },
      { endpoint: `http://user:${canary}@127.0.0.1/` },
      { endpoint: `ftp://127.0.0.1/${canary}` },
      JSON.stringify(JSON.stringify({ api_key: canary })),
      [{ api_key: canary }],
    ]) {
      const { status, text } = await save(body as object);
      expect(status, text).toBe(422);
      expect(text).not.toContain(canary);
    }
  });

  it("an unknown provider is refused with the list of known ones", async () => {
    const { body } = await save({ provider: "clippy" });
    expect(body.detail).toEqual([
      {
        loc: ["body", "provider"],
        msg: expect.any(String),
        type: "enum",
        input: "clippy",
        ctx: {
          expected:
            "openai, azure_openai, openai-compatible, anthropic, google, bedrock, azure, ollama, vllm, litellm",
        },
      },
    ]);
  });

  const post = (body: unknown): Call => ({ method: "POST", path: "/llm/config", body });
  const header = (what: string, text: string): [string, Call, number, string, string[]] => [
    what,
    post({ custom_header: text }),
    422,
    "value_error",
    ["body", "custom_header"],
  ];
  testRefusals(
    () => server,
    [
      ["a provider that is a number", post({ provider: 1 }), 422, "string_type", ["body", "provider"]],
      ["a key that is a number", post({ api_key: 1 }), 422, "string_type", ["body", "api_key"]],
      ["an endpoint that is none", post({ endpoint: "x" }), 422, "value_error", ["body", "endpoint"]],
      [
        "an endpoint with a query",
        post({ endpoint: "http://127.0.0.1/?a=b" }),
        422,
        "value_error",
        ["body", "endpoint"],
      ],
      [
        "the address of metadata",
        post({ endpoint: "http://169.254.169.254/" }),
        422,
        "value_error",
        ["body", "endpoint"],
      ],
      header("a header without a colon", "X"),
      header("a header of the connection", "Transfer-Encoding: chunked"),
      header("the host", '{"HOST": "a"}'),
      header("a line break in a value", '{"X": "a\\r\\nY: b"}'),
      header("a carriage return in a line", "X: a\rY: b"),
      header("a header that is no text", '{"X": 1}'),
      header("half an object", '{"X": '),
      header("a header twice", "X: 1\nx: 2"),
      header("a header outside Latin-1", "X: 船"),
      header("a mask without a stored value", "X-Never: ********"),
      ["a developer", { ...post({}), as: "developer" }, 403, "PLATFORM_FORBIDDEN"],
    ],
  );
});

describe("external agents", () => {
  const good = { name: "tide-tables", description: "Knows tides", endpoint: "http://127.0.0.1:9/a2a" };

  it("are registered, read, patched, listed and deleted", async () => {
    const made = await send("POST", "/agent-catalog", good);
    expect(made.status, made.text).toBe(201);
    expect(made.body).toEqual({
      id,
      name: "tide-tables",
      title: "Tide tables",
      description: "Knows tides",
      endpoint: "http://127.0.0.1:9/a2a",
      payload: {},
      need_authentication: true,
      active: true,
    });
    const path = `/agent-catalog/${made.body.id}`;
    expect((await server.assistant({ path, as: "viewer" })).body).toEqual(made.body);
    const nothing = {
      name: null,
      description: null,
      endpoint: null,
      payload: null,
      need_authentication: null,
      active: null,
    };
    expect((await send("PATCH", path, nothing)).body).toEqual(made.body);
    const change = {
      name: "moon",
      description: "",
      payload: { protocol: "a2a", deep: [1] },
      need_authentication: false,
      active: false,
    };
    expect((await send("PATCH", path, change)).body).toEqual({ ...made.body, ...change, title: "Moon" });
    const list = await server.assistant({ path: "/agent-catalog?active=false&search=MOO" });
    expect(list.body).toEqual({
      data: [{ ...made.body, ...change, title: "Moon" }],
      meta: { pagination: { total: 1, limit: 25, offset: 0 } },
    });
    expect((await server.assistant({ path: "/agent-catalog?active=true" })).body.data).toEqual([]);
    expect((await send("DELETE", path)).status).toBe(204);
    expectRefusal(await send("DELETE", path), { status: 404, type: "ASSISTANT_UNKNOWN_EXTERNAL_AGENT" });
  });

  const post = (body: unknown): Call => ({ method: "POST", path: "/agent-catalog", body });
  const but = (more: object): Call => post({ ...good, ...more });
  testRefusals(
    () => server,
    [
      ...badPages("/agent-catalog"),
      ["an empty object", post({}), 422, "missing", ["body", "name"]],
      ["no endpoint", but({ endpoint: undefined }), 422, "missing", ["body", "endpoint"]],
      [
        "a long description",
        but({ description: "x".repeat(1_025) }),
        422,
        "string_too_long",
        ["body", "description"],
      ],
      ["an endpoint that is none", but({ endpoint: "here" }), 422, "value_error", ["body", "endpoint"]],
      ["a payload that is a list", but({ payload: [] }), 422, "dict_type", ["body", "payload"]],
      [
        "an unknown protocol",
        but({ payload: { protocol: "x" } }),
        422,
        "value_error",
        ["body", "payload", "protocol"],
      ],
      [
        "a mark that is no truth",
        but({ payload: { destructive: "yes" } }),
        422,
        "value_error",
        ["body", "payload", "destructive"],
      ],
      ["a truth in words", but({ active: "yes" }), 422, "bool_parsing", ["body", "active"]],
      ["a developer", { ...post(good), as: "developer" }, 403, "PLATFORM_FORBIDDEN"],
      [
        "a title in a patch",
        { method: "PATCH", path: `/agent-catalog/${unknownId}`, body: { title: "x" } },
        422,
        "extra_forbidden",
        ["body", "title"],
      ],
    ],
  );
  describe.each<[string, (at: string) => Call]>([
    ["reading", (at) => ({ path: `/agent-catalog/${at}` })],
    ["patching", (at) => ({ method: "PATCH", path: `/agent-catalog/${at}`, body: {} })],
    ["deleting", (at) => ({ method: "DELETE", path: `/agent-catalog/${at}` })],
  ])("%s refuses", (_what, request) => {
    testRefusals(() => server, badIds("agent_id", request, "ASSISTANT_UNKNOWN_EXTERNAL_AGENT"));
  });
});
