/** What a request asks for goes on after its answer: the lines that workers log of it name the request all the same. */
import { afterEach, expect, it } from "vitest";
import { createLogger } from "../src/platform/telemetry/logger.ts";
import { testPorts, testTools } from "./assistant/runs/agents.ts";
import { startBuilder } from "./builder/builder-fixture.ts";
import { hullId, provisioning, provisioningPath, ships } from "./coordinator/ships.ts";
import { startScriptedModel } from "./support/scripted-model/server.ts";
import { send, startWholeServer, type WholeServer } from "./support/server.ts";

interface Line {
  message: string;
  requestId?: string;
  clientAddress?: string;
  planId?: string;
  status?: string;
}

function openLog() {
  const lines: Line[] = [];
  const write = (text: string): void => void lines.push(JSON.parse(text) as Line);
  const log = createLogger({ level: "info", pretty: false }, { write });
  /** The requests that the lines with this message name, in order, with how what they asked for ended. */
  const endsOf = (message: string) =>
    lines
      .filter((line) => line.message === message)
      .map(({ requestId, clientAddress, status }) => [requestId, clientAddress, status]);
  return { log, endsOf };
}

const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).toReversed()) await close();
});

const from = (requestId: string) => ({ headers: { "x-request-id": requestId } });

it("plans: one that starts at once, one that is queued, a validation, one that is resumed", async () => {
  const { log, endsOf } = openLog();
  const server = await startWholeServer({ log });
  closes.push(() => server.close());
  await server.registerMock();
  const unit = ships();
  const begin = (requestId: string, query = ""): ReturnType<WholeServer["coordinator"]> =>
    server.coordinator({
      method: "POST",
      path: provisioningPath(unit.id) + query,
      body: provisioning(unit),
      ...from(requestId),
    });
  server.mock.setBehaviours({ components: { [hullId]: { outcome: "FAILED" } } });
  const first = await begin("one");
  await expect.poll(() => endsOf("a plan has ended")).toEqual([["one", "127.0.0.1", "FAILED"]]);
  server.mock.setBehaviours({ components: { [hullId]: { mode: "async", runningMs: 500 } } });
  const path = `/v1/execution-plans/${first.body}/resume`;
  const resumed = await server.coordinator({ method: "POST", path, ...from("two") });
  expect(resumed.status).toBe(202);
  expect((await begin("three", "&queue=true")).status).toBe(202);
  await expect
    .poll(() => endsOf("a plan has ended").slice(1))
    .toEqual([
      ["two", "127.0.0.1", "COMPLETED"],
      ["three", "127.0.0.1", "COMPLETED"],
    ]);
  const validation = {
    method: "POST",
    path: "/v2/validate",
    body: { descriptor: JSON.stringify(unit) },
    ...from("four"),
  };
  expect((await server.coordinator(validation)).status).toBeLessThan(300);
  await expect.poll(() => endsOf("a plan has ended").at(-1)?.[0]).toBe("four");
});

it("instantiations", async () => {
  const { log, endsOf } = openLog();
  const fixture = await startBuilder({ log });
  closes.push(() => fixture.close());
  fixture.addTemplate("logged", { steps: [{ id: "one", action: "debug:log", input: { message: "here" } }] });
  const body = { templateRef: "template:default/logged", values: {} };
  const path = "/api/builder/templates/instantiate";
  expect((await fixture.call({ method: "POST", path, body, ...from("five") })).status).toBeLessThan(300);
  await expect.poll(() => endsOf("an instantiation has ended")).toEqual([["five", "127.0.0.1", "completed"]]);
});

it("runs of the assistant", async () => {
  const { log, endsOf } = openLog();
  const model = await startScriptedModel([]);
  model.follow(() => ({ text: "Good morning" }));
  closes.push(() => model.close());
  const server = await startWholeServer({
    log,
    replaced: { runs: testPorts(model.url), tools: testTools() },
  });
  closes.push(() => server.close());
  const path = "/v2/task/sync";
  const asked = { method: "POST", path, body: { message: "Hello" }, ...from("six") };
  expect((await send(`${server.url}/api/assistant`, asked)).status).toBe(200);
  await expect.poll(() => endsOf("a run has ended")).toEqual([["six", "127.0.0.1", "completed"]]);
});
