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

  test("list goes on to the limit, and says when there are more", async () => {
    const entities = Array.from({ length: 700 }, (_, at) => ({ metadata: { name: `t${at}` } }));
    await using server = await playServer((path) => {
      const { searchParams } = new URL(path, "http://x");
      const [offset, limit] = ["offset", "limit"].map((name) => Number(searchParams.get(name)));
      return { body: entities.slice(offset, offset! + limit!) };
    });
    const cut = await run(["template", "list", "--limit", "600", "--url", server.url]);
    expect(cut.out.trimEnd().split("\n")).toHaveLength(601);
    expect(cut.err).toContain("There are more than these 600");
    const whole = await run(["template", "list", "--limit", "1000", "--json", "--url", server.url]);
    expect(JSON.parse(whole.out)).toEqual({ data: entities, more: false });
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

  test("--follow says the id before the log, which may break off", async () => {
    const completion = { message: "Done.", status: "completed", output: {} };
    await using server = await playServer({
      [`POST ${base}/instantiate`]: { body: { id: "i-1" } },
      [`GET ${base}/tasks/i-1/eventstream`]: { events: [{ id: 1, type: "completion", data: completion }] },
    });
    const answer = await run(["instantiate", "lake", "--follow", "--url", server.url]);
    expect(answer).toEqual({ code: 0, out: "Done.\ncompleted i-1\n", err: "The task is i-1.\n" });
  });

  test.each([
    ["lke", 4, /no template lke; did you mean lake\?[^]*plinth template list/],
    ["teams/lke", 4, /did you mean teams\/lake\?/],
    // The catalogue has it: something else is wrong with the field.
    ["Template:default/Lake", 1, /The field is not good/],
  ])("an unknown template is explained: %s", async (ref, code, expected) => {
    const problems = [{ where: "/templateRef", message: "The field is not good." }];
    const error = { code: "BUILDER_INVALID_INSTANTIATION", message: "The field is not good.", problems };
    const templates = [{ metadata: { name: "lake" } }, { metadata: { name: "lake", namespace: "teams" } }];
    await using server = await playServer({
      [`POST ${base}/instantiate`]: { status: 400, body: { error } },
      "GET /api/catalog/entities": { body: templates },
    });
    const answer = await run(["instantiate", ref, "--url", server.url]);
    expect([answer.code, answer.err]).toEqual([code, expect.stringMatching(expected)]);
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
