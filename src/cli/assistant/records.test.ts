import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { playServer, run } from "../testdata.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "plinth-records-"));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

it("an export is written as it came", async () => {
  await using server = await playServer({
    "GET /api/assistant/v2/export": { text: "packed", headers: { "content-type": "application/gzip" } },
  });
  const ran = await run(["assistant", "export", "-o", "all.tar.gz", "--url", server.url], { cwd });
  expect(ran).toEqual({ code: 0, out: "all.tar.gz holds 6 bytes.\n", err: "" });
  expect(await readFile(join(cwd, "all.tar.gz"), "utf8")).toBe("packed");
});

it("an import shows what was done, and what is still to do", async () => {
  const body = {
    dry_run: true,
    records: [
      { kind: "external_agent", path: "external-agents/x.json", id: "1", name: "x", action: "created" },
    ],
    notes: ["external-agents/x.json: set it.\u001b[2J"],
  };
  await using server = await playServer({ "POST /api/assistant/v2/import": { body } });
  await writeFile(join(cwd, "in.tar.gz"), "packed");
  const ran = await run(["assistant", "import", "in.tar.gz", "--dry-run", "--url", server.url], { cwd });
  expect(ran).toEqual({
    code: 0,
    out:
      "KIND            NAME  ACTION   FILE\n" +
      "external agent  x     created  external-agents/x.json\n" +
      "note: external-agents/x.json: set it. [2J\nNothing was written.\n",
    err: "",
  });
  expect(server.received[0]).toMatchObject({ path: "/api/assistant/v2/import?dry_run=true" });
  expect(server.received[0]?.body).toContain("packed");
});

it("problems are shown with file and field", async () => {
  const detail = [{ loc: ["body", "skills/x/SKILL.md", "name"], msg: "is required", type: "missing" }];
  await using server = await playServer({
    "POST /api/assistant/v2/import": { status: 422, body: { detail } },
  });
  await writeFile(join(cwd, "in.tar.gz"), "packed");
  const ran = await run(["assistant", "import", "in.tar.gz", "--url", server.url], { cwd });
  expect(ran.code).toBe(1);
  expect(ran.err).toContain("body.skills/x/SKILL.md.name");
});
