/** Keys of the stored configuration that runs read: what they change in a run, what they may say, and all other keys. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sql } from "../../../src/platform/db/sql.ts";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import type { ChatRequest } from "../../support/scripted-model/script.ts";
import { startWholeServer, type Answer, type Call, type WholeServer } from "../../support/server.ts";
import { testPorts, testTools } from "./agents.ts";

let server: WholeServer;
let model: ScriptedModel;
const tools = testTools();

beforeAll(async () => {
  model = await startScriptedModel([]);
  server = await startWholeServer({
    replaced: { runs: testPorts(model.url), tools },
    configure(config) {
      config.assistant.titles = "message";
      config.assistant.budgets.steps = 6;
      config.assistant.approvals.rules = [
        { tool: "unit:slow", decision: "deny" },
        { tool: "unit:explain", decision: "ask" },
      ];
    },
  });
});
afterAll(async () => {
  await server.close();
  await model.close();
});
beforeEach(async () => {
  tools.calls.length = 0;
  model.requests.length = 0;
  await sql`delete from assistant_config`.execute(server.db.database.db);
});

const put = (key: string, value: unknown, as: Call["as"] = "operator"): Promise<Answer> =>
  server.assistant({ method: "PUT", path: `/config/${key}`, body: { value }, as });
const get = async (key: string, as: Call["as"] = "viewer"): Promise<unknown> =>
  (await server.assistant({ path: `/config/${key}`, as })).body;
const ask = async (message: string): Promise<any> =>
  (await server.assistant({ method: "POST", path: "/task/sync", body: { message } })).body;
const isClosing = ({ messages }: ChatRequest): boolean =>
  messages[0]?.content?.includes("A limit of this run was reached") === true;

function callForEver(): void {
  let n = 0;
  model.follow((request) =>
    isClosing(request)
      ? { text: "That is all." }
      : { calls: [{ name: "unit__look", arguments: { n: (n += 1) } }] },
  );
}
const turns = (): number => model.requests.filter(({ body }) => !isClosing(body)).length;

function callOnce(name: string): void {
  model.follow((request) =>
    request.messages.at(-1)?.role === "tool" ? { text: "Done." } : { calls: [{ name, arguments: { n: 1 } }] },
  );
}
const lastResult = (): string => model.requests.at(-1)?.body.messages.at(-1)?.content ?? "";

it("budgets count for the runs that begin afterwards, and null takes the settings again", async () => {
  callForEver();
  await ask("Go");
  expect(turns()).toBe(6);
  expect((await put("budgets", { steps: 2 })).body).toEqual({ key: "budgets", value: { steps: 2 } });
  expect(await get("budgets")).toEqual({ key: "budgets", value: { steps: 2 } });
  model.requests.length = 0;
  expect((await ask("Go")).message).toBe("That is all.");
  expect(turns()).toBe(2);
  await put("budgets", null);
  expect(await get("budgets")).toMatchObject({ value: { steps: 6, toolCalls: 40 } });
  model.requests.length = 0;
  await ask("Go");
  expect(turns()).toBe(6);
});

it("approvals make the decision on a tool stricter and never weaker", async () => {
  callOnce("unit__look");
  await ask("Look");
  expect(tools.calls).toHaveLength(1);
  await put("approvals", { rules: [{ tool: "unit:look", decision: "deny" }] });
  await ask("Look");
  expect([tools.calls.length, lastResult()]).toEqual([1, expect.stringContaining("policy does not allow")]);
  await put("approvals", { rules: [{ tool: "unit:look", decision: "ask" }] });
  expect((await ask("Look")).message).toContain("approval");
  expect(tools.calls).toHaveLength(1);
  // The settings refuse it, and ask for what is destructive.
  await put("approvals", { rules: [{ tool: "*", decision: "auto" }] });
  callOnce("unit__slow");
  await ask("Wait");
  expect(lastResult()).toContain("policy does not allow");
  callOnce("unit__remove");
  expect((await ask("Remove")).message).toContain("approval");
  await put("approvals", { destructive: "deny" });
  await ask("Remove");
  expect(lastResult()).toContain("policy does not allow");
  expect(tools.calls).toHaveLength(1);
});

it("approvals expire sooner, and never later than the settings say", async () => {
  const hoursLeft = async (): Promise<number> => {
    await ask("Remove");
    const { body } = await server.assistant({ path: "/approvals?limit=100" });
    const { since, expires_at: until } = body.data.at(-1);
    return (Date.parse(until) - Date.parse(since)) / 3_600_000;
  };
  callOnce("unit__remove");
  expect(await hoursLeft()).toBe(24);
  expect((await put("approvals", { expireHours: 2 })).status).toBe(200);
  expect(await hoursLeft()).toBe(2);
  // A value that the settings of an older time allowed does not make it longer.
  await sql`update assistant_config set value = '{"expireHours": 100}'`.execute(server.db.database.db);
  expect(await hoursLeft()).toBe(24);
});

interface Refused {
  what: string;
  key: string;
  value: unknown;
  type: string;
  place: string[];
  input: unknown;
}
const refused = (
  [what, key, value]: [string, string, unknown],
  [type, place, input]: [string, string[], unknown],
): Refused => ({ what, key, value, type, place, input });

it.each([
  refused(["more steps than the settings", "budgets", { steps: 7 }], ["less_than_equal", ["steps"], 7]),
  refused(["no steps", "budgets", { steps: 0 }], ["greater_than_equal", ["steps"], 0]),
  refused(["a text", "budgets", { tokens: "many" }], ["int_parsing", ["tokens"], "many"]),
  refused(["an unknown budget", "budgets", { stepz: 1 }], ["extra_forbidden", ["stepz"], 1]),
  refused(["a list of budgets", "budgets", []], ["dict_type", [], []]),
  refused(["a longer wait", "approvals", { expireHours: 25 }], ["less_than_equal", ["expireHours"], 25]),
  refused(["a weaker decision", "approvals", { destructive: "auto" }], ["enum", ["destructive"], "auto"]),
  refused(
    ["an unknown decision", "approvals", { rules: [{ tool: "a:b", decision: "perhaps" }] }],
    ["enum", ["rules", "0", "decision"], "perhaps"],
  ),
  refused(
    ["a rule without a tool", "approvals", { rules: [{ decision: "ask" }] }],
    ["missing", ["rules", "0", "tool"], { decision: "ask" }],
  ),
])("refuses $what", async ({ key, value, type, place, input }) => {
  const { status, body } = await put(key, value);
  expect(status, JSON.stringify(body)).toBe(422);
  expect(body.detail).toEqual([expect.objectContaining({ type, loc: ["body", "value", ...place], input })]);
  if (type === "less_than_equal") expect(body.detail[0].ctx).toEqual({ le: key === "budgets" ? 6 : 24 });
  expect((await sql`select key from assistant_config`.execute(server.db.database.db)).rows).toEqual([]);
});

it("count in every process, whichever was asked", async () => {
  const db = { ...server.db, drop: async () => {} };
  const other = await startWholeServer({ workers: "off", db });
  try {
    const body = { value: { steps: 3 } };
    await other.assistant({ method: "PUT", path: "/config/budgets", body, as: "operator" });
  } finally {
    await other.close();
  }
  callForEver();
  await ask("Go");
  expect(turns()).toBe(3);
});

it("what GET shows of a key that is not set can be put", async () => {
  for (const key of ["budgets", "approvals"]) {
    const shown = (await get(key)) as { value: unknown };
    expect([key, (await put(key, shown.value)).status]).toEqual([key, 200]);
    expect(await get(key)).toEqual(shown);
  }
});

it("takes any value under other keys, also under names that objects have", async () => {
  for (const key of ["budget", "approvals.rules", "toString", "__proto__"]) {
    const value = { steps: 7_000, rules: "none" };
    expect((await put(key, value)).body).toEqual({ key, value });
    expect(await get(key, "operator")).toEqual({ key, value });
  }
});

it("ignores a stored value that is not valid, and the smaller one of both budgets counts", async () => {
  const store = (key: string, value: unknown) =>
    sql`insert into assistant_config (key, value, updated_by, updated_at)
      values (${key}, ${JSON.stringify(value)}::json, 'user:default/older', now())`.execute(
      server.db.database.db,
    );
  await store("budgets", { steps: 900 });
  await store("approvals", { rules: "all" });
  callForEver();
  expect((await ask("Go")).message).toBe("That is all.");
  expect(turns()).toBe(6);
});

it("is for operators to set", async () => {
  expect((await put("budgets", { steps: 1 }, "developer")).status).toBe(403);
});
