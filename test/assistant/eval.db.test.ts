/** The suite of the example against the shipped agents and real tools; only the model is scripted. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run, type Ran } from "../../src/cli/testdata.ts";
import type { CatalogueFixture } from "../builder/catalogue-fixture.ts";
import type { ChatRequest, Script, Turn } from "../support/scripted-model/script.ts";
import { startScriptedModel, type ScriptedModel } from "../support/scripted-model/server.ts";
import { fleetSystem, startFleetFixture } from "./mcp/fleet-fixture.ts";
import { testPorts } from "./runs/agents.ts";

const suite = fileURLToPath(new URL("../../examples/assistant/suite.yaml", import.meta.url));
let fixture: CatalogueFixture;
let model: ScriptedModel;
let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "plinth-eval-"));
  model = await startScriptedModel([]);
  const ports = testPorts(model.url);
  fixture = await startFleetFixture({
    replaced: { runs: { readModel: () => ports.readModel() } },
    onConfig: (config) => {
      config.assistant.titles = "message";
    },
  });
});
afterAll(async () => {
  await fixture.close();
  await model.close();
  await rm(cwd, { recursive: true, force: true });
});

const call = (name: string, given: object): Turn => ({ calls: [{ name, arguments: given }] });
const wanted = { systemRef: fleetSystem, environment: "development" };

const lastResult = ({ messages }: ChatRequest): any => {
  const text = messages.at(-1)?.content ?? "";
  return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
};

/** Does what the suite of the example wants. */
const good: Script = (request) => {
  const turn = request.messages.filter(({ role }) => role === "assistant").length;
  const asked = request.messages.find(({ role }) => role === "user")?.content ?? "";
  const steps: Turn[] = /Preview/.test(asked)
    ? [
        call("load_skill", { name: "Prepare and preview a deployment" }),
        call("platform__preview_provisioning", wanted),
        { text: "8 components would be deployed." },
      ]
    : /Deploy/.test(asked)
      ? [
          call("load_skill", { name: "Deploy and follow" }),
          call("platform__preview_provisioning", wanted),
          turn === 2
            ? call("platform__start_provisioning", { ...wanted, planHash: lastResult(request).planHash })
            : {},
          { text: "It was not started." },
        ]
      : /How is/.test(asked)
        ? [call("ask_provisioning", { task: "Look at the unit." }), { text: "Not deployed." }]
        : [
            call("load_skill", { name: "Deploy and follow" }),
            call("platform__get_unit_status", {
              deploymentUnitId: "mobility.fleet-positions:0",
              environment: "development",
            }),
            { text: "Not deployed." },
          ];
  return steps[turn] ?? { text: "Done." };
};

const evaluate = (file: string, ...more: string[]): Promise<Ran> =>
  run(["assistant", "eval", file, "--url", fixture.server.url, ...more], {
    cwd,
    env: { PLINTH_TOKEN: fixture.server.token("developer") },
  });

it("a model that does what is wanted passes", async () => {
  model.follow(good);
  const { code, out, err } = await evaluate(suite);
  expect(err).toBe("");
  expect(out).toContain("3 of 3 passed.");
  expect(code).toBe(0);
});

it("a model that does something else misses, and each miss is reported", async () => {
  model.follow([{ turn: { text: "All is well." } }]);
  const { code, out } = await evaluate(suite, "--json");
  expect(code).toBe(1);
  const { passed, cases } = JSON.parse(out);
  expect(passed).toBe(false);
  expect(cases.map(({ misses }: any) => misses)).toEqual([
    [
      'platform:preview_provisioning was not called with {"environment":"development"} in its turn',
      "the skill Prepare and preview a deployment was not loaded",
      "the answer does not fit 8|components",
    ],
    [
      "platform:preview_provisioning was not called in its turn",
      "platform:start_provisioning was not called in its turn",
      "the skill Deploy and follow was not loaded",
      "the answer does not fit not started",
    ],
    [
      "platform:get_unit_status was not called in its turn",
      "the agent provisioning was not asked in its turn",
    ],
  ]);
});

it("what is forbidden, another budget, and a run that ends badly are misses", async () => {
  const file = join(cwd, "strict.yaml");
  const expected = "{never: [load_skill], budget: {tool_calls: 0, tokens: 1}}";
  await writeFile(file, `cases: [{name: x, prompt: Preview, agent: provisioning, expect: ${expected}}]`);
  model.follow(good);
  const { code, out } = await evaluate(file);
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(/load_skill was called.*\n.*2 tool calls instead.*\n.*tokens/),
  ]);
  model.follow([{ turn: { status: 401 } }]);
  expect((await evaluate(file)).out).toContain("the run ended with model_auth");
});

it("a run that does not end is cancelled when its time is over, and the next case is asked", async () => {
  const file = join(cwd, "late.yaml");
  const own = "{name: patient, prompt: Quick, agent: provisioning, time_limit_seconds: 60}";
  const late = "{name: late, prompt: Slow, agent: provisioning}";
  await writeFile(file, `time_limit_seconds: 0.5\ncases: [${late}, ${own}]`);
  model.follow(({ messages }) =>
    /Slow/.test(messages.at(-1)?.content ?? "")
      ? { text: "on", endless: true, tokenMs: 20 }
      : { text: "There.", delayMs: 700 },
  );
  const { code, out } = await evaluate(file, "--json");
  expect(code).toBe(1);
  const { cases } = JSON.parse(out);
  expect(cases).toMatchObject([
    {
      name: "late",
      passed: false,
      timed_out: true,
      misses: ["the run had not ended after 0.5 seconds and was cancelled"],
    },
    { name: "patient", passed: true, timed_out: false },
  ]);
  const { body } = await fixture.server.assistant({ path: `/runs/${cases[0].run_id}`, as: "developer" });
  expect(body.status).toBe("cancelled");
  const shown = await evaluate(file);
  expect(shown.out).toMatch(/late +timed out/);
});

it.each([
  ["a time that is none", "time_limit_seconds: 0\ncases: [{name: x, prompt: x}]", "is no suite"],
  ["no file", null, "There is no file"],
  ["no YAML", "cases: [", "is no YAML"],
  ["no suite", "cases: [{name: x, expects: 1}]", "is no suite"],
  ["a pattern that is none", "cases: [{name: x, prompt: x, expect: {answer: '('}}]", "no regular expression"],
  ["an agent of nobody", "cases: [{name: x, prompt: x, agent: nobody}]", "There is no agent nobody"],
])("%s is refused before anything is asked", async (...[, text, message]) => {
  const file = join(cwd, "bad.yaml");
  await rm(file, { force: true });
  if (text !== null) await writeFile(file, text);
  const { code, err } = await evaluate(file);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
