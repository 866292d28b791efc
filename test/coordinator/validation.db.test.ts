/** Asynchronous validation, of whole units and by adapters that offer it themselves. */
import { dump } from "js-yaml";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import {
  mockAdapterId,
  registerAdapter,
  startWholeServer,
  until,
  type WholeServer,
} from "../support/server.ts";
import { countRows } from "./refusals.ts";
import { ended, hullId, mastId, sailId, ships, start } from "./ships.ts";

const plainId = "urn:dmb:itm:plain:1";
const promisedId = "urn:dmb:itm:promised:1";
let server: WholeServer;
let recorder: Recorder;

beforeAll(async () => {
  recorder = await startRecorder();
  server = await startWholeServer();
  await server.registerMock();
  // The mock offers it, the recorder is said to but does not.
  for (const [id, url] of [
    [plainId, server.mock.url],
    [promisedId, recorder.url],
  ] as const) {
    await registerAdapter(server, { id, url, properties: { asyncValidation: id === promisedId } });
  }
  const properties = { asyncValidation: true };
  await registerAdapter(server, { id: mockAdapterId, url: server.mock.url, properties });
});
afterAll(async () => {
  await server.close();
  await recorder.close();
});
beforeEach(() => {
  server.mock.clearJournal();
  server.mock.setBehaviours({ default: { logs: { lines: 0, style: "new" } } });
  recorder.answers.clear();
  recorder.calls.length = 0;
});

async function validate(descriptor: string): Promise<string> {
  const answer = await server.coordinator({ method: "POST", path: "/v2/validate", body: { descriptor } });
  expect([answer.status, answer.text]).toEqual([202, expect.stringMatching(/^"[0-9a-f-]{36}"$/)]);
  return answer.body;
}

const statusOf = (token: string) => server.coordinator({ path: `/v2/validate/${token}/status` });
const over = (token: string) =>
  until(
    () => statusOf(token),
    ({ body }) => body.status !== "RUNNING",
  );
const none = {
  errors: [],
  code: "",
  userMessage: "",
  input: "",
  inputErrorField: "",
  moreInfo: { problems: [], solutions: [] },
};

it("answers phase by phase, with one result for each component", async () => {
  server.mock.setBehaviours({
    components: { [mastId]: { mode: "async", validationErrors: ["the mast is too long", "and crooked"] } },
    default: { mode: "async", logs: { lines: 0, style: "new" } },
  });
  const unit = { ...ships("urn:dmb:dp:sea:checked:0"), infrastructureTemplateId: plainId };
  const text = dump(unit);
  const before = await countRows(server);
  const token = await validate(text);
  const { status, body } = await over(token);
  const component = (index: number, more: object = {}) => ({
    validationPhaseKind: "COMPONENT_VALIDATION_PHASE",
    validatedDescriptor: dump(unit.components[index], { lineWidth: -1 }),
    errors: none,
    status: "COMPLETED",
    ...more,
  });
  const problems = ["the mast is too long", "and crooked"];
  expect([status, body]).toEqual([
    200,
    {
      status: "FAILED",
      validationSummaryStatus: {
        results: [
          {
            validationPhaseKind: "INTERNAL_VALIDATION_PHASE",
            validatedDescriptor: text,
            errors: none,
            status: "COMPLETED",
          },
          component(0),
          component(1, {
            status: "FAILED",
            errors: {
              errors: problems,
              code: "COORD_COMPONENT_NOT_VALID",
              userMessage: "the mast is too long and crooked",
              input: "",
              inputErrorField: "/descriptor/components/1",
              moreInfo: {
                problems,
                solutions: ["Mend what the adapter says is wrong, and validate again."],
              },
            },
          }),
          component(2),
          {
            validationPhaseKind: "DATAPRODUCT_VALIDATION_PHASE",
            validatedDescriptor: text,
            errors: none,
            status: "COMPLETED",
          },
        ],
      },
    },
  ]);
  expect(await ended(server, token)).toBe("FAILED");
  const paths = Map.groupBy(
    server.mock.journal().filter(({ method }) => method === "POST"),
    ({ path }) => path,
  );
  expect([...paths].map(([path, calls]) => `${path} ${calls.length}`).sort()).toEqual([
    "/v1/validate 1",
    "/v2/validate 3",
  ]);
  // No unit, component or operation comes of it, and nobody is audited: nothing has changed.
  const { units, unit_components, operations, audit } = await countRows(server);
  expect({ units, unit_components, operations, audit }).toEqual({
    units: before["units"],
    unit_components: before["unit_components"],
    operations: before["operations"],
    audit: before["audit"],
  });
});

const validateNow = (descriptor: string, more: object = {}) =>
  server.coordinator({ method: "POST", path: "/v1/validate", body: { descriptor, ...more } });

it("comes to the same verdict when its caller waits for it", async () => {
  server.mock.setBehaviours({
    components: { [mastId]: { mode: "async", validationErrors: ["the mast is too long", "and crooked"] } },
    default: { mode: "async", logs: { lines: 0, style: "new" } },
  });
  const unit = { ...ships("urn:dmb:dp:sea:waited:0"), infrastructureTemplateId: plainId };
  const text = dump(unit);
  const waited = await validateNow(text);
  const { body } = await over(await validate(text));
  expect([waited.status, waited.body]).toEqual([200, body.validationSummaryStatus]);
  expect(waited.body.results.map(({ status }: any) => status)).toEqual([
    "COMPLETED",
    "COMPLETED",
    "FAILED",
    "COMPLETED",
    "COMPLETED",
  ]);
});

it("asks no adapter, and makes no plan, when the descriptor itself is not valid", async () => {
  const before = await countRows(server);
  const { status, body } = await validateNow("id: a\ncomponents: [");
  expect([status, body.results.map((each: any) => each.validationPhaseKind)]).toEqual([
    200,
    ["INTERNAL_VALIDATION_PHASE"],
  ]);
  expect([await countRows(server), server.mock.journal()]).toEqual([before, []]);
});

it.each([true, false])(
  "tells the adapters of removeData %s, whether somebody waits or not",
  async (removeData) => {
    recorder.answers.set("/v1/validate", { status: 200, body: { valid: true } });
    recorder.answers.set("/v2/validate", { status: 404, body: {} });
    const unit = ships(`urn:dmb:dp:sea:removed-${removeData}:0`);
    for (const part of unit.components) part.infrastructureTemplateId = promisedId;
    unit.components = unit.components.slice(0, 1);
    const body = { descriptor: dump(unit), removeData };
    await validateNow(body.descriptor, { removeData });
    const { body: token } = await server.coordinator({ method: "POST", path: "/v2/validate", body });
    await over(token);
    const sent = recorder.calls.map((call) => [call.path, call.body.removeData]);
    expect(sent).toEqual(
      [...Array(2)].flatMap(() => ["/v2/validate", "/v1/validate"].map((path) => [path, removeData])),
    );
  },
);

describe("a caller that waits", () => {
  const stuck = () => server.mock.setBehaviours({ default: { mode: "async", runningMs: 60_000 } });
  const endAll = async (): Promise<void> => {
    const { rows } = await sql<{ id: string }>`select id from execution_plans where kind = 'VALIDATION'
      and status in ('WAITING', 'RUNNING')`.execute(server.db.database.db);
    for (const { id } of rows) {
      const path = `/v1/execution-plans/${id}/terminate?mode=forced`;
      await server.coordinator({ method: "POST", path });
      await ended(server, id);
    }
  };

  it("shows what was not answered in time as failed phases", async () => {
    stuck();
    const impatient = await startWholeServer({
      workers: "off",
      db: { ...server.db, drop: async () => {} },
      configure: (config) => void (config.coordinator.validation.syncTimeoutMs = 1_000),
    });
    const descriptor = dump(ships("urn:dmb:dp:sea:slow:0"));
    const request = { method: "POST", path: "/v1/validate", body: { descriptor } };
    const { status, body } = await impatient.coordinator(request);
    await impatient.close();
    expect([status, body.results.map((each: any) => [each.validationPhaseKind, each.status])]).toEqual([
      200,
      [
        ["INTERNAL_VALIDATION_PHASE", "COMPLETED"],
        ...[...Array(3)].map(() => ["COMPONENT_VALIDATION_PHASE", "FAILED"]),
      ],
    ]);
    const { errors } = body.results[1];
    const [, token] = /under the token ([0-9a-f-]{36})\.$/.exec(errors.userMessage) ?? [];
    expect(errors).toEqual({
      errors: [errors.userMessage],
      code: "COORD_VALIDATION_UNANSWERED",
      userMessage: expect.stringMatching(
        /^The tech adapter had not answered after \d+\.\d s; the validation goes on/,
      ),
      input: "",
      inputErrorField: "",
      moreInfo: {
        problems: [errors.userMessage],
        solutions: [`Read GET /v2/validate/${token}/status until it has ended, or validate again.`],
      },
    });
    expect((await statusOf(token ?? "")).body.status).toBe("RUNNING");
    await endAll();
  });

  it("and goes away is waited for no longer, and holds no connection meanwhile", async () => {
    stuck();
    const texts = Array.from({ length: 30 }, (_, n) => dump(ships(`urn:dmb:dp:sea:left-${n}:0`)));
    const leave = new AbortController();
    const waiting = texts.map((descriptor) =>
      fetch(`${server.url}/api/coordinator/v1/validate`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${server.token("admin")}` },
        body: JSON.stringify({ descriptor }),
        signal: leave.signal,
      }).then(
        () => "answered",
        () => "left",
      ),
    );
    // More wait than the pool has connections; reads are answered all the same.
    await until(
      () => server.coordinator({ path: "/v2/provisioning-operations?limit=1" }),
      ({ status }) => status === 200,
    );
    leave.abort();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(["left"]));
    await endAll();
  });
});

it("is over at once when the descriptor itself is not valid", async () => {
  const token = await validate("id: a\ncomponents: [");
  const { body } = await statusOf(token);
  expect(body).toMatchObject({
    status: "FAILED",
    validationSummaryStatus: {
      results: [
        {
          validationPhaseKind: "INTERNAL_VALIDATION_PHASE",
          status: "FAILED",
          errors: { code: "COORD_INVALID_DESCRIPTOR" },
        },
      ],
    },
  });
  const plan = await server.coordinator({ path: `/v1/execution-plans/${token}/status` });
  expect([plan.status, plan.body.dag.status]).toEqual([200, "FAILED"]);
  expect(await ended(server, token)).toBe("FAILED");
});

it("does not get in the way of an operation on the same unit, nor it in its way", async () => {
  server.mock.setBehaviours({ default: { operations: { provision: { delayMs: 1_500 } } } });
  const unit = ships("urn:dmb:dp:sea:shared:0");
  const operation = await start(server, unit);
  const token = await validate(dump(unit));
  expect((await over(token)).body.status).toBe("COMPLETED");
  expect(await ended(server, operation)).toBe("COMPLETED");
  const path = `/v1/deployment-units/${unit.id}/provisioning-status?environment=development`;
  expect((await server.coordinator({ path })).body.status).toBe("DEPLOYED");
  // The token of a provisioning is not one of a validation.
  expect((await statusOf(operation)).status).toBe(404);
});

it("runs until it is terminated, as any plan", async () => {
  server.mock.setBehaviours({ default: { mode: "async", runningMs: 60_000 } });
  const token = await validate(dump(ships("urn:dmb:dp:sea:stuck:0")));
  const running = await statusOf(token);
  expect(running.body.status).toBe("RUNNING");
  expect(running.body.validationSummaryStatus.results.map(({ status }: any) => status)).toEqual([
    "COMPLETED",
    "RUNNING",
    "RUNNING",
    "RUNNING",
  ]);
  const path = `/v1/execution-plans/${token}/terminate?mode=forced`;
  expect((await server.coordinator({ method: "POST", path })).status).toBe(202);
  expect(await ended(server, token)).toBe("TERMINATED");
  expect((await statusOf(token)).body.status).toBe("FAILED");
});

it.each([404, 405, 501])(
  "falls back on /v1/validate where an adapter answers %i, and says so",
  async (status) => {
    recorder.answers.set("/v2/validate", { status, body: {} });
    recorder.answers.set("/v1/validate", { status: 200, body: { valid: true } });
    const unit = ships(`urn:dmb:dp:sea:promised-${status}:0`);
    for (const part of unit.components) part.infrastructureTemplateId = promisedId;
    unit.components = unit.components.slice(0, 1);
    const token = await validate(dump(unit));
    expect((await over(token)).body.status).toBe("COMPLETED");
    expect(recorder.calls.map(({ path }) => path)).toEqual(["/v2/validate", "/v1/validate"]);
    const [first, second] = recorder.calls;
    expect(second?.body).toEqual(first?.body);
    const { body } = await server.coordinator({ path: `/v1/logs/${token}?level=WARNING` });
    expect(body.map(({ message }: any) => message)).toEqual([
      `Validation of hull: POST /v2/validate: the adapter does not support it (${status}). It is asked by POST /v1/validate instead.`,
    ]);
  },
);

it("a provisioning asks the adapters in the same way", async () => {
  server.mock.setBehaviours({
    components: { [sailId]: { operations: { validate: { mode: "async", verdictIn: "publicInfo" } } } },
  });
  expect(await ended(server, await start(server, ships("urn:dmb:dp:sea:asked:0")))).toBe("COMPLETED");
  const validations = server.mock.journal().filter(({ operation }) => operation === "validate");
  expect(validations.map(({ path, componentId }) => `${path} ${componentId}`).sort()).toEqual(
    [hullId, mastId, sailId].map((id) => `/v2/validate ${id}`),
  );
});
