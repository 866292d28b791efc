/** Pure. Who may touch whose unit: the first rule that matches decides. */

export const ownedOperations = ["start", "undeploy", "removeData", "rollBack", "resume"] as const;
export type OwnedOperation = (typeof ownedOperations)[number];

export interface OwnershipRule {
  name: string;
  /** Empty for every operation. */
  operations: readonly OwnedOperation[];
  /** Empty for every environment. */
  environments: readonly string[];
  /** Empty for every domain. */
  domains: readonly string[];
  /** `mine`: what the caller or one of their groups owns; or references of owners. */
  owners: "mine" | "any" | readonly string[];
  effect: "allow" | "deny" | "approval";
  /** Who approves; empty for the owners. */
  groups: readonly string[];
}

export interface OwnershipFacts {
  operation: OwnedOperation;
  environment: string;
  domain: string | null;
  /** References of the unit's owners, in lower case; empty where nobody is known. */
  owners: readonly string[];
  /** Reference of the caller and of their groups, in lower case. */
  caller: readonly string[];
  /** Whether a unit that nobody is known to own counts as everybody's. */
  unownedIsMine: boolean;
}

export function findRule(rules: readonly OwnershipRule[], facts: OwnershipFacts): OwnershipRule {
  return rules.find((rule) => matches(rule, facts)) ?? deniesAll;
}

function matches(rule: OwnershipRule, facts: OwnershipFacts): boolean {
  const { operation, environment, domain } = facts;
  const fits = (values: readonly string[], value: string): boolean =>
    values.length === 0 || values.some((each) => each.toLowerCase() === value.toLowerCase());
  return (
    fits(rule.operations, operation) &&
    fits(rule.environments, environment) &&
    (rule.domains.length === 0 || (domain !== null && fits(rule.domains, domain))) &&
    ownersFit(rule.owners, facts)
  );
}

function ownersFit(owners: OwnershipRule["owners"], facts: OwnershipFacts): boolean {
  if (owners === "any") return true;
  if (owners === "mine") return isMine(facts);
  return owners.some((each) => facts.owners.includes(each.toLowerCase()));
}

export const isMine = ({
  owners,
  caller,
  unownedIsMine,
}: Pick<OwnershipFacts, "owners" | "caller" | "unownedIsMine">): boolean =>
  owners.length === 0 ? unownedIsMine : owners.some((owner) => caller.includes(owner));

const every = { operations: [], environments: [], domains: [], groups: [] } as const;

const deniesAll: OwnershipRule = { ...every, name: "others' units", owners: "any", effect: "deny" };

/** Where nothing is configured: people work on what their groups own, and two of them remove data or deploy there. */
export const defaultRules = (approvalEnvironments: readonly string[]): OwnershipRule[] => [
  { ...every, name: "removal of data", operations: ["removeData"], owners: "mine", effect: "approval" },
  ...(approvalEnvironments.length === 0
    ? []
    : [
        {
          ...every,
          name: `deployments in ${approvalEnvironments.join(", ")}`,
          operations: ["start", "rollBack", "resume"] as const,
          environments: approvalEnvironments,
          owners: "mine" as const,
          effect: "approval" as const,
        },
      ]),
  { ...every, name: "own units", owners: "mine", effect: "allow" },
  deniesAll,
];
