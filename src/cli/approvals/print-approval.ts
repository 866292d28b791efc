/** Pure. What is to be decided, for the person who decides. */
import type { AskedDeployment, HookDetails } from "../client/wire.ts";
import { paintOf, type Styles } from "../print/colors.ts";
import { shortenIds } from "../print/short-ids.ts";
import { renderTable } from "../print/table.ts";
import { count, oneLine } from "../print/text.ts";

interface Look {
  styles: Styles;
  width: number | undefined;
}

export function approvalLines(hook: HookDetails, look: Look): string[] {
  const { deployment, requester, hookId, status, waiting, reason } = hook;
  const state = waiting ?? [status, reason ?? ""].join(" ").trim();
  const what =
    deployment === undefined
      ? `${oneLine(hook.actionName)} (${oneLine(hook.hookName)})`
      : `a change of ${oneLine(deployment.deploymentUnitId)} in ${oneLine(deployment.environment)}`;
  // The owner of a resource may decide about the access that they ask for; of a change somebody else decides.
  const notBy = deployment === undefined ? "" : "; the requester never decides";
  return [
    look.styles.strong(`${oneLine(requester)} asks for ${what}.`),
    oneLine(state),
    ...(deployment === undefined ? [] : deploymentLines(deployment, look)),
    ...(status === "pending"
      ? [
          look.styles.faint(
            `plinth approvals decide ${oneLine(hookId)} --approve, or --reject --reason <text>${notBy}`,
          ),
        ]
      : []),
  ];
}

function deploymentLines(asked: AskedDeployment, { styles, width }: Look): string[] {
  const { changes, changeCount, planId, planHash, removeData, rule, policyResults } = asked;
  const ids = shortenIds(changes.map(({ componentId }) => componentId));
  const rows = changes.map(({ componentId, action, reason }) => [
    oneLine(ids.short(componentId)),
    { text: oneLine(action), paint: paintOf(styles, action) },
    oneLine(reason),
  ]);
  const columns = [
    { title: "COMPONENT", shrinks: "middle" as const },
    { title: "ACTION" },
    { title: "REASON", shrinks: true },
  ];
  const more = changeCount - changes.length;
  return [
    `Rule: ${oneLine(rule)}. Plan ${oneLine(planId)}${planHash === "" ? "" : `, hash ${oneLine(planHash)}`}.`,
    ...(removeData ? [styles.bad("Data is removed with what is undeployed.")] : []),
    ...(rows.length > 0 ? renderTable(columns, rows, { width, paintTitle: styles.faint }) : []),
    ...(more > 0 ? [styles.faint(`and ${count(more, "more change")}`)] : []),
    ...policyLines(policyResults, styles),
  ];
}

function policyLines(results: AskedDeployment["policyResults"], styles: Styles): string[] {
  if (results === undefined)
    return [styles.attention("The policies could not be asked; the plan asks them when it begins.")];
  const found = results.filter(({ problems }) => problems.length > 0);
  if (found.length === 0) return ["The policies find nothing wrong."];
  return found.flatMap(({ componentId, status, problems }) => [
    status === "FAILED"
      ? styles.bad(`Policies would stop it because of ${oneLine(componentId)}:`)
      : styles.attention(`Policies warn about ${oneLine(componentId)}:`),
    ...problems.map((problem) => `  ${oneLine(problem)}`),
  ]);
}
