/** `template` and `instantiate` against a server that plays its answers: what they send, print and end with. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { playServer, run } from "../testdata.ts";

let folder = "";
let file = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-template-"));
  file = join(folder, "template.yaml");
  await writeFile(
    file,
    "apiVersion: scaffolder.backstage.io/v1beta3\nkind: Template\nmetadata:\n  name: t\n",
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const base = "/api/builder/templates";

describe("template", () => {
  test("list shows the templates of the catalogue", async () => {
    const entity = { metadata: { name: "lake", title: "A lake" }, spec: { type: "system" } };
    await using server = await playServer({ "GET /api/catalog/entities": { body: [entity] } });
    const { code, out } = await run(["template", "list", "--url", server.url]);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^TEMPLATE +TYPE +TITLE\ndefault\/lake +system +A lake\n$/),
    ]);
  });

  test.each([
    [[], 0, /^valid /],
    [
      [{ where: "/spec/steps/0/action", message: "No such action." }],
      5,
      /^\/spec\/steps\/0\/action No such action\.\n$/,
    ],
  ])("validate ends with what it found: %j", async (problems, code, text) => {
    await using server = await playServer({ [`POST ${base}/validate`]: { body: { problems } } });
    const answer = await run(["template", "validate", file, "--url", server.url]);
    expect([answer.code, answer.out]).toEqual([code, expect.stringMatching(text)]);
    expect(JSON.parse(server.received[0]!.body).template.metadata).toEqual({ name: "t" });
  });

  test("run --dry-run of a file sends it with what lies next to it", async () => {
    const body = {
      status: "completed",
      log: [{ body: { message: "said", stepId: "s" } }],
      output: { n: 1 },
      error: null,
      directoryContents: [{ path: "a.txt" }],
    };
    await using server = await playServer({ [`POST ${base}/dry-run`]: { body } });
    const answer = await run([
      "template",
      "run",
      file,
      "--dry-run",
      "--set",
      "n=3",
      "--set",
      "t=a=b",
      "--url",
      server.url,
    ]);
    expect(answer).toMatchObject({ code: 0, out: "[s] said\ncompleted\nfile: a.txt\nn: 1\n" });
    const sent = JSON.parse(server.received[0]!.body);
    expect([sent.values, sent.directoryContents.map(({ path }: { path: string }) => path)]).toEqual([
      { n: 3, t: "a=b" },
      ["template.yaml"],
    ]);
  });
});

describe("instantiate", () => {
  test("prints the id", async () => {
    await using server = await playServer({ [`POST ${base}/instantiate`]: { body: { id: "i-1" } } });
    const values = ["--values", "{name: x}", "--overrides", "{production: {name: y}}"];
    const answer = await run(["instantiate", "lake", ...values, "--url", server.url]);
    expect(answer).toEqual({ code: 0, out: "i-1\n", err: "" });
    expect(JSON.parse(server.received[0]!.body)).toEqual({
      templateRef: "lake",
      values: { name: "x" },
      environmentOverrides: { production: { name: "y" } },
    });
  });

  test.each([
    [["--values", "[1]"], "It must be a map."],
    [["--set", "x"], "It must be <name>=<value>"],
    [["--secret", "NOT_THERE_AT_ALL"], "There is no environment variable"],
  ])("refuses %j before it calls", async (more, text) => {
    const answer = await run(["instantiate", "lake", ...more, "--url", "http://127.0.0.1:9"]);
    expect([answer.code, answer.err]).toEqual([2, expect.stringContaining(text)]);
  });
});
