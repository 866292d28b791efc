/**
 * The tools and skills that one agent may use in a model turn, and those that are shown to the model. When there are too many
 * to choose well from, the model is shown those that match the task best, and finds the others by search.
 */
import { toolId } from "../../record-schema.ts";
import type { ToolDefinition } from "../../tools/tool-source.ts";
import type { RunAgent } from "../../agents/run-agent.ts";
import type { Frame } from "./run-state.ts";
import { asData } from "./prompt.ts";
import type { RunContext } from "./run-context.ts";

type Skill = RunAgent["skills"][number];

export interface ToolSelection {
  /** The agent's own tools, and those of its loaded skills. */
  tools: ToolDefinition[];
  /** Skills that are not loaded. */
  skills: Skill[];
  shownTools: ToolDefinition[];
  shownSkills: Skill[];
}

interface AgentFrame {
  agent: RunAgent;
  frame: Frame;
}

export async function selectTools(context: RunContext, { agent, frame }: AgentFrame): Promise<ToolSelection> {
  const available = new Map((await context.tools.list()).map((tool) => [toolId(tool), tool]));
  const tools = [...new Set([...agent.mcpTools, ...toolsOfLoadedSkills(agent, frame)].map(toolId))].flatMap(
    (id) => available.get(id) ?? [],
  );
  const skills = agent.skills.filter(({ name }) => !frame.loaded.includes(name));
  const { offer } = context.settings;
  const all = { tools, skills, shownTools: tools, shownSkills: skills };
  if (tools.length <= offer.tools && skills.length <= offer.skills) return all;
  frame.chosen ??= await initialChoice(context, { agent, frame }, all);
  const { chosen } = frame;
  return {
    ...all,
    shownTools: tools.length <= offer.tools ? tools : pick(tools, chosen.tools, toolId),
    shownSkills: skills.length <= offer.skills ? skills : pick(skills, chosen.skills, ({ id }) => id),
  };
}

const toolsOfLoadedSkills = (agent: RunAgent, { loaded }: Frame) =>
  agent.skills.flatMap(({ name, mcpTools }) => (loaded.includes(name) ? mcpTools : []));

/** The items with these keys, in the order of the keys. */
function pick<T>(items: readonly T[], keys: readonly string[], keyOf: (item: T) => string): T[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

/** Characters of the task or query that are matched. */
const queryChars = 2_000;

/** Tools and skills that match the agent's task; the tools of loaded skills come first. */
async function initialChoice(
  context: RunContext,
  { agent, frame }: AgentFrame,
  { tools, skills }: Pick<ToolSelection, "tools" | "skills">,
): Promise<NonNullable<Frame["chosen"]>> {
  const task = frame.messages.findLast(({ role }) => role === "user")?.content ?? "";
  const query = task.slice(0, queryChars);
  const { offer } = context.settings;
  const loaded = toolsOfLoadedSkills(agent, frame).map(toolId);
  const fitting = await context.rankKeys({
    kind: "tool",
    query,
    keys: tools.map(toolId),
    limit: offer.tools,
  });
  const skillKeys = skills.map(({ id }) => id);
  return {
    tools: first([...loaded, ...fitting], offer.tools),
    skills: await context.rankKeys({ kind: "skill", query, keys: skillKeys, limit: offer.skills }),
  };
}

const first = (keys: readonly string[], most: number): string[] => [...new Set(keys)].slice(0, most);

/** Shows the tools of a newly loaded skill before others. */
export function showFirst(context: RunContext, frame: Frame, keys: readonly string[]): void {
  if (frame.chosen === undefined) return;
  frame.chosen.tools = first([...keys, ...frame.chosen.tools], context.settings.offer.tools);
}

const foundTools = 8;
const foundSkills = 5;
const aboutChars = 200;

/** The model's search for tools and skills; what it finds is shown to it from then on. */
export async function searchTools(
  context: RunContext,
  { frame, selection }: { frame: Frame; selection: ToolSelection },
  query: unknown,
): Promise<string> {
  if (typeof query !== "string" || query.trim() === "") return "Error: say in `query` what you look for.";
  const { offer } = context.settings;
  const words = query.slice(0, queryChars);
  const tools = await context.rankKeys({
    kind: "tool",
    query: words,
    keys: selection.tools.map(toolId),
    limit: Math.min(foundTools, offer.tools),
  });
  const skills = await context.rankKeys({
    kind: "skill",
    query: words,
    keys: selection.skills.map(({ id }) => id),
    limit: Math.min(foundSkills, offer.skills),
  });
  const { chosen = { tools: [], skills: [] } } = frame;
  frame.chosen = {
    tools: first([...tools, ...chosen.tools], offer.tools),
    skills: first([...skills, ...chosen.skills], offer.skills),
  };
  const lines = [
    ...pick(selection.tools, tools, toolId).map((tool) => `tool ${toolId(tool)}: ${about(tool)}`),
    ...pick(selection.skills, skills, ({ id }) => id).map((skill) => `skill ${skill.name}: ${about(skill)}`),
  ];
  if (lines.length === 0) return "Nothing was found.";
  return `These fit best; they are offered to you from now on.\n${asData("find_tools", lines.join("\n"), context.state.nonce)}`;
}

const about = ({ description }: { description: string }): string =>
  description.replaceAll(/\s+/g, " ").slice(0, aboutChars);
