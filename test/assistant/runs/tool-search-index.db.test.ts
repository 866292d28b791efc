/** An agent with more tools than a model is shown, ranked by the platform's own index: nothing is replaced but the model. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChatRequest, Turn } from "../../support/scripted-model/script.ts";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import { startWholeServer, until, type WholeServer } from "../../support/server.ts";

const offered = 4;

let server: WholeServer;
let model: ScriptedModel;
let agentId: string;

beforeAll(async () => {
  model = await startScriptedModel([]);
  server = await startWholeServer({
    configure({ assistant }) {
      assistant.offer.tools = offered;
      assistant.retrieval.lookEveryMs = 100;
    },
  });
  await server.registerMock();
  const configured = await server.assistant({
    method: "POST",
    path: "/llm/config",
    body: { provider: "openai-compatible", endpoint: model.url, model: "scripted" },
  });
  const listed = await server.assistant({ path: "/mcp-tools?limit=100" });
  const created = await server.assistant({
    method: "POST",
    path: "/agents",
    body: {
      name: "many",
      label: "Many",
      mcp_tools: listed.body.data.map(({ server: from, name }: { server: string; name: string }) => ({
        server: from,
        name,
      })),
    },
  });
  expect([configured.status, created.status]).toEqual([200, 201]);
  agentId = created.body.id;
  for (const name of ["list_tech_adapters", "get_plan_logs"])
    await until(
      () => server.assistant({ path: `/search?kind=tool&limit=50&q=${name.replaceAll("_", "+")}` }),
      ({ body }) => body.data.some(({ key }: { key: string }) => key === `platform:${name}`),
    );
});
afterAll(async () => {
  await server.close();
  await model.close();
});

const namesOf = ({ tools }: ChatRequest): string[] => tools.map(({ function: { name } }) => name);

it("shows the tools whose descriptions fit the task, finds others, and calls one of them", async () => {
  const turns: Turn[] = [
    { calls: [{ name: "find_tools", arguments: { query: "log lines of an execution plan" } }] },
    {
      calls: [
        { name: "platform__get_plan_logs", arguments: { planToken: "00000000-0000-4000-8000-000000000000" } },
      ],
    },
  ];
  let next = 0;
  model.follow(({ messages }) =>
    messages[0]?.content?.includes("Write a title")
      ? { text: "A title" }
      : (turns[next++] ?? { text: "Done" }),
  );
  const message = "Which tech adapters are deployed in the environment?";
  const answer = await server.assistant({
    method: "POST",
    path: "/task/sync",
    body: { message, agent_id: agentId },
  });
  expect([answer.status, answer.body.message]).toEqual([200, "Done"]);
  const [first, second, third] = model.requests
    .map(({ body }) => body)
    .filter((body) => body.tools?.length > 0);
  expect(namesOf(first!)).toContain("platform__list_tech_adapters");
  expect(namesOf(first!)).toContain("find_tools");
  expect(namesOf(first!).filter((name) => name.startsWith("platform__"))).toHaveLength(offered);
  expect(namesOf(first!)).not.toContain("platform__get_plan_logs");
  expect(second!.messages.at(-1)!.content).toContain("tool platform:get_plan_logs: ");
  expect(namesOf(second!)).toContain("platform__get_plan_logs");
  expect(third!.messages.at(-1)!.content).toContain("(404, not found)");
});
