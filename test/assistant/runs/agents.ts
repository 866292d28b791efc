/** Agents and tools in memory, for tests of runs that need no records of them. */
import type { RunAgent } from "../../../src/assistant/agents/run-agent.ts";
import type { ModelConfig } from "../../../src/assistant/models/read-model.ts";
import type { RunPorts } from "../../../src/assistant/runs/loop/run-state.ts";
import type { ToolCall, ToolDefinition, ToolSource } from "../../../src/assistant/tools/tool-source.ts";
import type { Actor } from "../../../src/platform/lib/actor.ts";

export const agentIds = {
  main: "11111111-1111-4111-8111-111111111101",
  helper: "11111111-1111-4111-8111-111111111102",
  off: "11111111-1111-4111-8111-111111111103",
};

const tool = (name: string) => ({ server: "unit", name });

const base = {
  instructions: "",
  isOrchestrator: false,
  skills: [],
  mcpTools: [],
  subagents: [],
  enabled: true,
};

const helper: RunAgent = {
  ...base,
  id: agentIds.helper,
  name: "helper",
  label: "Helper",
  description: "Helps.",
  instructions: "You are the helper.",
  mcpTools: [tool("remove")],
};

const agents: RunAgent[] = [
  {
    ...base,
    id: agentIds.main,
    name: "main",
    label: "Main",
    description: "Answers.",
    instructions: "You are the main agent.",
    mcpTools: [tool("look"), tool("remove"), tool("slow"), tool("act")],
    skills: [
      {
        id: "22222222-2222-4222-8222-222222222201",
        name: "plans",
        description: "Explains plans.",
        content: "Plans are read with explain.",
        mcpTools: [tool("explain")],
      },
    ],
    subagents: [helper],
  },
  helper,
  { ...base, id: agentIds.off, name: "off", label: "Off", description: "", enabled: false },
];

export function testPorts(endpoint: string | null): Omit<RunPorts, "readLimits"> {
  const model: ModelConfig = {
    provider: "openai",
    endpoint: endpoint ?? "",
    apiKey: "sk-canary-model-key",
    deployment: "",
    apiVersion: "",
    model: "scripted",
    customHeaders: [],
  };
  return {
    loadAgent: async (id) => agents.find((agent) => agent.id === id) ?? null,
    findRoot: async () => ({ default: null, orchestrator: agentIds.main }),
    listAgents: async () => agents.filter(({ enabled }) => enabled).map(({ id, name }) => ({ id, name })),
    readModel: async () => (endpoint === null ? null : model),
    rankKeys: async ({ keys, limit }) => keys.slice(0, limit),
  };
}

export interface SeenCall extends ToolCall {
  actor: Actor;
}

const removeSchema = { type: "object", properties: { what: { type: "string", maxLength: 20 } } };

/** `look` reads, `remove` and `act` destroy, `explain` belongs to a skill; `slow` and `act` never answer by themselves. */
export interface TestTools extends ToolSource {
  calls: SeenCall[];
  answer: (call: ToolCall) => string;
  /** Whether nobody may call `remove`. */
  isForbidden: boolean;
}

export function testTools(): TestTools {
  const definition = (name: string, destructive: boolean): ToolDefinition => ({
    server: "unit",
    name,
    description: `The tool ${name}.`,
    inputSchema: name === "remove" ? removeSchema : { type: "object" },
    destructive,
    readOnly: !destructive,
  });
  const calls: SeenCall[] = [];
  return {
    calls,
    isForbidden: false,
    async refusal(_ctx, { name }) {
      return name === "remove" && this.isForbidden ? "the user may not call remove." : null;
    },
    answer: (call) => `${call.name} of ${JSON.stringify(call.arguments)}`,
    list: async () => [
      definition("look", false),
      definition("remove", true),
      definition("explain", false),
      definition("slow", false),
      definition("act", true),
      definition("secret", false),
    ],
    async call(ctx, call, { signal }) {
      calls.push({ ...call, actor: ctx.actor });
      if (["slow", "act"].includes(call.name))
        await new Promise((_, fail) => signal.addEventListener("abort", fail));
      return { text: this.answer(call), isError: false };
    },
  };
}
