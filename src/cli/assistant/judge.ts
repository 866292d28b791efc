/** Pure: what a run did, by its events, and how that differs from what was expected. */
import { modelName } from "../../assistant/models/model.ts";
import type { SuiteCase } from "./suite.ts";

export interface Seen {
  /** The calls in the order in which they began, under the names that models see. */
  calls: { id: string; name: string; text: string; result: string | null }[];
  /** Ids of the calls to other agents. */
  steps: string[];
  answer: string;
  tokens: number;
  cost: number;
  isLimited: boolean;
  /** Code of the error that ended the run. */
  error: string | null;
}

export const nothingSeen = (): Seen => ({
  calls: [],
  steps: [],
  answer: "",
  tokens: 0,
  cost: 0,
  isLimited: false,
  error: null,
});

export function addEvent(seen: Seen, type: string, data: any): void {
  const call = seen.calls.find(({ id }) => id === data.toolCallId);
  if (type === "TOOL_CALL_START")
    seen.calls.push({ id: data.toolCallId, name: data.toolCallName, text: "", result: null });
  else if (type === "TOOL_CALL_ARGS" && call) call.text += data.delta;
  else if (type === "TOOL_CALL_RESULT" && call) call.result = data.content;
  else if (type === "STEP_STARTED") seen.steps.push(/\(([^()]+)\)$/.exec(data.stepName)?.[1] ?? "");
  else if (type === "RUN_ERROR") seen.error = data.code;
  else if (type === "RUN_FINISHED") {
    const { message, usage, limited } = data.result;
    seen.answer = message;
    seen.tokens = usage.input_tokens + usage.output_tokens;
    seen.cost = usage.cost;
    seen.isLimited = limited;
  }
}

/** The differences, a line each. */
export function judge(seen: Seen, { expect }: SuiteCase, seconds: number): string[] {
  const misses: string[] = [];
  if (seen.error !== null) misses.push(`the run ended with ${seen.error}`);
  if (seen.isLimited) misses.push("the run was stopped at a limit of the server");
  // A call of an unknown tool does not count.
  const calls = seen.calls.filter(({ result }) => result?.startsWith("Error: there is no tool") !== true);
  const wanted = expect.tools.map((each) => (typeof each === "string" ? { tool: each } : each));
  const left = missingOf(wanted, calls, ({ tool, arguments: given }: Wanted, made) => {
    return made.name === nameOf(tool) && (given === undefined || holds(parsed(made.text), given));
  });
  for (const { tool, arguments: given } of left)
    misses.push(
      `${tool} was not called${given === undefined ? "" : ` with ${JSON.stringify(given)}`} in its turn`,
    );
  for (const tool of expect.never)
    if (calls.some(({ name }) => name === nameOf(tool))) misses.push(`${tool} was called`);
  const loaded = new Set(
    calls.flatMap(({ name, text, result }) =>
      name === "load_skill" && result?.startsWith("Error:") === false ? [nameIn(parsed(text))] : [],
    ),
  );
  for (const skill of expect.skills) if (!loaded.has(skill)) misses.push(`the skill ${skill} was not loaded`);
  const asked = calls.filter(({ id }) => seen.steps.includes(id));
  const path = missingOf(expect.agents, asked, (agent, { name }) => name === modelName(`ask_${agent}`));
  for (const agent of path) misses.push(`the agent ${agent} was not asked in its turn`);
  if (expect.answer !== undefined && !new RegExp(expect.answer, "iu").test(seen.answer))
    misses.push(`the answer does not fit ${expect.answer}`);
  const used = { tool_calls: seen.calls.length, tokens: seen.tokens, cost: seen.cost, seconds };
  for (const kind of ["tool_calls", "tokens", "cost", "seconds"] as const) {
    const most = expect.budget[kind];
    if (most !== undefined && used[kind] > most)
      misses.push(`${Number(used[kind].toFixed(3))} ${kind.replace("_", " ")} instead of at most ${most}`);
  }
  return misses;
}

interface Wanted {
  tool: string;
  arguments?: Record<string, unknown>;
}

/** The wanted items that are not found in this order. */
function missingOf<W, T>(
  wanted: readonly W[],
  made: readonly T[],
  fits: (wanted: W, made: T) => boolean,
): W[] {
  let from = 0;
  return wanted.filter((each) => {
    const at = made.findIndex((one, n) => n >= from && fits(each, one));
    if (at >= 0) from = at + 1;
    return at < 0;
  });
}

/** `server:name`, as models see it. */
const nameOf = (tool: string): string => {
  const colon = tool.indexOf(":");
  return colon < 0 ? tool : modelName(`${tool.slice(0, colon)}__${tool.slice(colon + 1)}`);
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const nameIn = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, "name") : undefined;

/** Whether all of `part` is in the value; lists have to be the same. */
function holds(value: unknown, part: unknown): boolean {
  if (typeof part !== "object" || part === null || Array.isArray(part))
    return JSON.stringify(value) === JSON.stringify(part);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(part).every(([name, each]) => holds(Reflect.get(value, name), each));
}
