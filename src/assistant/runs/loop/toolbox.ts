/** Pure: what one agent may call in a model turn, under names that models accept. */
import { modelName, type ModelTool } from "../../models/model.ts";
import type { ToolDefinition } from "../../tools/tool-source.ts";
import type { RunAgent } from "../../agents/run-agent.ts";
import type { ToolSelection } from "./tool-selection.ts";

export type Callable =
  | { kind: "tool"; tool: ToolDefinition }
  | { kind: "agent"; id: string; label: string }
  | { kind: "skill" }
  | { kind: "find" };

export interface Toolbox {
  /** Definitions for the model. */
  tools: ModelTool[];
  find(name: string): Callable | undefined;
}

interface ToolboxOptions {
  agent: RunAgent;
  selection: ToolSelection;
  /** False at the maximum depth of agents that call agents. */
  mayAsk: boolean;
}

export function toolboxOf({ agent, selection, mayAsk }: ToolboxOptions): Toolbox {
  const byName = new Map<string, Callable>();
  const tools: ModelTool[] = [];
  const add = (callable: Callable, tool: ModelTool): void => {
    if (byName.has(tool.name)) return;
    byName.set(tool.name, callable);
    tools.push(tool);
  };
  if (selection.skills.length > 0) add({ kind: "skill" }, loadSkill);
  const { shownTools, shownSkills } = selection;
  if (shownTools.length < selection.tools.length || shownSkills.length < selection.skills.length)
    add({ kind: "find" }, findTools);
  for (const tool of shownTools) {
    const { server, name, description, inputSchema } = tool;
    add(
      { kind: "tool", tool },
      { name: modelName(`${server}__${name}`), description, parameters: inputSchema },
    );
  }
  for (const { id, name, label, description } of mayAsk ? agent.subagents : []) {
    const about = `Asks the agent ${label}. It knows nothing of this conversation. ${description}`;
    add(
      { kind: "agent", id, label },
      { name: modelName(`ask_${name}`), description: about, parameters: askSchema },
    );
  }
  return { tools, find: (name) => byName.get(name) };
}

const loadSkill: ModelTool = {
  name: "load_skill",
  description: "Loads a skill, with its tools, for the rest of this conversation.",
  parameters: {
    type: "object",
    properties: { name: { type: "string", description: "Name of the skill." } },
    required: ["name"],
    additionalProperties: false,
  },
};

const findTools: ModelTool = {
  name: "find_tools",
  description:
    "Finds tools and skills that are not shown to you, by words of what they are for; they are offered to you then.",
  parameters: {
    type: "object",
    properties: { query: { type: "string", description: "What you want to do." } },
    required: ["query"],
    additionalProperties: false,
  },
};

const askSchema = {
  type: "object",
  properties: { task: { type: "string", description: "The whole task, with all that is needed for it." } },
  required: ["task"],
  additionalProperties: false,
};
