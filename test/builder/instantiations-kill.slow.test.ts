/** Tasks over processes of their own: one that serves, others that work and are killed in the middle of a step. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  databaseVariables,
  productProgram,
  startChild,
  startWorker,
  stopChild,
  type Child,
  type Worker,
} from "../crash/processes.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { readEvents, type StreamedEvent } from "./stage.ts";
import { eventually } from "../support/eventually.ts";

let db: TestDatabase;
let cwd = "";
let api: Child;
let base = "";
let worker: Worker;

const options = () => ({ cwd, env: databaseVariables(db.connection) });

const template = {
  apiVersion: "scaffolder.backstage.io/v1beta3",
  kind: "Template",
  metadata: { name: "slow" },
  spec: {
    type: "system",
    owner: "user:default/guest",
    parameters: { properties: { seconds: { type: "number" } } },
    steps: [
      { id: "before", action: "debug:log", input: { message: "before" } },
      { id: "wait", action: "debug:wait", input: { seconds: "${{ parameters.seconds }}" } },
      { id: "after", action: "debug:log", input: { message: "after ${{ parameters.seconds }}" } },
    ],
  },
};

/** As guests, whom a server on this machine lets in. */
async function call(path: string, body?: object): Promise<{ status: number; text: string }> {
  const response = await fetch(base + path, {
    method: body === undefined ? "GET" : "POST",
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  return { status: response.status, text: await response.text() };
}

async function start(seconds: number): Promise<string> {
  const body = { templateRef: "slow", values: { seconds } };
  const answer = await call("/api/builder/templates/instantiate", body);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return JSON.parse(answer.text).id;
}

const eventsOf = async (id: string): Promise<StreamedEvent[]> =>
  readEvents((await call(`/api/builder/templates/tasks/${id}/eventstream`)).text);

beforeAll(async () => {
  db = await testDatabase();
  cwd = await mkdtemp(join(tmpdir(), "plinth-tasks-"));
  await writeFile(join(cwd, "template.yaml"), JSON.stringify(template));
  await writeFile(
    join(cwd, "plinth.yaml"),
    JSON.stringify({ mesh: { builder: { catalogue: { folders: [cwd] } } } }),
  );
  api = startChild(productProgram(), ["start", "--workers", "off", "--port", "0"], options());
  base = await api.waitForLine(({ url }) => (typeof url === "string" ? url : undefined));
  worker = startWorker(options());
  const location = await call("/api/catalog/locations", { type: "file", target: join(cwd, "template.yaml") });
  expect([location.status, location.text]).toEqual([201, expect.any(String)]);
  await eventually("the worker", async () => worker.id);
});

afterAll(async () => {
  await stopChild(worker.child);
  await stopChild(api);
  await db.drop();
  await rm(cwd, { recursive: true, force: true });
});

it("a task that is posted where nobody works is done where somebody does", async () => {
  const events = await eventsOf(await start(0));
  expect(events.at(-1)).toMatchObject({ event: "completion", data: { status: "completed" } });
  expect(events.map(({ data }) => data.message)).toContain("after 0");
});

it("a worker that is killed in the middle of a step leaves the task to the next, which repeats nothing", async () => {
  const id = await start(4);
  await eventually("the step", async () => {
    const { text } = await call(`/api/scaffolder/v2/tasks/${id}/events`);
    const events: { body: { stepId?: string } }[] = JSON.parse(text);
    return events.some(({ body }) => body.stepId === "wait");
  });
  worker.child.process.kill("SIGKILL");
  await worker.child.gone;
  worker = startWorker(options());
  const events = await eventsOf(id);
  expect(events.filter(({ event }) => event === "recovered")).toMatchObject([
    { data: { recoverStrategy: "resume" } },
  ]);
  const begun = (step: string) =>
    events.filter(({ data }) => data.stepId === step && data.status === "processing").length;
  expect([begun("before"), begun("wait"), begun("after")]).toEqual([1, 2, 1]);
  expect(events.filter(({ event }) => event === "completion")).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ event: "completion", data: { status: "completed" } });
});
