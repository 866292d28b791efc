/** Decides whether a caller may touch a unit, and who may where they may not. */
import { isOperator } from "../../platform/auth/policy.ts";
import type { RequestContext } from "../../platform/lib/request-context.ts";
import { findRule, type OwnedOperation, type OwnershipRule } from "./rules.ts";

export interface OwnershipQuestion {
  /** All that the request does to the unit. */
  operations: readonly OwnedOperation[];
  environment: string;
  domain: string | null;
  owners: readonly string[];
}

export type OwnershipAnswer =
  | { verdict: "allow" }
  | { verdict: "deny"; rule: string; whoMay: readonly string[] }
  | { verdict: "approval"; rule: string; approvers: readonly string[] };

export interface OwnershipOptions {
  rules: readonly OwnershipRule[];
  /** Whether a unit that nobody is known to own counts as everybody's. */
  unownedIsMine: boolean;
  /** The groups of a person, in lower case. */
  groupsOf: (ref: string) => Promise<readonly string[]>;
}

export type DecideOwnership = (ctx: RequestContext, question: OwnershipQuestion) => Promise<OwnershipAnswer>;

export function createOwnership({ rules, unownedIsMine, groupsOf }: OwnershipOptions): DecideOwnership {
  return async ({ actor }, { operations, environment, domain, owners }) => {
    // Operators and the control plane answer for everything, and so does a guest of development mode.
    if (isOperator(actor) || actor.provider === "guest") return { verdict: "allow" };
    const ref = actor.ref.toLowerCase();
    const caller = ref.startsWith("user:") ? [ref, ...(await groupsOf(ref))] : [ref];
    const found = operations.map((operation) =>
      findRule(rules, { operation, environment, domain, owners, caller, unownedIsMine }),
    );
    const denied = found.find(({ effect }) => effect === "deny");
    if (denied) return { verdict: "deny", rule: denied.name, whoMay: [...owners, "operators"] };
    const asks = found.find(({ effect }) => effect === "approval");
    if (!asks) return { verdict: "allow" };
    const approvers = asks.groups.length > 0 ? asks.groups.map((each) => each.toLowerCase()) : owners;
    // What is everybody's has no owner who could be asked.
    if (approvers.length === 0 && unownedIsMine) return { verdict: "allow" };
    return { verdict: "approval", rule: asks.name, approvers };
  };
}
