/** Pure. Results of a unit in the form of earlier products: each policy once, with its worst result. */
import type { Compliance } from "../schema.ts";
import type { DataProductPolicies } from "./schema.ts";

type PolicyState = DataProductPolicies["policies"][number];
type Result = Compliance["policies"][number];

const worst: readonly PolicyState["status"][] = ["passed", "warning", "failed"];

export function policiesView(results: readonly Result[]): DataProductPolicies {
  const byPolicy = Map.groupBy(results, ({ governanceEntityId }) => governanceEntityId);
  return {
    policies: [...byPolicy].map(([policyId, own]) => {
      const status = worst.toReversed().find((each) => own.some((result) => statusOf(result) === each));
      return {
        policyId,
        name: own[0]?.governanceEntityName ?? policyId,
        status: status ?? "passed",
        message: own.flatMap(linesOf).slice(0, maxLines).join("\n"),
        remediation: [...new Set(own.flatMap(({ advice }) => advice ?? []))].join("\n"),
      };
    }),
  };
}

/** Lines of one message. */
const maxLines = 50;

/** A policy that could not be evaluated has failed where that blocks, and else it is a warning. */
function statusOf({ outcome, blocking }: Result): PolicyState["status"] {
  if (outcome === "ok") return "passed";
  return outcome === "error" || blocking ? "failed" : "warning";
}

function linesOf({ outcome, resource, result }: Result): string[] {
  if (outcome === "ok") return [];
  if (result.errors.length === 0) return [`${resource.displayName}: the policy does not hold.`];
  return result.errors.map(
    ({ path, message }) => `${resource.displayName}${path ? ` at ${path}` : ""}: ${message}`,
  );
}
