/** Evaluates the policies about what agents do, before anybody is asked to allow it. */
import { newId } from "../../platform/lib/ids.ts";
import type { RequestContext } from "../../platform/lib/request-context.ts";
import { evaluatePolicies, type EvaluationDeps } from "../evaluations/evaluate.ts";
import type { EvaluatedPolicy } from "../evaluations/policy.ts";

export interface AgentAction {
  /** `server:name`. */
  tool: string;
  arguments: Record<string, unknown>;
  agent: string;
  user: string;
  /** Null for an action in no environment. */
  environment: string | null;
}

export interface ActionVerdict {
  verdict: "allow" | "ask" | "deny";
  /** Policy, version, what is wrong and what to do; a line for each policy that does not allow it. */
  reasons: string[];
}

export interface ActionPoliciesDeps extends EvaluationDeps {
  /** Active policies in force about `agent_action`. */
  readForActions: () => Promise<readonly EvaluatedPolicy[]>;
}

export const actionType = "agent_action";

/** An enabled policy denies what violates it, one in grace has the user asked. */
export async function decideAction(
  deps: ActionPoliciesDeps,
  ctx: RequestContext,
  action: AgentAction,
): Promise<ActionVerdict> {
  const policies = await deps.readForActions();
  if (policies.length === 0) return { verdict: "allow", reasons: [] };
  const resource = {
    id: `${action.agent}:${action.tool}`,
    displayName: action.tool,
    environment: action.environment ?? "",
    resourceType: actionType,
    descriptor: action,
    unitId: null,
  };
  const evaluated = await evaluatePolicies(deps, {
    policies,
    resources: [resource],
    now: ctx.now(),
    signal: ctx.signal,
    runId: newId(),
  });
  const against = evaluated.filter(({ verdict }) => verdict.outcome !== "ok");
  const reasons = against.map(({ policy, verdict }) => {
    const found = verdict.errors.map(({ path, message }) => (path ? `${path}: ${message}` : message));
    const advice = policy.advice === null ? "" : ` ${policy.advice}`;
    return `${policy.name} (${policy.id}, version ${policy.version}): ${found.slice(0, 5).join("; ")}${advice}`;
  });
  if (against.some(({ verdict }) => verdict.isBlocking)) return { verdict: "deny", reasons };
  return { verdict: against.length > 0 ? "ask" : "allow", reasons };
}
