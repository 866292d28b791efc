/** Pure. What an upgrade finds: one row for each thing that somebody has to know or to do. */

/** `breaking`: the new release would not start, or would do something else than before. */
export type Severity = "breaking" | "warning" | "info";

/** The items of the release notes, in their order. */
export const items = [
  "files",
  "environments",
  "data-contracts",
  "startup-actions",
  "providers",
  "removed-settings",
  "licence",
  "access",
  "auth-environment",
  "mock-provisioner",
  "extra-env",
  "database-variables",
  "compliant-services",
  "removed-mappings",
  "removed-endpoints",
  "governance-database",
  "graphql",
  "ingress",
  "auto-tracking",
  "database",
] as const;
export type Item = (typeof items)[number];

export interface Finding {
  severity: Severity;
  item: Item;
  /** `file:line:column`, `environment:NAME`, `secret:NAME` or `database:<schema>`. Never a value. */
  where: string;
  message: string;
  solution?: string;
  /** Whether `upgrade apply` does what the solution says. */
  automatic?: boolean;
}

const order: Record<Severity, number> = { breaking: 0, warning: 1, info: 2 };

/** The worst first, then in the order of the notes; a finding that two checks made stands once. */
export function sortFindings(found: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return found
    .filter(({ where, message }) => {
      const key = `${where}\n${message}`;
      return !seen.has(key) && seen.add(key);
    })
    .toSorted(
      (a, b) => order[a.severity] - order[b.severity] || items.indexOf(a.item) - items.indexOf(b.item),
    );
}

export const isBreaking = ({ severity }: Finding): boolean => severity === "breaking";
