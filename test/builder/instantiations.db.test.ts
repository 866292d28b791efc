import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "../../src/platform/db/sql.ts";
import type { Action } from "../../src/builder/actions/action.ts";
import { startBuilder, type BuilderFixture } from "./builder-fixture.ts";
import { eventually } from "../support/eventually.ts";

const writes: Action = {
  id: "test:write",
  description: "Writes a file.",
  supportsDryRun: true,
  input: {
    type: "object",
    required: ["path", "content"],
    properties: { path: { type: "string" }, content: { type: "string" } },
  },
  output: { type: "object", properties: { path: { type: "string" } } },
  async run({ input, workspace, output }) {
    await writeFile(join(await workspace.folder(), String(input["path"])), String(input["content"]));
    output("path", input["path"]);
  },
};

const gives: Action = {
  id: "test:give",
  description: "Puts out what it is given.",
  supportsDryRun: true,
  input: { type: "object" },
  async run({ input, output }) {
    for (const [name, value] of Object.entries(input)) output(name, value);
  },
};

const publishes: Action = {
  id: "test:publish",
  description: "Has effects outside.",
  supportsDryRun: false,
  input: { type: "object" },
  output: { type: "object", properties: { remoteUrl: { type: "string" } } },
  async run() {
    throw new Error("never in a dry run");
  },
};

let fixture: BuilderFixture;

beforeAll(async () => {
  fixture = await startBuilder({ actions: [writes, gives, publishes], renderTimeoutMs: 700 });
});

afterAll(() => fixture.close());

const task = async (id: string) =>
  (await fixture.call({ path: `/api/builder/templates/tasks/${id}`, as: "operator" })).body;

describe("a task", () => {
  it("may have steps of one id, of which the last counts", async () => {
    const step = (n: number) => ({ id: "same", action: "test:give", input: { n } });
    fixture.addTemplate("doubled", {
      steps: [step(1), { ...step(2), input: { n: "${{ steps.same.output.n + 1 }}" } }],
      output: { n: "${{ steps.same.output.n }}" },
    });
    const id = await fixture.instantiate("doubled");
    await fixture.events(id);
    expect(await task(id)).toMatchObject({ status: "completed", output: { n: 2 } });
  });

  it("runs its steps, keeps types, and answers output, steps and events", async () => {
    fixture.addTemplate("typed", {
      parameters: {
        properties: { name: { type: "string" }, count: { type: "integer", default: 3 } },
        required: ["name"],
      },
      steps: [
        {
          id: "one",
          name: "First",
          action: "test:give",
          input: { n: "${{ parameters.count }}", gone: "${{ parameters.nope }}" },
        },
        { id: "two", action: "test:give", if: "${{ parameters.count > 5 }}", input: {} },
        {
          id: "three",
          action: "debug:log",
          input: { message: "Hello ${{ parameters.name | upper }} ${{ steps.one.output.n + 1 }}" },
        },
      ],
      output: {
        links: [
          { title: "See", url: "https://x/${{ parameters.name }}", if: "${{ parameters.count }}" },
          { title: "Not", url: "https://x", if: "${{ parameters.count > 5 }}" },
        ],
        n: "${{ steps.one.output.n }}",
      },
    });
    const id = await fixture.instantiate("typed", { name: "ships" });
    const events = await fixture.events(id);
    expect(events.map(({ event, data }) => [event, data.stepId, data.status, data.message])).toEqual([
      ["log", "one", "processing", "Step “First” begins."],
      ["log", "one", "completed", "Step “First” is done."],
      ["log", "two", "skipped", "Step “test:give” is skipped: its condition is not met."],
      ["log", "three", "processing", "Step “debug:log” begins."],
      ["log", "three", undefined, "Hello SHIPS 4"],
      ["log", "three", "completed", "Step “debug:log” is done."],
      ["completion", undefined, "completed", "The task has ended: completed."],
    ]);
    expect(events.every(({ data }) => /^\d{4}-.*Z$/.test(data.createdAt))).toBe(true);
    expect((await fixture.call({ path: `/api/builder/templates/tasks/${id}/status` })).body).toEqual({
      status: "completed",
    });
    expect(await task(id)).toMatchObject({
      id,
      templateRef: "template:default/typed",
      entityRef: null,
      status: "completed",
      createdBy: "user:default/ada",
      parameters: { name: "ships", count: 3 },
      output: { links: [{ title: "See", url: "https://x/ships" }], n: 3 },
      steps: [
        { id: "one", status: "completed", output: { n: 3 } },
        { id: "two", status: "skipped" },
        { id: "three", status: "completed" },
      ],
      waiting: null,
    });
  });

  it("streams again after every event, and nothing after the last", async () => {
    const id = await fixture.instantiate("typed", { name: "again" });
    const all = await fixture.events(id);
    for (const [index, { id: after }] of all.entries()) {
      expect(await fixture.events(id, after)).toEqual(all.slice(index + 1));
      const headers = { "last-event-id": String(after) };
      const path = `/api/builder/templates/tasks/${id}/eventstream`;
      const answer = await fixture.call({ path, headers });
      expect(answer.status).toBe(index === all.length - 1 ? 204 : 200);
    }
  });

  it("goes through lists and objects, with a condition for each turn", async () => {
    fixture.addTemplate("each", {
      steps: [
        {
          id: "list",
          action: "test:give",
          each: ["a", "b", "c"],
          if: "${{ each.value != 'b' }}",
          input: { got: "${{ each.key }}=${{ each.value }}" },
        },
        {
          id: "map",
          action: "test:give",
          each: "${{ parameters.map }}",
          input: { got: "${{ each.value }}" },
        },
      ],
      output: { list: "${{ steps.list.output.got }}", map: "${{ steps.map.output.got }}" },
    });
    const id = await fixture.instantiate("each", { map: { x: 1, y: { z: true } } });
    await fixture.events(id);
    expect((await task(id)).output).toEqual({ list: ["0=a", "2=c"], map: [1, { z: true }] });
  });

  it("fails with the step, the key and the position, runs what is to run after a failure, and can be tried again", async () => {
    fixture.addTemplate("fails", {
      steps: [
        { id: "ok", action: "test:give", input: { v: 1 } },
        {
          id: "bad",
          action: "test:give",
          input: { deep: [{ key: "x ${{ parameters.v | parseEntityRef }}" }] },
        },
        { id: "never", action: "debug:log", input: { message: "never" } },
        { id: "after", action: "debug:log", if: "${{ failure() }}", input: { message: "cleaned up" } },
        { id: "always", action: "debug:log", if: "${{ always() }}", input: { message: "always" } },
      ],
    });
    const id = await fixture.instantiate("fails", { v: 1 });
    const events = await fixture.events(id);
    expect(events.find(({ data }) => data.status === "failed")?.data.message).toMatch(
      /^step "bad", input\.deep\.0\.key \(line 1, column \d+\): /,
    );
    expect(events.filter(({ data }) => data.stepId === "never")).toEqual([]);
    expect(events.map(({ data }) => data.message)).toEqual(expect.arrayContaining(["cleaned up", "always"]));
    expect(events.at(-1)).toMatchObject({ event: "completion", data: { status: "failed" } });
    expect((await task(id)).steps.map(({ status }: { status: string }) => status)).toEqual([
      "completed",
      "failed",
      "open",
      "completed",
      "completed",
    ]);
    const retried = await fixture.call({
      method: "POST",
      path: `/api/builder/templates/tasks/${id}/retry`,
      body: {},
    });
    expect([retried.status, retried.body]).toEqual([200, { id }]);
    const again = await fixture.events(id);
    expect(again.filter(({ event }) => event === "completion")).toHaveLength(1);
    expect(again.at(-1)?.event).toBe("completion");
    expect(again.filter(({ data }) => data.stepId === "ok" && data.status === "completed")).toHaveLength(1);
    expect(again.filter(({ data }) => data.stepId === "bad" && data.status === "failed")).toHaveLength(2);
  });

  it("refuses values with one problem for each field", async () => {
    fixture.addTemplate("strict", {
      parameters: [
        {
          required: ["name"],
          properties: { name: { type: "string", pattern: "^[a-z]+$", "ui:autofocus": true } },
        },
        {
          properties: { kind: { type: "string", enum: ["a", "b"] } },
          dependencies: {
            kind: {
              oneOf: [
                {
                  properties: { kind: { const: "a" }, size: { type: "integer", default: 7 } },
                  required: ["size"],
                },
                { properties: { kind: { const: "b" }, zone: { type: "string", default: "eu" } } },
              ],
            },
          },
        },
      ],
      steps: [{ id: "s", action: "test:give", input: { all: "${{ parameters }}" } }],
      output: { all: "${{ steps.s.output.all }}" },
    });
    const refused = await fixture.call({
      method: "POST",
      path: "/api/builder/templates/instantiate",
      body: {
        templateRef: "strict",
        values: { name: "NO", kind: "c" },
        environmentOverrides: { production: { name: 4 }, mars: {} },
      },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.code).toBe("BUILDER_INVALID_INSTANTIATION");
    const where = refused.body.error.problems.map((problem: { where: string }) => problem.where);
    expect(where.toSorted()).toEqual(["/environmentOverrides/mars", "/values/kind", "/values/name"]);
    const id = await fixture.instantiate(
      "strict",
      { name: "x", kind: "a" },
      { environmentOverrides: { production: { size: 9 } } },
    );
    await fixture.events(id);
    expect((await task(id)).output).toEqual({ all: { name: "x", kind: "a", size: 7 } });
  });

  it("refuses a template with all that is wrong in it, each with its place", async () => {
    fixture.addTemplate("broken", {
      steps: [
        { id: "a", action: "no:such", input: {} },
        {
          id: "a",
          action: "debug:log",
          input: { message: "one\n two ${{ x | shout }}", deep: { more: "${{ a b }}" } },
        },
        { action: "debug:log", input: { message: "${{ ''.constructor.constructor('return process')() }}" } },
      ],
    });
    const refused = await fixture.call({
      method: "POST",
      path: "/api/builder/templates/instantiate",
      body: { templateRef: "template:default/broken", values: {} },
    });
    expect(refused.body.error.code).toBe("BUILDER_INVALID_TEMPLATE");
    expect(refused.body.error.problems.map((problem: { where: string }) => problem.where)).toEqual([
      "/spec/steps/0/action",
      "/spec/steps/1/input/message:2:14",
      "/spec/steps/1/input/deep/more:1:7",
      "/spec/steps/2/input/message:1:8",
    ]);
  });

  it.each([
    ["loops", "{% for i in range(100000000) %}x{% endfor %}"],
    [
      "allocates",
      "{% set s = 'xxxxxxxxxx' %}{% for i in range(40) %}{% set s = s + s %}{% endfor %}${{ s }}",
    ],
    ["recurses", "{% macro f(n) %}${{ f(n) }}{% endmacro %}${{ f(1) }}"],
    [
      "has a regular expression that never ends",
      "${{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' | replace(r/^(a+)+$/, 'b') }}",
    ],
  ])("is stopped when its template %s", async (_case, text) => {
    fixture.addTemplate("hostile", {
      steps: [{ id: "bad", action: "debug:log", input: { list: ["x", text] } }],
    });
    const id = await fixture.instantiate("hostile");
    const events = await fixture.events(id);
    expect(events.find(({ data }) => data.status === "failed")?.data.message).toMatch(
      /^step "bad", input\.list\.1 \(line 1, column \d+\): /,
    );
  });

  it("survives a pattern of a schema that never ends", async () => {
    fixture.addTemplate("pattern", {
      parameters: { properties: { a: { type: "string", pattern: "^(a+)+$" } } },
      steps: [],
    });
    const body = { templateRef: "pattern", values: { a: `${"a".repeat(40)}!` } };
    const refused = await fixture.call({ method: "POST", path: "/api/builder/templates/instantiate", body });
    expect([refused.status, refused.body.error.problems[0].where]).toEqual([400, "/values"]);
  });
});

describe("access", () => {
  it("is for the owner and for operators", async () => {
    const id = await fixture.instantiate("typed", { name: "mine" });
    await fixture.events(id);
    const path = `/api/builder/templates/tasks/${id}`;
    const statuses = async (as: string) =>
      Promise.all(
        [path, `${path}/status`, `${path}/eventstream`].map(
          async (at) => (await fixture.call({ path: at, as })).status,
        ),
      );
    expect(await statuses("developer:eve")).toEqual([403, 403, 403]);
    expect(await statuses("operator:olga")).toEqual([200, 200, 200]);
    expect((await fixture.call({ method: "POST", path: `${path}/cancel`, as: "developer:eve" })).status).toBe(
      403,
    );
    expect((await fixture.call({ method: "POST", path: `${path}/cancel` })).status).toBe(409);
    expect((await fixture.call({ method: "POST", path: `${path}/retry` })).status).toBe(409);
    for (const unknown of ["x", "00000000-0000-4000-8000-000000000000"]) {
      const at = `/api/builder/templates/tasks/${unknown}`;
      for (const suffix of ["", "/status", "/eventstream"])
        expect((await fixture.call({ path: at + suffix })).status).toBe(404);
      for (const suffix of ["/cancel", "/retry"]) {
        expect((await fixture.call({ method: "POST", path: at + suffix })).status).toBe(404);
      }
    }
  });

  it("lists own tasks page by page, and all for operators", async () => {
    for (let n = 0; n < 3; n += 1) await fixture.instantiate("typed", { name: `n${n}` });
    const ids: string[] = [];
    let after = "";
    do {
      const { body } = await fixture.call({ path: `/api/builder/templates/tasks?limit=2${after}` });
      ids.push(...body.data.map(({ id }: { id: string }) => id));
      after = body.meta.pagination.next === null ? "" : `&after=${body.meta.pagination.next}`;
    } while (after !== "");
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(3);
    expect(
      (await fixture.call({ path: "/api/builder/templates/tasks", as: "developer:eve" })).body.data,
    ).toEqual([]);
    expect(
      (await fixture.call({ path: "/api/builder/templates/tasks?owner=all", as: "operator:olga" })).body.data
        .length,
    ).toBeGreaterThan(2);
  });
});

describe("a dry run", () => {
  it("answers log, output and files, and leaves out what has effects", async () => {
    fixture.addTemplate("dry", {
      parameters: { properties: { name: { type: "string" } } },
      steps: [
        { id: "w", action: "test:write", input: { path: "a.txt", content: "Hello ${{ parameters.name }}" } },
        { id: "p", action: "test:publish", input: {} },
      ],
      output: { url: "${{ steps.p.output.remoteUrl }}" },
    });
    const body = { templateRef: "dry", values: { name: "x" } };
    const { status, body: answer } = await fixture.call({
      method: "POST",
      path: "/api/builder/templates/dry-run",
      body,
    });
    expect(status).toBe(200);
    expect(answer).toMatchObject({
      status: "completed",
      output: { url: "<remoteUrl>" },
      directoryContents: [
        { path: "a.txt", base64Content: Buffer.from("Hello x").toString("base64"), executable: false },
      ],
    });
    const ofPublish = answer.log.filter(({ body: line }: any) => line.stepId === "p");
    expect(ofPublish.map(({ body: line }: any) => [line.status, line.message])).toEqual([
      ["processing", "Step “test:publish” begins."],
      ["skipped", "test:publish is left out of a dry run."],
    ]);
  });
});

it("a dry run removes the files that a killed process has left of others", async () => {
  const root = join(fixture.deps.settings.dataDir, "dry-runs");
  const hour = 3_600_000;
  for (const [name, age] of [
    ["run-old", 25 * hour],
    ["run-new", 23 * hour],
  ] as const) {
    await mkdir(join(root, name, "workspace"), { recursive: true });
    await utimes(join(root, name), new Date(Date.now() - age), new Date(Date.now() - age));
  }
  const body = { templateRef: "typed", values: { name: "x" } };
  const path = "/api/builder/templates/dry-run";
  expect((await fixture.call({ method: "POST", path, body })).status).toBe(200);
  expect(await readdir(root)).toEqual(["run-new"]);
});

describe("the last sign of life of a task", () => {
  it("is never before the task", async () => {
    fixture.addTemplate("lives", { steps: [{ id: "w", action: "debug:wait", input: { minutes: 5 } }] });
    const id = await fixture.instantiate("lives");
    await eventually("the step", async () => (await task(id)).status === "processing");
    // The worker lived long before; its clock or its last round may be behind.
    await sql`update instantiations set created_at = now() + interval '1 hour' where id = ${id}`.execute(
      fixture.db.database.db,
    );
    const { body } = await fixture.call({ path: `/api/scaffolder/v2/tasks/${id}` });
    expect(body.lastHeartbeatAt).toBe(body.createdAt);
    await fixture.call({ method: "POST", path: `/api/builder/templates/tasks/${id}/cancel` });
  });
});

describe("a cancellation", () => {
  it("ends a task at once, aborts its action, and wins or loses against the end, never both", async () => {
    fixture.addTemplate("waits", { steps: [{ id: "w", action: "debug:wait", input: { minutes: 5 } }] });
    const id = await fixture.instantiate("waits");
    await eventually("the step", async () => (await task(id)).status === "processing");
    const path = `/api/builder/templates/tasks/${id}/cancel`;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => fixture.call({ method: "POST", path })),
    );
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual([
      "200",
      "409",
      "409",
      "409",
      "409",
    ]);
    const events = await fixture.events(id);
    expect(events.slice(-2).map(({ event }) => event)).toEqual(["cancelled", "completion"]);
    expect(events.filter(({ event }) => event === "completion")).toHaveLength(1);
    expect((await task(id)).status).toBe("cancelled");
  });
});
