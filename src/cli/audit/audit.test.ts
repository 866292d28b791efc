/** `audit list` against a server that plays its answers. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { auditAreas } from "../../platform/lib/audit-areas.ts";
import { playServer, run } from "../testdata.ts";

const path = "/api/coordinator/v1/audit";
const record = {
  at: "2026-11-23T10:00:00.000Z",
  actor: "user:default/ada",
  action: "createToken",
  resource: "token:t1",
  clientAddress: null,
  requestId: null,
};

test.each(auditAreas)("list of the area %s", async (area) => {
  const body = { data: [record], meta: { pagination: { next: null } } };
  await using server = await playServer({ [`GET ${path}`]: { body } });
  const { code, out } = await run(["audit", "list", "--area", area, "--url", server.url]);
  expect([code, out]).toEqual([0, expect.stringContaining("createToken")]);
  expect(server.received[0]?.path).toContain(`area=${area}`);
});

test("list says when there are more", async () => {
  const body = { data: [record, record], meta: { pagination: { next: "c1" } } };
  await using server = await playServer({ [`GET ${path}`]: { body } });
  const args = ["audit", "list", "--limit", "1", "--url", server.url];
  expect((await run(args)).err).toContain("There are more than these 1");
  expect(JSON.parse((await run([...args, "--json"])).out)).toEqual({ data: [record], more: true });
});

test("an export that is cut says so, prints what came, and leaves no file", async () => {
  await using server = await playServer({
    [`GET ${path}/export`]: {
      text: `${JSON.stringify(record)}\n`,
      headers: { "content-type": "application/x-ndjson", "content-length": "100000" },
      isCut: true,
    },
  });
  const cwd = await mkdtemp(join(tmpdir(), "plinth-export-"));
  const args = ["audit", "export", "--url", server.url];
  const printed = await run(args, { cwd });
  expect([printed.code, printed.out]).toEqual([3, `${JSON.stringify(record)}\n`]);
  expect(printed.err).toContain("the connection was cut");
  expect((await run([...args, "-o", "a.jsonl"], { cwd })).code).toBe(3);
  expect(await readdir(cwd)).toEqual([]);
  await rm(cwd, { recursive: true });
});
