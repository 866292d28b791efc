/** Tasks over processes of their own: one that serves, others that work and are killed in the middle of a step. */
import { writeFile } from "node:fs/promises";
import type { RequestListener, ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startHttpPeer, type HttpPeer } from "../support/http-peer.ts";
import { openProcessStage, type ProcessStage } from "../support/process-stage.ts";
import type { Answer } from "../support/server.ts";
import { readEvents, type StreamedEvent } from "./builder-fixture.ts";

let fixture: ProcessStage;
let peer: HttpPeer;

/** What a step fetches; while it is held nobody is answered. */
let isHeld = false;
const held: ServerResponse[] = [];
const files: RequestListener = (_request, response) => {
  if (isHeld) held.push(response);
  else response.end("text");
};

const template = {
  apiVersion: "scaffolder.backstage.io/v1beta3",
  kind: "Template",
  metadata: { name: "slow" },
  spec: {
    type: "system",
    owner: "user:default/guest",
    parameters: { properties: { url: { type: "string" } } },
    steps: [
      { id: "before", action: "debug:log", input: { message: "before" } },
      { id: "wait", action: "fetch:plain:file", input: { url: "${{ parameters.url }}", targetPath: "file" } },
      { id: "after", action: "debug:log", input: { message: "after" } },
    ],
  },
};

const call = (path: string, body?: object): Promise<Answer> =>
  fixture.call({ method: body === undefined ? "GET" : "POST", path, body });

async function start(): Promise<string> {
  const body = { templateRef: "slow", values: { url: `${peer.url}/file` } };
  const answer = await call("/api/builder/templates/instantiate", body);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body.id;
}

const eventsOf = async (id: string): Promise<StreamedEvent[]> =>
  readEvents((await call(`/api/builder/templates/tasks/${id}/eventstream`)).text);

beforeAll(async () => {
  fixture = await openProcessStage({
    settings: (cwd) => ({
      mesh: { builder: { catalogue: { folders: [cwd] } } },
      outbound: { privateNetworks: { templates: true } },
    }),
  });
  peer = await startHttpPeer(files);
  const target = join(fixture.cwd, "template.yaml");
  await writeFile(target, JSON.stringify(template));
  await fixture.serve();
  const worker = fixture.startWorker();
  const location = await call("/api/catalog/locations", { type: "file", target });
  expect([location.status, location.text]).toEqual([201, expect.any(String)]);
  await eventually("the worker", () => worker.id);
});

afterAll(async () => {
  await fixture.close();
  await peer.close();
});

it("a task that is posted where nobody works is done where somebody does", async () => {
  const events = await eventsOf(await start());
  expect(events.at(-1)).toMatchObject({ event: "completion", data: { status: "completed" } });
  expect(events.map(({ data }) => data.message)).toContain("after");
});

it("a worker that is killed in the middle of a step leaves the task to the next, which repeats nothing", async () => {
  isHeld = true;
  const id = await start();
  await eventually("the call of the step", () => held.length === 1);
  await eventually("the step", async () => {
    const { body } = await call(`/api/scaffolder/v2/tasks/${id}/events`);
    return body.some((event: { body: { stepId?: string } }) => event.body.stepId === "wait");
  });
  await fixture.killWorkers();
  isHeld = false;
  fixture.startWorker();
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
