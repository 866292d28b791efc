/** An agent with more tools and skills than a model is shown at a time: it finds them by words. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RunAgent } from "../../../src/assistant/agents/run-agent.ts";
import type { ChatRequest, Turn } from "../../support/scripted-model/script.ts";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import { startWholeServer, type WholeServer } from "../../support/server.ts";
import { agentIds, testPorts, testTools } from "./agents.ts";

const offeredTools = 40;
const offeredSkills = 30;
const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => String(n).padStart(2, "0"));
const skillId = (n: string): string => `33333333-3333-4333-8333-3333333333${n}`;

const agent: RunAgent = {
  id: agentIds.main,
  name: "main",
  label: "Main",
  description: "",
  instructions: "You have much.",
  enabled: true,
  isOrchestrator: true,
  mcpTools: numbers(60).map((n) => ({ server: "unit", name: `tool-${n}` })),
  skills: numbers(40).map((n) => ({
    id: skillId(n),
    name: `skill-${n}`,
    description: `About ${n}.`,
    content: `How to do ${n}.`,
    mcpTools: [{ server: "unit", name: `of-skill-${n}` }],
  })),
  subagents: [],
};

let server: WholeServer;
let model: ScriptedModel;
const tools = testTools();

beforeAll(async () => {
  model = await startScriptedModel([]);
  const named = [...agent.mcpTools, ...agent.skills.flatMap(({ mcpTools }) => mcpTools)];
  const definitions = named.map((tool) => ({
    ...tool,
    description: `The tool ${tool.name}.`,
    inputSchema: { type: "object" },
    destructive: false,
  }));
  const runs = {
    ...testPorts(model.url),
    loadAgent: async () => agent,
    // Whatever has a word of the query in its key fits best.
    rankKeys: async ({ query, keys, limit }: { query: string; keys: string[]; limit: number }) => {
      const fits = (key: string): number => Number(query.split(" ").some((word) => key.includes(word)));
      return keys.toSorted((a, b) => fits(b) - fits(a)).slice(0, limit);
    },
  };
  server = await startWholeServer({ replaced: { runs, tools: { ...tools, list: async () => definitions } } });
});
afterAll(async () => {
  await server.close();
  await model.close();
});

const namesOf = ({ tools: offered }: ChatRequest): string[] => offered.map(({ function: { name } }) => name);
const call = (name: string, given: object): Turn => ({ calls: [{ name, arguments: given }] });

async function ask(message: string, turns: Turn[]): Promise<ChatRequest[]> {
  model.requests.length = 0;
  const title: Turn = { text: "A title" };
  let next = 0;
  model.follow(({ messages }) =>
    messages[0]?.content?.includes("Write a title") ? title : (turns[next++] ?? { text: "Done" }),
  );
  const answer = await server.assistant({ method: "POST", path: "/task/sync", body: { message } });
  expect([answer.status, answer.body.message]).toEqual([200, "Done"]);
  return model.requests.map(({ body }) => body).filter((body) => JSON.stringify(body).includes("find_tools"));
}

it("shows what fits the task, and what the model then looks for", async () => {
  const [first, second, third, last] = await ask("Use tool-55 please", [
    call("find_tools", { query: "tool-58 333337" }),
    call("unit__tool-58", { a: 1 }),
    call("load_skill", { name: "skill-37" }),
  ]);
  const shown = namesOf(first!);
  expect(shown.slice(0, 3)).toEqual(["load_skill", "find_tools", "unit__tool-55"]);
  expect(shown).toHaveLength(offeredTools + 2);
  expect(shown).not.toContain("unit__tool-58");
  const systemPrompt = first!.messages[0]!.content ?? "";
  expect(systemPrompt.match(/^- skill-\d+: /gm)).toHaveLength(offeredSkills);
  expect(systemPrompt).not.toContain("skill-37");

  const found = second!.messages.at(-1)!.content ?? "";
  expect(found).toContain("tool unit:tool-58: The tool tool-58.");
  expect(found).toContain("skill skill-37: About 37.");
  expect(namesOf(second!).slice(0, 3)).toEqual(["load_skill", "find_tools", "unit__tool-58"]);
  expect(namesOf(second!)).toHaveLength(offeredTools + 2);
  expect(second!.messages[0]!.content).toContain("- skill-37: About 37.");

  expect(third!.messages.at(-1)!.content).toContain('tool-58 of {"a":1}');
  expect(last!.messages[0]!.content).toContain("How to do 37.");
  expect(namesOf(last!).slice(0, 3)).toEqual(["load_skill", "find_tools", "unit__of-skill-37"]);
});

it("does not call a tool that is not shown, and says what to look for", async () => {
  tools.calls.length = 0;
  const [, second, third] = await ask("Use tool-01", [
    call("unit__tool-59", {}),
    call("find_tools", { query: "" }),
  ]);
  expect(second!.messages.at(-1)!.content).toBe('Error: there is no tool "unit__tool-59" here.');
  expect(third!.messages.at(-1)!.content).toBe("Error: say in `query` what you look for.");
  expect(tools.calls).toEqual([]);
});
