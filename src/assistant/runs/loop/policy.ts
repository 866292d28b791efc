/** Pure: whether a tool call is allowed, needs an approval or is denied, and what the use of a model costs. */
import type { ApprovalPolicy, RunLimits, RunSettings } from "../../settings.ts";
import type { ToolDefinition } from "../../tools/tool-source.ts";

export type Permission = "auto" | "ask" | "deny";

/** The strictest decision of all policies. */
export function permissionOf(tool: ToolDefinition, ...policies: Partial<ApprovalPolicy>[]): Permission {
  const given = new Set(policies.map((policy) => decisionOf(tool, policy)));
  return given.has("deny") ? "deny" : given.has("ask") ? "ask" : "auto";
}

function decisionOf(
  tool: ToolDefinition,
  { rules = [], destructive = "auto" }: Partial<ApprovalPolicy>,
): Permission {
  const rule = rules.find((each) => matches(each.tool, `${tool.server}:${tool.name}`));
  if (rule !== undefined) return rule.decision;
  return tool.destructive ? destructive : "auto";
}

/** The settings of a run: the smaller one of each budget, and of the times that approvals wait. */
export const tightened = (settings: RunSettings, { budgets, approvals }: RunLimits): RunSettings => ({
  ...settings,
  budgets: tighterBudgets(settings.budgets, budgets),
  approvals: {
    ...settings.approvals,
    expireHours: Math.min(settings.approvals.expireHours, approvals.expireHours ?? Infinity),
  },
});

function tighterBudgets(
  configured: RunSettings["budgets"],
  limits: RunLimits["budgets"],
): RunSettings["budgets"] {
  const names = Object.keys(configured) as (keyof RunSettings["budgets"])[];
  const smaller = names.map((name) => [name, Math.min(configured[name], limits[name] ?? Infinity)]);
  return Object.fromEntries(smaller) as RunSettings["budgets"];
}

/** `*` matches any characters. Runs in linear time for any pattern. */
export function matches(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const [first = ""] = parts;
  const last = parts.at(-1) ?? "";
  if (parts.length === 1) return pattern === text;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

const million = 1_000_000;

/** Costs have nine digits after the point: binary fractions add up to more digits than anyone means. */
const rounded = (cost: number): number => Number(cost.toFixed(9));

export const addCost = (sum: number, cost: number): number => rounded(sum + cost);

export function costOf(
  model: string,
  used: { input: number; output: number; cached: number },
  prices: RunSettings["prices"],
): number {
  const price = prices.find((each) => matches(each.model, model));
  if (price === undefined) return 0;
  const fresh = Math.max(used.input - used.cached, 0);
  return rounded(
    (fresh * price.inputPerMillion +
      used.cached * price.cachedPerMillion +
      used.output * price.outputPerMillion) /
      million,
  );
}
