/** `assistant approvals` and `assistant decide` against a server that plays its answers. */
import { expect, test } from "vitest";
import { playServer, run } from "../testdata.ts";

const base = "/api/assistant/v2";
const waiting = {
  approval_id: "a1",
  run_id: "r1",
  server: "yard",
  tool: "haul",
  arguments: { at: "sea" },
  since: "2026-11-23T08:00:00.123Z",
  expires_at: "2026-11-24T08:00:00.000Z",
};
const played = () =>
  playServer({
    [`GET ${base}/approvals`]: { body: { data: [waiting], meta: { pagination: { total: 1 } } } },
    [`POST ${base}/runs/r1/approvals/a1`]: { body: { id: "a1", status: "approved" } },
  });

test("lists what waits, and how to decide", async () => {
  await using server = await played();
  const { code, out } = await run(["assistant", "approvals", "--url", server.url]);
  expect(code).toBe(0);
  expect(out).toMatch(/a1 +yard:haul +2026-11-23T08:00:00Z +2026-11-24T08:00:00Z +\{"at":"sea"\}/);
  expect(out).toContain("plinth assistant decide <id> approve");
  const json = await run(["assistant", "approvals", "--json", "--url", server.url]);
  expect(JSON.parse(json.out)).toEqual({ data: [waiting], more: false });
});

test.each<[string[], string, object]>([
  [["approve"], "", { approved: true }],
  [["refuse", "too risky"], "", { approved: false, reason: "too risky" }],
  [["approve", "--arguments", '{"at":"lake"}'], "", { approved: true, arguments: { at: "lake" } }],
  [["approve", "--arguments", "-"], '{"at":"lake"}', { approved: true, arguments: { at: "lake" } }],
])("%j decides", async (words, input, body) => {
  await using server = await played();
  const { code, out } = await run(["assistant", "decide", "a1", ...words, "--url", server.url], { input });
  expect([code, out]).toEqual([0, "yard:haul is approved.\n"]);
  expect(JSON.parse(server.received.at(-1)!.body)).toEqual(body);
});

test.each<[string[], number, string]>([
  [["a1", "maybe"], 2, "approve or refuse"],
  [["a1", "approve", "because"], 2, "belongs to a refusal"],
  [["a1", "refuse", "--arguments", "{}"], 2, "belong to an approval"],
  [["a1", "approve", "--arguments", "[]"], 2, "JSON object"],
  [["a1", "approve", "--arguments", "{"], 2, "no JSON"],
  [["a7", "approve"], 4, "a1"],
])("%j is refused", async (words, code, text) => {
  await using server = await played();
  const ran = await run(["assistant", "decide", ...words, "--url", server.url]);
  expect(ran.code).toBe(code);
  expect(ran.err).toContain(text);
  expect(server.received.every(({ method }) => method === "GET")).toBe(true);
});
