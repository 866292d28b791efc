/** Policies that read their verdict from the descriptor: `specific.policy`, or `policy` for the unit itself. */
import type { Policies, PolicyRequest, PolicyResult, PolicyVerdict } from "../../src/coordinator/ports.ts";

type Outcome = PolicyResult["outcome"];

export interface PolicyStub extends Policies {
  /** Every evaluation that was asked for. */
  asked: PolicyRequest[];
}

interface Part {
  id: string;
  policy?: Outcome;
  specific?: { policy?: Outcome };
}

export const resultOf = (resourceId: string, outcome: Outcome): PolicyResult => ({
  policyId: "tidy-names",
  policyVersion: 3,
  policyName: "Tidy names",
  resourceId,
  outcome,
  blocking: outcome === "error",
  errors: outcome === "ok" ? [] : [{ path: "/name", message: "The name is not tidy." }],
  advice: outcome === "ok" ? null : "Choose a tidy name.",
});

export function verdictOn({ descriptor, componentIds }: PolicyRequest): PolicyVerdict {
  const unit = descriptor as Part & { components: Part[] };
  const wanted = new Set(componentIds);
  const results = [
    resultOf(unit.id, unit.policy ?? "ok"),
    ...unit.components
      .filter(({ id }) => wanted.has(id))
      .map(({ id, specific }) => resultOf(id, specific?.policy ?? "ok")),
  ];
  return { fingerprint: "tidy-names:3", results, report: { evaluationResults: results } };
}

export function createPolicyStub(
  evaluate: (request: PolicyRequest, signal: AbortSignal) => Promise<PolicyVerdict> = (request) =>
    Promise.resolve(verdictOn(request)),
): PolicyStub {
  const asked: PolicyRequest[] = [];
  return {
    asked,
    evaluate(ctx, request) {
      asked.push(request);
      return evaluate(request, ctx.signal);
    },
    fingerprint: () => Promise.resolve("tidy-names:3"),
  };
}
