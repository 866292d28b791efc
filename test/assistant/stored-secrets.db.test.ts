/**
 * Secrets that users have stored: each goes only where it was given for, nobody but who may edit it sees it, and it is
 * stored sealed. A stored secret that can't be opened is never taken for none.
 */
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { sealStoredAgents } from "../../src/assistant/agents/external/sealed-agent.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { createSecretBox } from "../../src/platform/lib/secrets/secret-box.ts";
import { dumpDatabase, expectNone } from "../support/canaries.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import {
  startWholeServer,
  testSecretKey,
  type Answer,
  type TestRole,
  type WholeServer,
} from "../support/server.ts";
import { expectRefusal } from "./refusals.ts";

let server: WholeServer;
/** Where secrets were given for, and where they must not go. */
let home: Recorder;
let elsewhere: Recorder;
beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
  home = await startRecorder();
  elsewhere = await startRecorder();
  for (const { answers } of [home, elsewhere])
    for (const path of ["/v1/embeddings", "/v2/embeddings", "/embeddings"])
      answers.set(path, { status: 200, body: { data: [{ embedding: [1] }] } });
});
afterAll(async () => {
  await server.close();
  await Promise.all([home.close(), elsewhere.close()]);
});

const canary = "CaNaRy-stored-secret-5b1d";
const mask = "********";
const send = (method: string, path: string, body?: unknown, as: TestRole = "operator"): Promise<Answer> =>
  server.assistant({ method, path, as, ...(body === undefined ? {} : { body }) });
const again = (answer: Answer, ...loc: string[]): void => {
  expectRefusal(answer, { status: 422, type: "value_error", loc: ["body", ...loc] });
  expect(answer.body.detail[0].msg).toContain("given again");
  expect(answer.text).not.toContain(canary);
};

describe.each(["/llm/config", "/embedder/config"])("%s", (path) => {
  const stored = () => ({
    provider: "vllm",
    endpoint: `${home.url}/v1`,
    api_key: canary,
    deployment: "d",
    api_version: null,
    model: "m",
    custom_header: `X-Team: sea\nX-Api-Token: ${canary}`,
  });
  const unchanged = () => ({ ...stored(), api_key: mask, custom_header: "X-Team: sea" });
  beforeEach(async () => {
    expect((await send("POST", path, stored())).status).toBe(200);
    home.calls.length = 0;
  });

  it.each<[string, () => object]>([
    ["another endpoint", () => ({ endpoint: elsewhere.url })],
    ["another path", () => ({ endpoint: `${home.url}/v2` })],
    ["no endpoint", () => ({ endpoint: null })],
    ["another provider", () => ({ provider: "openai" })],
    ["no provider", () => ({ provider: null })],
    ["another deployment", () => ({ deployment: "e" })],
    ["no deployment", () => ({ deployment: null })],
  ])("with %s wants key and headers again, and asks nobody", async (_what, more) => {
    const headers = { custom_header: `X-Api-Token: ${mask}` };
    for (const api_key of [mask, null, undefined])
      again(await send("POST", path, { ...unchanged(), ...more(), api_key }), "api_key");
    again(
      await send("POST", path, { ...unchanged(), ...headers, ...more(), api_key: "new" }),
      "custom_header",
    );
    const both = await send("POST", path, { ...unchanged(), ...headers, ...more() });
    expect(both.body.detail.map(({ loc }: any) => loc[1])).toEqual(["api_key", "custom_header"]);
    expect([elsewhere.calls, home.calls]).toEqual([[], []]);
    expect((await send("GET", path)).body).toMatchObject({ endpoint: `${home.url}/v1`, api_key: mask });
  });

  it("that stays the same keeps them, in whatever spelling", async () => {
    const same = { provider: "ollama", endpoint: `${home.url.replace("http", "HTTP")}/v1/` };
    for (const more of [{}, { ...same, model: "n" }, { api_version: "v1", api_key: null }]) {
      const headers = { custom_header: `X-Api-Token: ${mask}` };
      expect((await send("POST", path, { ...unchanged(), ...headers, ...more })).status).toBe(200);
      expect(home.calls.at(-1)?.headers).toMatchObject({
        authorization: `Bearer ${canary}`,
        "x-api-token": canary,
      });
    }
  });

  it("moves with a key of its own, or without any", async () => {
    const moved = { ...unchanged(), endpoint: elsewhere.url };
    expect((await send("POST", path, { ...moved, api_key: "another-key" })).status).toBe(200);
    expect(elsewhere.calls.at(-1)?.headers).toMatchObject({ authorization: "Bearer another-key" });
    expect((await send("POST", path, { ...unchanged(), api_key: "" })).body.api_key).toBe("");
    expect(home.calls.at(-1)?.headers["authorization"]).toBeUndefined();
    elsewhere.calls.length = 0;
  });

  it("whose key can't be opened is told so, and never called without it", async () => {
    const { db } = server.db.database;
    const kind = path.slice(1).split("/")[0];
    await sql`update assistant_models set sealed_api_key = ${Buffer.alloc(60, 1)} where kind = ${kind}`.execute(
      db,
    );
    const answer = await send("POST", path, unchanged());
    expectRefusal(answer, { status: 503, type: "ASSISTANT_SECRET_UNREADABLE" });
    expect((await send("GET", path)).body.api_key).toBe(mask);
    if (kind === "llm") {
      const task = await send("POST", "/task/sync", { message: "Ahoy" }, "developer");
      expectRefusal(task, { status: 503, type: "ASSISTANT_SECRET_UNREADABLE" });
    }
    expect(home.calls).toEqual([]);
    expect((await send("POST", path, stored())).status).toBe(200);
  });
});

describe("external agents", () => {
  const payload = {
    protocol: "http",
    model: "navigator",
    headers: { Authorization: `Bearer ${canary}`, Accept: "text/plain" },
    options: { passwd: canary, max_tokens: 5 },
  };
  const good = () => ({
    name: "harbour",
    description: "Knows berths",
    endpoint: `${home.url}/ask?code=${canary}&v=2`,
    payload,
  });
  const shown = () => ({ endpoint: `${home.url}/ask?code=${mask}&v=${mask}` });
  const shownPayload = {
    protocol: "http",
    model: mask,
    headers: { Authorization: mask, Accept: mask },
    options: { passwd: mask, max_tokens: 5 },
  };
  let path: string;
  beforeEach(async () => {
    const made = await send("POST", "/agent-catalog", good());
    expect(made.status, made.text).toBe(201);
    path = `/agent-catalog/${made.body.id}`;
    return async () => void (await send("DELETE", path));
  });

  it("are shown whole to who may edit them, masked to all others", async () => {
    for (const as of ["operator", "admin", "service"] as const) {
      expect((await send("GET", path, undefined, as)).body).toMatchObject(good());
      expect((await send("GET", "/agent-catalog", undefined, as)).body.data[0]).toMatchObject(good());
    }
    for (const as of ["viewer", "developer"] as const) {
      const one = await send("GET", path, undefined, as);
      const list = await send("GET", "/agent-catalog?search=harbour", undefined, as);
      expect(one.body).toEqual({ ...one.body, ...shown(), payload: shownPayload });
      expect(list.body.data).toEqual([one.body]);
      expectNone(one.text + list.text, [canary]);
    }
  });

  it("are nowhere in clear: in rows, in the audit, in exports", async () => {
    await send("PATCH", path, { endpoint: `${home.url}/ask?code=${canary}2`, payload: { token: canary } });
    expectNone(await dumpDatabase(server.db.database), [canary]);
    const { rows } = await sql<{
      detail: any;
    }>`select detail from audit where subject = ${path.replace("/agent-catalog/", "external-agent:")}
      order by id`.execute(server.db.database.db);
    expect(rows.map(({ detail }) => detail.endpoint)).toEqual([
      `${home.url}/ask?code=${mask}&v=${mask}`,
      `${home.url}/ask?code=${mask}`,
    ]);
    for (const as of ["viewer", "admin"] as const) {
      const response = await fetch(`${server.url}/api/assistant/v2/export`, {
        headers: { authorization: `Bearer ${server.token(as)}` },
      });
      const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString("latin1");
      expect(text).toContain(`/ask?code=${mask}`);
      expectNone(text, [canary]);
    }
  });

  it("take masks for what is stored, at the same address", async () => {
    const viewed = (await send("GET", path, undefined, "viewer")).body;
    const { endpoint, payload: masked } = viewed;
    expect((await send("PATCH", path, { endpoint, payload: masked })).body).toMatchObject(good());
    const changed = {
      endpoint: `${home.url}/ask?code=${mask}&v=3`,
      payload: { headers: { Authorization: mask }, x: "y" },
    };
    expect((await send("PATCH", path, changed)).body).toMatchObject({
      endpoint: `${home.url}/ask?code=${canary}&v=3`,
      payload: { headers: { Authorization: `Bearer ${canary}` }, x: "y" },
    });
    expectRefusal(await send("PATCH", path, { payload: { headers: { "X-New": mask } } }), {
      status: 422,
      type: "value_error",
      loc: ["body", "payload", "headers", "X-New"],
    });
    expectRefusal(await send("POST", "/agent-catalog", { ...good(), endpoint: shown().endpoint }), {
      status: 422,
      type: "value_error",
      loc: ["body", "endpoint"],
    });
  });

  it("want them again for another address", async () => {
    for (const endpoint of [elsewhere.url, `${home.url}/other`, `${elsewhere.url}/ask?code=new`]) {
      const refused = await send("PATCH", path, { endpoint });
      again(refused, "payload", "headers", "Authorization");
      expect(refused.body.detail.map(({ loc }: any) => loc.slice(2).join("."))).toEqual([
        "headers.Authorization",
        "headers.Accept",
        "options.passwd",
      ]);
      again(await send("PATCH", path, { endpoint, payload: shownPayload }), "payload", "model");
    }
    const masked = { endpoint: `${elsewhere.url}/ask?code=${mask}`, payload: {} };
    again(await send("PATCH", path, masked), "endpoint");
    expect((await send("GET", path)).body).toMatchObject(good());
    const anew = {
      endpoint: `${elsewhere.url}/ask?code=other`,
      payload: { headers: { Authorization: "other" } },
    };
    expect((await send("PATCH", path, anew)).body).toMatchObject(anew);
  });

  it("that can't be opened are found, corrected and deleted, and not asked", async () => {
    const { db } = server.db.database;
    const id = path.split("/").at(-1);
    await sql`update external_agents set sealed = ${Buffer.alloc(60, 1)} where id = ${id}`.execute(db);
    expect((await send("GET", path)).body).toMatchObject(shown());
    for (const change of [
      { payload: { a: "b" } },
      { endpoint: elsewhere.url },
      { endpoint: home.url, payload: shownPayload },
    ])
      expectRefusal(await send("PATCH", path, change), { status: 503, type: "ASSISTANT_SECRET_UNREADABLE" });
    expect((await send("PATCH", path, { active: false })).status).toBe(200);
    expect((await send("PATCH", path, { endpoint: good().endpoint, payload })).body).toMatchObject(good());
  });

  it("of an older program are sealed at the next start, in the audit too, and once", async () => {
    const { database } = server.db;
    const { db } = database;
    const id = path.split("/").at(-1) ?? "";
    const { endpoint } = good();
    // As it wrote them, also over a row that was sealed.
    await sql`update external_agents set endpoint = ${endpoint}, payload = ${JSON.stringify(payload)}::json where id = ${id}`.execute(
      db,
    );
    await sql`insert into audit (actor, operation, subject, request_id, detail)
      values ('a', 'patchAgent', ${`external-agent:${id}`}, 'r', ${JSON.stringify({ endpoint })}::jsonb)`.execute(
      db,
    );
    expect((await send("GET", path, undefined, "viewer")).text).not.toContain(canary);
    expect((await send("GET", path)).body).toMatchObject(good());
    const secrets = createSecretBox(Buffer.from(testSecretKey, "base64"));
    await Promise.all([1, 2].map(() => sealStoredAgents({ database, secrets, log: silentLogger })));
    expectNone(await dumpDatabase(database), [canary]);
    const row = async () => (await sql`select * from external_agents where id = ${id}`.execute(db)).rows;
    const before = await row();
    await sealStoredAgents({ database, secrets, log: silentLogger });
    expect(await row()).toEqual(before);
    expect((await send("GET", path)).body).toMatchObject(good());
  });
});

describe("keys of the configuration", () => {
  const value = {
    theme: "dark",
    limits: { max_tokens: 5 },
    smtp: { user: "me", password: canary, url: `https://me:${canary}@mail.test/` },
    signature: [canary, { algorithm: canary }],
  };
  const masked = {
    theme: "dark",
    limits: { max_tokens: 5 },
    smtp: { user: "me", password: mask, url: mask },
    signature: [mask, { algorithm: mask }],
  };

  it("have their secrets masked for all but who may set them", async () => {
    expect((await send("PUT", "/config/ui", { value })).body).toEqual({ key: "ui", value });
    expect((await send("GET", "/config/ui")).body.value).toEqual(value);
    const seen = await send("GET", "/config/ui", undefined, "viewer");
    expect(seen.body).toEqual({ key: "ui", value: masked });
    await send("PUT", "/config/slack_token", { value: [canary, 7] });
    expect((await send("GET", "/config/slack_token", undefined, "developer")).body.value).toEqual([
      mask,
      mask,
    ]);
    const { rows } = await sql<{ text: string }>`select a::text as text from audit a`.execute(
      server.db.database.db,
    );
    expectNone(rows.map(({ text }) => text).join(), [canary]);
  });

  it("take masks for what is stored", async () => {
    await send("PUT", "/config/ui", { value });
    expect((await send("PUT", "/config/ui", { value: { ...masked, theme: "light" } })).body.value).toEqual({
      ...value,
      theme: "light",
    });
    expectRefusal(await send("PUT", "/config/ui", { value: { smtp: { pin: mask } } }), {
      status: 422,
      type: "value_error",
      loc: ["body", "value", "smtp", "pin"],
    });
  });
});

it("a refusal echoes no secret, whatever it is called", async () => {
  const body = {
    name: 1,
    passwd: canary,
    signature: canary,
    deep: [{ clientSecret: canary, "x-api-key": canary }],
  };
  for (const path of ["/agent-catalog", "/skills", "/llm/config"]) {
    const { status, text } = await send("POST", path, [body]);
    expect(status).toBe(422);
    expectNone(text, [canary]);
  }
});
