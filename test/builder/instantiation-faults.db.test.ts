import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Action } from "../../src/builder/actions/action.ts";
import { controlChannel } from "../../src/builder/instantiations/store.ts";
import { startBuilder, type BuilderFixture } from "./builder-fixture.ts";
import { eventually } from "../support/eventually.ts";

let runs: string[] = [];
const gates: (() => void)[] = [];

const marks: Action = {
  id: "test:mark",
  description: "Writes a file and says that it ran.",
  supportsDryRun: true,
  input: { type: "object" },
  async run({ input, workspace, stepId, output, checkpoint }) {
    const once = await checkpoint("made", async () => `made by run ${runs.length}`);
    runs.push(`${stepId} ${once}`);
    const folder = await workspace.folder();
    await writeFile(join(folder, `${stepId}.txt`), JSON.stringify(input["text"] ?? stepId));
    output("files", (await readdir(folder)).toSorted());
  },
};

const holds: Action = {
  id: "test:hold",
  description: "Waits until the test lets it go, or it is aborted.",
  supportsDryRun: false,
  input: { type: "object" },
  run: ({ signal, stepId }) =>
    new Promise((done, fail) => {
      runs.push(stepId);
      gates.push(done);
      signal.addEventListener("abort", () => fail(new Error("aborted")), { once: true });
    }),
};

let fixture: BuilderFixture;

beforeAll(async () => {
  fixture = await startBuilder({ actions: [marks, holds] });
});

afterAll(() => fixture.close());

const task = async (id: string) =>
  (await fixture.call({ path: `/api/builder/templates/tasks/${id}`, as: "operator" })).body;

describe("a worker that goes away", () => {
  it("leaves the task to another, which repeats nothing that was recorded and has the files", async () => {
    fixture.addTemplate("taken-over", {
      steps: [
        { id: "first", action: "test:mark", input: { text: "one" } },
        { id: "held", action: "test:hold" },
        { id: "last", action: "test:mark", input: { text: "two" } },
      ],
      output: { files: "${{ steps.last.output.files }}" },
    });
    runs = [];
    const id = await fixture.instantiate("taken-over");
    await eventually("the step", async () => runs.includes("held"));
    // As if its process were gone: nobody has that id, and its fence is an old one as soon as another takes the task.
    await fixture.db.database.pool.query(
      "update instantiations set worker_id = gen_random_uuid() where id = $1",
      [id],
    );
    const { worker } = await fixture.startWorker();
    await eventually("the other worker", async () => runs.filter((run) => run === "held").length === 2);
    for (const open of gates.splice(0)) open();
    const events = await fixture.events(id);
    expect(events.filter(({ event }) => event === "recovered")).toMatchObject([
      { data: { recoverStrategy: "resume" } },
    ]);
    expect(runs.map((run) => run.split(" ")[0])).toEqual(["first", "held", "held", "last"]);
    expect((await task(id)).output).toEqual({ files: ["first.txt", "last.txt"] });
    expect(events.filter(({ event }) => event === "completion")).toHaveLength(1);
    await worker.close(0);
  });

  it("begins a task that is retried only when its own drive of it has ended, and once", async () => {
    fixture.addTemplate("retried", {
      steps: [
        { id: "held", action: "test:hold" },
        { id: "last", action: "test:mark", input: { text: "two" } },
      ],
    });
    runs = [];
    const id = await fixture.instantiate("retried");
    // Afterwards the drive writes nothing by which it would notice that it has lost the task.
    await eventually("its last line", async () => {
      const { rows } = await fixture.db.database.pool.query(
        "select 1 from events where stream = $1 and data ->> 'stepId' = 'held'",
        [`instantiation:${id}`],
      );
      return rows.length > 0 && runs.includes("held");
    });
    // As a cancellation of which this worker has heard nothing.
    await fixture.db.database.pool.query(
      `update instantiations set status = 'cancelled', fence = fence + 1, worker_id = null, ended_at = now()
       where id = $1`,
      [id],
    );
    const path = `/api/builder/templates/tasks/${id}/retry`;
    expect((await fixture.call({ method: "POST", path })).status).toBe(200);
    // Whoever claims this one has seen the other, which is older.
    await fixture.instantiate("retried");
    await eventually("the next task", async () => gates.length === 2);
    expect(await task(id)).toMatchObject({ status: "open" });
    // The late notice of the cancellation concerns the old drive, although the task is under way again.
    await fixture.db.database.pool.query("select pg_notify($1, $2)", [controlChannel, id]);
    await eventually("the retry", async () => gates.length === 3);
    for (const open of gates.splice(0)) open();
    expect((await fixture.events(id)).filter(({ event }) => event === "recovered")).toEqual([]);
    expect(await task(id)).toMatchObject({ status: "completed" });
    expect(runs.filter((run) => run === "held")).toHaveLength(3);
  });

  it("gives its tasks back when it stops in order", async () => {
    runs = [];
    const { worker, lease } = await fixture.startWorker();
    const ids = await Promise.all(Array.from({ length: 4 }, () => fixture.instantiate("taken-over")));
    await eventually("the steps", async () => runs.filter((run) => run === "held").length >= 4);
    await worker.close(0);
    await lease.close();
    // Those that it had are begun again by the other worker, and each holds once more.
    await eventually("the end of all", async () => {
      for (const open of gates.splice(0)) open();
      const statuses = await Promise.all(ids.map(async (id) => (await task(id)).status));
      expect(statuses).not.toContain("failed");
      return statuses.every((status) => status === "completed");
    });
  });
});

it("fifty at once all end, each with its own values, and nothing is left on the disk", async () => {
  fixture.addTemplate("many", {
    parameters: { properties: { n: { type: "integer" } } },
    steps: [
      { id: "a", action: "debug:log", input: { message: "number ${{ parameters.n }}" } },
      { id: "b", action: "test:mark", input: { text: "${{ parameters.n + 1 }}" } },
    ],
    output: { n: "${{ parameters.n }}" },
  });
  const numbers = Array.from({ length: 50 }, (_, n) => n);
  const ids = await Promise.all(numbers.map((n) => fixture.instantiate("many", { n })));
  const streams = await Promise.all(ids.map((id) => fixture.events(id)));
  for (const [n, events] of streams.entries()) {
    expect(events.at(-1)).toMatchObject({
      event: "completion",
      data: { status: "completed", output: { n } },
    });
    expect(events.map(({ id }) => id)).toEqual(events.map(({ id }) => id).toSorted((a, b) => a - b));
  }
  const folder = join(fixture.deps.settings.dataDir, "workspaces");
  await eventually("the folders", async () => !existsSync(folder) || (await readdir(folder)).length === 0);
});

describe("the shapes that clients of the Backstage scaffolder read", () => {
  const base = "/api/scaffolder/v2";

  it("start, list, show, stream and poll", async () => {
    const started = await fixture.call({
      method: "POST",
      path: `${base}/tasks`,
      body: { templateRef: "template:default/many", values: { n: 7 } },
    });
    expect([started.status, Object.keys(started.body)]).toEqual([201, ["id"]]);
    const { id } = started.body;
    const path = `${base}/tasks/${id}`;
    const stream = await fixture.call({ path: `${path}/eventstream` });
    const last = stream.text.trim().split("\n\n").at(-1) ?? "";
    const [idLine, typeLine, dataLine] = last.split("\n");
    expect([idLine?.startsWith("id: "), typeLine]).toEqual([true, "event: completion"]);
    expect(JSON.parse(dataLine?.slice(6) ?? "")).toMatchObject({
      taskId: id,
      type: "completion",
      body: { status: "completed", output: { n: 7 } },
      isTaskRecoverable: false,
    });
    const { body: events } = await fixture.call({ path: `${path}/events` });
    expect(events.at(-1).type).toBe("completion");
    const { body: rest } = await fixture.call({ path: `${path}/events?after=${events[0].id}` });
    expect(rest).toEqual(events.slice(1));
    expect((await fixture.call({ path })).body).toMatchObject({
      id,
      status: "completed",
      createdBy: "user:default/ada",
      spec: {
        apiVersion: "scaffolder.backstage.io/v1beta3",
        parameters: { n: 7 },
        user: { ref: "user:default/ada" },
        templateInfo: { entityRef: "template:default/many" },
        steps: [{ id: "a", action: "debug:log" }, { id: "b" }],
      },
    });
    const list = await fixture.call({ path: `${base}/tasks?createdBy=user%3Adefault%2Fada&limit=1` });
    expect([list.status, list.body.tasks?.length, list.body.error]).toEqual([200, 1, undefined]);
    expect(list.body.totalTasks).toBeGreaterThan(1);
    expect((await fixture.call({ method: "POST", path: `${path}/cancel` })).status).toBe(409);
  });

  it("show the actions and the form of a template", async () => {
    const { body: actions } = await fixture.call({ path: `${base}/actions` });
    expect(actions.find(({ id }: { id: string }) => id === "debug:log")).toMatchObject({
      schema: { input: { type: "object" } },
    });
    const form = await fixture.call({ path: `${base}/templates/default/template/many/parameter-schema` });
    expect([form.status, form.body]).toEqual([
      200,
      { title: "many", steps: [{ title: "many", schema: { properties: { n: { type: "integer" } } } }] },
    ]);
    fixture.addTemplate("unready", {
      parameters: { properties: { n: { type: "integer" } } },
      steps: [
        { id: "a", action: "no:such" },
        { id: "a", action: "debug:log", input: { message: "${{ 'x' | nope }}" } },
      ],
      output: { text: "${{ 'x' | nope }}" },
    });
    const unready = await fixture.call({
      path: `${base}/templates/default/template/unready/parameter-schema`,
    });
    expect([unready.status, unready.body.steps[0].schema.properties]).toEqual([
      200,
      { n: { type: "integer" } },
    ]);
    const body = { templateRef: "template:default/unready", values: { n: 1 } };
    const start = await fixture.call({ method: "POST", path: `${base}/tasks`, body });
    expect([start.status, start.body.error.code, start.body.error.problems.length]).toEqual([
      400,
      "BUILDER_INVALID_TEMPLATE",
      3,
    ]);
    const unknown = await fixture.call({ path: `${base}/templates/default/template/none/parameter-schema` });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, "BUILDER_UNKNOWN_TEMPLATE"]);
  });

  it("try a template that the catalogue does not have", async () => {
    const template = {
      apiVersion: "scaffolder.backstage.io/v1beta3",
      kind: "Template",
      metadata: { name: "tried" },
      spec: { steps: [{ id: "m", action: "test:mark", input: { text: "x ${{ parameters.a }}" } }] },
    };
    const body = {
      template,
      values: { a: 1 },
      directoryContents: [{ path: "t/a.txt", base64Content: "eA==" }],
    };
    const { status, body: answer } = await fixture.call({ method: "POST", path: `${base}/dry-run`, body });
    expect(status).toBe(200);
    expect(answer.directoryContents).toEqual([
      { path: "m.txt", base64Content: Buffer.from('"x 1"').toString("base64"), executable: false },
    ]);
    const annotations = { "backstage.io/managed-by-location": "file:/etc/x.yaml" };
    const reads = {
      template: {
        ...template,
        metadata: { name: "reads", annotations },
        spec: {
          steps: [{ id: "f", action: "fetch:plain:file", input: { url: "./passwd", targetPath: "p" } }],
        },
      },
      values: {},
    };
    const read = await fixture.call({ method: "POST", path: `${base}/dry-run`, body: reads });
    expect([read.body.status, read.body.directoryContents]).toEqual(["failed", []]);
    const files = (...paths: string[]) => paths.map((path) => ({ path, base64Content: "" }));
    for (const bad of [
      files("../x"),
      files("x".repeat(256)),
      files("a", "a/b"),
      files("."),
      files("a/b", "a"),
    ]) {
      const refused = await fixture.call({
        method: "POST",
        path: `${base}/dry-run`,
        body: { ...body, directoryContents: bad },
      });
      expect([refused.status, refused.text]).toEqual([
        400,
        expect.stringContaining(`/directoryContents/${bad.length - 1}/path`),
      ]);
    }
  });
});
