/** Runs of the shipped agents over the platform's real tools; only the model is scripted. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CatalogueFixture } from "../../builder/catalogue-fixture.ts";
import type { ChatRequest, Script, Turn } from "../../support/scripted-model/script.ts";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import { until, type TestRole } from "../../support/server.ts";
import { testPorts } from "../runs/agents.ts";
import { openStream, readUntil, allOf } from "../runs/stream.ts";
import { fleetSystem, startFleetFixture } from "./fleet-fixture.ts";

let fixture: CatalogueFixture;
let model: ScriptedModel;
let agentId: string;

beforeAll(async () => {
  model = await startScriptedModel([]);
  const ports = testPorts(model.url);
  fixture = await startFleetFixture({
    replaced: { runs: { readModel: () => ports.readModel() } },
    onConfig: (config) => {
      config.assistant.titles = "message";
    },
  });
  const { body } = await fixture.server.assistant({ path: "/agents?search=provisioning" });
  agentId = body.data[0].id;
});
afterAll(async () => {
  await fixture.close();
  await model.close();
});

const wanted = { systemRef: fleetSystem, environment: "development" };

const call = (name: string, given: object = {}): Turn => ({ calls: [{ name, arguments: given }] });

const platform = (name: string, given: object): Turn => call(`platform__${name}`, given);

/** What the last tool said, inside the marks that make it data. */
const lastResult = ({ messages }: ChatRequest): any => {
  const text = messages.at(-1)?.content ?? "";
  const from = text.indexOf("{");
  return from < 0 ? text : JSON.parse(text.slice(from, text.lastIndexOf("}") + 1));
};

const turnOf = ({ messages }: ChatRequest): number =>
  messages.filter(({ role }) => role === "assistant").length;

/** Previews, starts what was previewed, follows it, and tells how it ended. */
const deploys: Script = (request) => {
  switch (turnOf(request)) {
    case 0:
      return call("load_skill", { name: "Deploy and follow" });
    case 1:
      return platform("preview_provisioning", wanted);
    case 2:
      return platform("start_provisioning", { ...wanted, planHash: lastResult(request).planHash });
    case 3: {
      const { planToken } = lastResult(request);
      return planToken === undefined
        ? { text: `Not started. ${request.messages.at(-1)?.content ?? ""}` }
        : platform("get_plan", { planToken, waitSeconds: 45 });
    }
    default: {
      const { status, tasks } = lastResult(request);
      return { text: `The plan ended ${status} with ${tasks.length} tasks.` };
    }
  }
};

/** Runs the script for a user who decides so on every approval; the last text and the tools that were asked for. */
async function run(
  as: TestRole,
  script: Script,
  approved: boolean,
): Promise<{ text: string; asked: string[] }> {
  model.follow(script);
  const stream = await openStream(`${fixture.server.url}/api/assistant/v2/task`, {
    body: { message: "Deploy the fleet", agent_id: agentId },
    as,
  });
  let runId = "";
  const asked: string[] = [];
  const texts: string[] = [];
  const { data } = await readUntil(stream, (record) => {
    if (record.event === "RUN_STARTED") runId = record.data.runId;
    if (record.event === "TEXT_MESSAGE_CONTENT") texts.push(record.data.delta);
    return record.data.name === "approval_required" || record.event === "RUN_FINISHED";
  });
  if (data.name === "approval_required") {
    asked.push(`${data.value.server}:${data.value.tool}`);
    const path = `/runs/${runId}/approvals/${data.value.approval_id}`;
    const { status } = await fixture.server.assistant({ method: "POST", path, body: { approved }, as });
    expect(status).toBe(200);
  }
  const rest = await allOf(stream);
  for (const { event, data: more } of rest) if (event === "TEXT_MESSAGE_CONTENT") texts.push(more.delta);
  return { text: texts.join(""), asked };
}

const unitStatus = async (): Promise<string> => {
  const path = "/v1/deployment-units/urn:dmb:dp:mobility:fleet-positions:0/provisioning-status";
  const { body } = await fixture.server.coordinator({ path: `${path}?environment=development` });
  return body.status;
};

it("starts nothing that the user has not approved", async () => {
  const { text, asked } = await run("developer", deploys, false);
  expect(asked).toEqual(["platform:start_provisioning"]);
  expect(text).toContain("did not allow");
  expect(await unitStatus()).toBe("NOT_DEPLOYED");
});

it("starts nothing that the user may not start, whatever the model wants and the user approves", async () => {
  const followsInstructions: Script = (request) => {
    switch (turnOf(request)) {
      case 0:
        return call("load_skill", { name: "Deploy and follow" });
      case 1:
        return platform("start_provisioning", wanted);
      default:
        return { text: request.messages.at(-1)?.content ?? "" };
    }
  };
  const { text, asked } = await run("viewer", followsInstructions, true);
  expect(asked).toEqual([]);
  expect(text).toContain("may not call start_provisioning");
  expect(text).toContain("developer");
  expect(await unitStatus()).toBe("NOT_DEPLOYED");
});

it("previews, asks, deploys as the user, and follows the plan to its end", async () => {
  const { text, asked } = await run("developer", deploys, true);
  expect(asked).toEqual(["platform:start_provisioning"]);
  expect(text).toMatch(/The plan ended COMPLETED with \d+ tasks\./);
  expect(await unitStatus()).toBe("DEPLOYED");
  const { body } = await until(
    () => fixture.server.coordinator({ path: "/v2/provisioning-operations?limit=1" }),
    ({ body: { data } }) => data.length === 1,
  );
  expect(body.data[0].operation.originatorUri).toBe("service:default/developer");
});
