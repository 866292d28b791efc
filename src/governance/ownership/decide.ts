/** Decides whether a caller may touch a unit, and who may where they may not. */
import { answersForAllUnits } from "../../platform/auth/policy.ts";
import type { RequestContext } from "../../platform/lib/request-context.ts";
import { findRule, type OwnedOperation, type OwnershipFacts, type OwnershipRule } from "./rules.ts";

export interface OwnershipQuestion {
  /** All that the request does to the unit. */
  operations: readonly OwnedOperation[];
  environment: string;
  domain: string | null;
  owners: readonly string[];
}

export type OwnershipAnswer =
  /** `isOfRole`: whoever has the role may touch every unit. */
  | { verdict: "allow"; rule: string; isOfRole?: boolean }
  | { verdict: "deny"; rule: string; whoMay: readonly string[] }
  /** `further`: what other rules ask of other people, after this one. */
  | ({ verdict: "approval"; further?: readonly AskedApproval[] } & AskedApproval);

export interface AskedApproval {
  /** The names of the rules that ask these people. */
  rule: string;
  /** References in lower case; operators where there are none. */
  approvers: readonly string[];
}

export interface OwnershipOptions {
  /** All rules, in the order in which they are tried. */
  readRules: () => Promise<readonly OwnershipRule[]>;
  /** Whether a unit that nobody is known to own counts as everybody's. */
  unownedIsMine: boolean;
  /** The groups of a person, in lower case. */
  groupsOf: (ref: string) => Promise<readonly string[]>;
}

/** Rejects while the stored rules can't be read. */
export type DecideOwnership = (ctx: RequestContext, question: OwnershipQuestion) => Promise<OwnershipAnswer>;

export function createOwnership({ readRules, unownedIsMine, groupsOf }: OwnershipOptions): DecideOwnership {
  return async ({ actor }, question) => {
    if (answersForAllUnits(actor))
      return { verdict: "allow", rule: "operators and services", isOfRole: true };
    const ref = actor.ref.toLowerCase();
    const caller = ref.startsWith("user:") ? [ref, ...(await groupsOf(ref))] : [ref];
    const rules = await readRules();
    const found = rulesOf(rules, { ...question, caller, unownedIsMine });
    const denied = found.find(({ effect }) => effect === "deny");
    if (denied) {
      const whoMay = [...whoElse(rules, { ...question, unownedIsMine }), "operators"];
      return { verdict: "deny", rule: denied.name, whoMay };
    }
    const asking = found.filter(({ effect }) => effect === "approval");
    const [first, ...further] = approvalsOf(asking, { ...question, unownedIsMine });
    if (first === undefined) return { verdict: "allow", rule: (asking[0] ?? found[0])?.name ?? "" };
    return { verdict: "approval", ...first, ...(further.length > 0 ? { further } : {}) };
  };
}

/** One for each group of people who are asked; rules that ask the same people need one answer. */
function approvalsOf(
  asking: readonly OwnershipRule[],
  { owners, unownedIsMine }: Pick<Facts, "owners" | "unownedIsMine">,
): AskedApproval[] {
  const asked = [...new Set(asking)].flatMap(({ name, groups }) => {
    const approvers = groups.length > 0 ? groups.map((each) => each.toLowerCase()) : owners;
    // What is everybody's has no owner who could be asked.
    return approvers.length === 0 && unownedIsMine ? [] : [{ name, approvers }];
  });
  const byPeople = Map.groupBy(asked, ({ approvers }) => approvers.toSorted().join("\n"));
  return [...byPeople.values()].map((same) => ({
    rule: same.map(({ name }) => name).join("; "),
    approvers: same[0]?.approvers ?? [],
  }));
}

type Facts = OwnershipQuestion & Pick<OwnershipFacts, "caller" | "unownedIsMine">;

/** The rule for each of the operations. */
const rulesOf = (
  rules: readonly OwnershipRule[],
  { operations, environment, domain, owners, caller, unownedIsMine }: Facts,
): OwnershipRule[] =>
  operations.map((operation) =>
    findRule(rules, { operation, environment, domain, owners, caller, unownedIsMine }),
  );

/** The owners that no rule refuses. */
const whoElse = (rules: readonly OwnershipRule[], question: Omit<Facts, "caller">): string[] =>
  question.owners.filter((owner) =>
    rulesOf(rules, { ...question, caller: [owner] }).every(({ effect }) => effect !== "deny"),
  );
