/** What an adapter says when it refuses: all of it, wherever people look. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import { registerAdapter, startWholeServer, type WholeServer } from "../support/server.ts";
import { ended, ships, start } from "./ships.ts";

const templateId = "urn:dmb:itm:recorder:1";
const refusal = {
  errors: ["Column a is missing", "Column b has the type text"],
  userMessage: "The table does not fit its contract",
  moreInfo: {
    problems: ["Column b has the type text", "Column c is twice there"],
    solutions: ["Add column a"],
  },
};
const lines = [
  "The table does not fit its contract",
  "- Column a is missing",
  "- Column b has the type text",
  "- Column c is twice there",
  "What to do: Add column a",
];

let server: WholeServer;
let recorder: Recorder;

beforeAll(async () => {
  recorder = await startRecorder();
  server = await startWholeServer();
  await registerAdapter(server, { id: templateId, url: recorder.url });
});
afterAll(async () => {
  await server.close();
  await recorder.close();
});
beforeEach(() => {
  recorder.answers.clear();
  recorder.answers.set("/v1/validate", { status: 200, body: { valid: true } });
});

const unit = (id: string) => {
  const all = ships(id);
  const [hull] = all.components;
  return { ...all, components: [{ ...hull!, infrastructureTemplateId: templateId }] };
};

/** The task of the plan, in each of the places that tell of it. */
async function failureShown(token: string, taskId: string) {
  const [plan, status, logs, events] = await Promise.all(
    [
      `/v1/execution-plans/${token}?include-descriptors=false`,
      `/v1/execution-plans/${token}/status`,
      `/v1/logs/${token}?level=ERROR`,
      `/v1/execution-plans/${token}/events`,
    ].map((path) => server.coordinator({ path })),
  );
  const found = (node: any): any =>
    node.id === taskId ? node : node.dependsOnTasks.map(found).find((each: unknown) => each !== undefined);
  const data = events!.text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
  return {
    plan: found(plan!.body.dag).result,
    status: found(status!.body.dag).result.message,
    logs: logs!.body.map(({ message }: any) => message),
    events: data
      .map((text) => JSON.parse(text))
      .filter(({ id, status: at }) => id === taskId && at === "FAILED"),
  };
}

it.each([
  ["400", 400, refusal, "the adapter refused with 400"],
  ["500", 500, { error: lines[0], ...refusal }, "the adapter failed with 500"],
])(
  "a provision that is answered %s says all of it in plan, status, log and event",
  async (_, status, body, how) => {
    recorder.answers.set("/v1/provision", { status, body });
    const all = unit(`urn:dmb:dp:sea:told-${status}:0`);
    const token = await start(server, all);
    expect(await ended(server, token)).toBe("FAILED");
    const why = `POST /v1/provision: ${how}: ${lines.join("\n")}`;
    const shown = await failureShown(token, `provision:${all.components[0]?.id}`);
    const message = `Provisioning of hull failed: ${why}`;
    expect({ ...shown, events: shown.events.map((event: any) => event.message) }).toEqual({
      plan: why,
      status: why,
      logs: [message],
      events: [message],
    });
  },
);

it("a validation keeps them as lists too, whether it is refused or answered", async () => {
  const validate = async (answer: { status: number; body: unknown }) => {
    recorder.answers.set("/v1/validate", answer);
    const descriptor = JSON.stringify(unit("urn:dmb:dp:sea:told-validation:0"));
    const { body } = await server.coordinator({ method: "POST", path: "/v1/validate", body: { descriptor } });
    return body.results[1].errors;
  };
  const errors = ["Column a is missing", "Column b has the type text", "Column c is twice there"];
  const expected = {
    errors,
    code: "COORD_COMPONENT_NOT_VALID",
    userMessage: "The table does not fit its contract",
    input: "",
    inputErrorField: "/descriptor/components/0",
    moreInfo: { problems: errors, solutions: ["Add column a"] },
  };
  expect(await validate({ status: 200, body: { valid: false, error: refusal } })).toEqual(expected);
  expect(await validate({ status: 400, body: refusal })).toEqual(expected);
});
