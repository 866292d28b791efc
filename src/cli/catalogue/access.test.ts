/** `hooks` and `access` against a server that plays its answers: what they send, print and end with. */
import { describe, expect, test } from "vitest";
import { playServer, run } from "../testdata.ts";

const id = "7b0d9a2e-0000-4000-8000-000000000000";
const hook = {
  hookId: id,
  hookName: "owner",
  kind: "notification",
  status: "pending",
  requester: "user:default/ada",
  reason: null,
  waiting: "Waits for the owner.",
};
const found = {
  id,
  operation: "GRANT",
  status: "PENDING",
  environment: "development",
  requester: "user:default/ada",
  identities: ["user:ada", "group:ops"],
  message: null,
  waiting: { reason: "Waits for the hooks: owner.", since: "2026-11-21T10:00:00.000Z" },
  endedAt: null,
  outputPorts: [{ urn: "urn:dmb:cmp:d:s:0:port", status: "WAITING", message: null }],
  hooks: [hook],
};
const granted = { ...found, status: "GRANTED", waiting: null, endedAt: "2026-11-21T10:00:01.000Z" };
const page = (data: unknown[], next: string | null = null) => ({
  data,
  meta: { pagination: { limit: 100, next } },
});
const base = "/api/builder/access-requests";
const ask = ["access", "request", "urn:u", "urn:p", "urn:q", "-e", "development", "--identity", "user:ada"];

describe("hooks", () => {
  test("list shows what waits", async () => {
    await using server = await playServer({ "GET /api/builder/hooks": { body: page([hook]) } });
    const { code, out } = await run(["hooks", "list", "--url", server.url]);
    expect([code, server.received[0]?.path]).toEqual([0, "/api/builder/hooks?status=pending&limit=51"]);
    expect(out).toMatch(
      /^ID +HOOK +KIND +STATUS +REQUESTER +WAITS FOR\n7b0d9a2e\S+ +owner +notification +pending +user:default\/ada +Waits for the owner\.\n$/,
    );
  });

  test("list of nothing says so", async () => {
    await using server = await playServer({ "GET /api/builder/hooks": { body: page([]) } });
    const { out } = await run(["hooks", "list", "--status", "all", "--url", server.url]);
    expect([out, server.received[0]?.path]).toEqual(["There are none.\n", "/api/builder/hooks?limit=51"]);
  });

  test("list goes on to the limit, and says when there are more", async () => {
    const answers = {
      "GET /api/builder/hooks": [{ body: page([hook], "c1") }, { body: page([hook], "c2") }],
    };
    await using server = await playServer(answers);
    const { out, err } = await run(["hooks", "list", "--limit", "1", "--url", server.url]);
    expect([out.trimEnd().split("\n").length, err]).toEqual([
      2,
      expect.stringContaining("more than these 1"),
    ]);
    expect(server.received[1]?.path).toContain("after=c1");
  });

  test("answer sends the answer", async () => {
    const answers = { [`POST /api/builder/hooks/${id}/answer`]: { body: { ...hook, status: "KO" } } };
    await using server = await playServer(answers);
    const args = ["hooks", "answer", id, "--ko", "--reason", "No.", "--url", server.url];
    expect(await run(args)).toEqual({ code: 0, out: "The hook owner is KO.\n", err: "" });
    expect(JSON.parse(server.received[0]!.body)).toEqual({ status: "KO", reason: "No." });
  });

  test.each([[[]], [["--ok", "--ko"]]])("answer takes one of both: %j", async (more) => {
    const { code, err } = await run(["hooks", "answer", id, ...more, "--url", "http://127.0.0.1:9"]);
    expect([code, err]).toEqual([2, expect.stringContaining("Give either --ok or --ko.")]);
  });
});

describe("access", () => {
  test("request asks and shows what it waits for", async () => {
    await using server = await playServer({ [`POST ${base}`]: { status: 201, body: found } });
    const more = [
      "--identity",
      "group:ops",
      "--fields",
      '{"until":"May"}',
      "--template",
      "t",
      "--reason",
      "r",
    ];
    const { code, out } = await run([...ask, ...more, "--url", server.url]);
    expect(JSON.parse(server.received[0]!.body)).toEqual({
      operation: "GRANT",
      deploymentUnitId: "urn:u",
      environment: "development",
      outputPortUrns: ["urn:p", "urn:q"],
      identities: ["user:ada", "group:ops"],
      reason: "r",
      templateRef: "t",
      accessControlFields: { until: "May" },
    });
    expect([code, out.split("\n")]).toEqual([
      0,
      [
        `${id}: PENDING`,
        "  access for user:ada, group:ops in development, asked by user:default/ada",
        "  Waits for the hooks: owner. Since 2026-11-21T10:00:00.000Z.",
        "  port urn:dmb:cmp:d:s:0:port: WAITING",
        `  hook owner (notification, ${id}): pending Waits for the owner.`,
        "",
      ],
    ]);
  });

  test.each([
    ["GRANTED", 0],
    ["REJECTED", 1],
  ])("--follow waits for the end and tells by its code: %s", async (status, expected) => {
    await using server = await playServer({
      [`POST ${base}`]: { status: 201, body: found },
      [`GET ${base}/${id}`]: [{ body: found }, { body: { ...granted, status } }],
    });
    const { code, out } = await run([...ask, "--follow", "--json", "--url", server.url]);
    expect([code, JSON.parse(out).status, server.received.length]).toEqual([expected, status, 3]);
  });

  test("--follow says the id at once and goes over hiccups, so that nobody has to ask a second time", async () => {
    await using server = await playServer({
      [`POST ${base}`]: { status: 201, body: found },
      [`GET ${base}/${id}`]: [{ status: 503, text: "no backend" }, { body: granted }],
    });
    const { code, out, err } = await run([...ask, "--follow", "--json", "--url", server.url]);
    expect([code, JSON.parse(out).status]).toEqual([0, "GRANTED"]);
    expect(err).toContain(`plinth access show ${id} --follow`);
    expect(server.received).toHaveLength(3);
  });

  test("--follow has said the id also when the server refuses afterwards", async () => {
    await using server = await playServer({
      [`POST ${base}`]: { status: 201, body: found },
      [`GET ${base}/${id}`]: { status: 403, body: { error: { code: "X", message: "No." } } },
    });
    const { code, err } = await run([...ask, "--follow", "--url", server.url]);
    expect([code, err]).toEqual([1, expect.stringContaining(id)]);
  });

  test("list goes on to the limit, and says when there are more", async () => {
    await using server = await playServer({
      [`GET ${base}`]: [{ body: page([granted], "c1") }, { body: page([found]) }],
    });
    const { out } = await run(["access", "list", "--json", "--url", server.url]);
    expect(JSON.parse(out)).toEqual({ data: [granted, found], more: false });
    expect(server.received[1]?.path).toContain("after=c1");
  });

  test("revoke asks that it is taken away", async () => {
    await using server = await playServer({ [`POST ${base}`]: { status: 201, body: found } });
    await run(["access", "revoke", ...ask.slice(2), "--url", server.url]);
    expect(JSON.parse(server.received[0]!.body).operation).toBe("REVOKE");
  });

  test("list, show, retry and withdraw", async () => {
    await using server = await playServer({
      [`GET ${base}`]: { body: page([granted]) },
      [`GET ${base}/${id}`]: { body: granted },
      [`POST ${base}/${id}/retry`]: { body: found },
      [`POST ${base}/${id}/withdraw`]: { body: { ...found, status: "WITHDRAWN" } },
    });
    const outOf = async (...args: string[]) => (await run(["access", ...args, "--url", server.url])).out;
    expect(await outOf("list", "--status", "GRANTED")).toMatch(
      /GRANT +GRANTED +development +user:default\/ada\n$/,
    );
    expect(await outOf("show", id)).toContain(`${id}: GRANTED`);
    expect(await outOf("retry", id)).toContain(`${id}: PENDING`);
    expect(await outOf("withdraw", id)).toContain(`${id}: WITHDRAWN`);
  });

  test.each([["[1]"], ["{"], ["@nothing.json"]])("fields that are none: %s", async (fields) => {
    const { code, err } = await run([...ask, "--fields", fields, "--url", "http://127.0.0.1:9"]);
    expect([code, err]).toEqual([2, expect.stringContaining("--fields")]);
  });
});
