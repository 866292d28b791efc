/** Pure. A provisioning plan as a table: what happens to each component, why, and after which others. */
import { listSome } from "../../platform/lib/list-some.ts";
import type { PlannedChange, ProvisioningPlan } from "../client/wire.ts";
import { paintOf, type Styles } from "./colors.ts";
import { shortenIds, type ShortIds } from "./short-ids.ts";
import { renderTable, type Column } from "./table.ts";
import { count, oneLine } from "./text.ts";

export interface PlanTableOptions {
  styles: Styles;
  width?: number | undefined;
  indent?: number;
}

const columns: Column[] = [
  { title: "COMPONENT", shrinks: "middle" },
  { title: "ACTION" },
  { title: "REASON", shrinks: true },
  { title: "AFTER", shrinks: true },
];

export function planTable(plan: ProvisioningPlan, options: PlanTableOptions): string[] {
  const { styles, indent = 0 } = options;
  const ids = shortenIds(plan.operations.map((change) => change.componentId));
  const after = orderOf(plan.operations);
  const rows = plan.operations.map((change) => [
    oneLine(ids.short(change.componentId)),
    { text: oneLine(change.action), paint: paintOf(styles, change.action) },
    reasonsOf(change),
    namesOf(after.get(change.componentId) ?? [], ids),
  ]);
  const pad = " ".repeat(indent);
  return [
    ...renderTable(columns, rows, { width: options.width, indent, paintTitle: styles.faint }),
    pad +
      styles.faint(`${ids.prefix === "" ? "" : `Ids begin with ${oneLine(ids.prefix)}  `}${summary(plan)}`),
    ...conflictLines(plan, ids).map((line) => pad + styles.bad(line)),
    ...policyLines(plan, ids, styles).map((line) => pad + line),
    ...(plan.closed
      ? [pad + styles.attention(`Nothing begins there now. ${oneLine(plan.closed.reason)}`)]
      : []),
  ];
}

/** Whether policies would end a start before anything is touched. */
export const isStoppedByPolicies = ({ policyResults = [] }: ProvisioningPlan): boolean =>
  policyResults.some(({ status }) => status === "FAILED");

/** What the policies say, each finding once, and what to do about it. */
function policyLines({ policyResults = [] }: ProvisioningPlan, ids: ShortIds, styles: Styles): string[] {
  return policyResults.flatMap(({ componentId, status, errors }) => {
    const { problems, solutions } = errors.moreInfo;
    if (problems.length === 0) return [];
    const subject = oneLine(ids.short(componentId));
    const head =
      status === "FAILED"
        ? styles.bad(`Policies would stop this because of ${subject}:`)
        : styles.attention(`Policies warn about ${subject}:`);
    return [
      head,
      ...problems.map((problem) => `  ${oneLine(problem)}`),
      ...solutions.map((solution) => `  ${styles.faint("→")} ${oneLine(solution)}`),
    ];
  });
}

/** `2 to deploy, 1 to redeploy, 5 stay as they are.` */
export function summary({ operations }: ProvisioningPlan): string {
  const parts = (
    [
      ["DEPLOY", "to deploy"],
      ["REDEPLOY", "to redeploy"],
      ["UNDEPLOY", "to undeploy"],
    ] as const
  ).flatMap(([action, words]) => {
    const number = operations.filter((change) => change.action === action).length;
    return number === 0 ? [] : [`${number} ${words}`];
  });
  const unchanged = operations.filter((change) => change.action === "NONE").length;
  if (unchanged > 0) parts.push(`${unchanged} ${unchanged === 1 ? "stays as it is" : "stay as they are"}`);
  return parts.length === 0 ? "Nothing is planned." : `${parts.join(", ")}.`;
}

const reasonsOf = ({ reason, additionalReasons }: PlannedChange): string =>
  [reason, ...additionalReasons].map((word) => oneLine(word)).join(", ");

const shownNames = 4;

const namesOf = (names: readonly string[], ids: ShortIds): string =>
  listSome(names, shownNames, (id) => oneLine(ids.short(id)));

const conflictLines = ({ outcome, conflictingOperations }: ProvisioningPlan, ids: ShortIds): string[] =>
  outcome === "OK"
    ? []
    : [
        `This cannot be done: ${count(conflictingOperations.length, "component")} contradict each other.`,
        ...conflictingOperations.map(
          (change) =>
            `  ${oneLine(ids.short(change.componentId))} would end ${oneLine(change.targetStatus)} (${reasonsOf(change)})`,
        ),
      ];

/**
 * What each change waits for: a deployment for the deployments that it needs, also through components that stay as
 * they are; an undeployment for the undeployments of those that need it.
 */
export function orderOf(operations: readonly PlannedChange[]): Map<string, string[]> {
  const byId = new Map(operations.map((change) => [change.componentId, change]));
  const isAtWork = (change: PlannedChange, undeploys: boolean): boolean =>
    change.action !== "NONE" && (change.action === "UNDEPLOY") === undeploys;
  const order = new Map<string, string[]>();
  for (const change of operations) {
    if (change.action === "NONE") continue;
    const undeploys = change.action === "UNDEPLOY";
    const next = (of: PlannedChange): readonly string[] => (undeploys ? of.dependencyOf : of.dependantOn);
    const found = new Set<string>();
    const seen = new Set<string>();
    const open = [...next(change)];
    for (let id = open.shift(); id !== undefined; id = open.shift()) {
      const other = byId.get(id);
      if (other === undefined || seen.has(id)) continue;
      seen.add(id);
      if (isAtWork(other, undeploys)) found.add(id);
      else if (other.action === "NONE") open.push(...next(other));
    }
    order.set(change.componentId, [...found]);
  }
  return order;
}
