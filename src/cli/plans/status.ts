import type { Command } from "commander";
import { callServer, type Server } from "../client/http.ts";
import { readPlanStatus } from "../client/plan-events.ts";
import { explainingPlan, noSuchUnit } from "../client/unknown.ts";
import type { OperationList, PlanStatus, StatusFailure, UnitStatus } from "../client/wire.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes, inputFailure } from "../exit-codes.ts";
import { paintOf, type Styles } from "../print/colors.ts";
import { provisioningLines } from "../print/provisioning-info.ts";
import { shortenIds } from "../print/short-ids.ts";
import { renderTable } from "../print/table.ts";
import { oneLine, safeLines } from "../print/text.ts";
import { failedTasks, progressOf, type TaskProgress } from "../print/plan-progress.ts";
import { countLine, progressLines } from "../print/plan-view.ts";
import { environmentOption, serverOf, withServer, type ServerOptions } from "../options.ts";

interface StatusOptions extends ServerOptions {
  environment?: string;
  component?: string;
  plan?: string;
}

export function defineStatus(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("status")
    .summary("status of a unit or a plan")
    .description(
      "Shows the status of a deployment unit in an environment, or of an execution plan with --plan.",
    )
    .argument("[unit]", "id of the deployment unit")
    .addOption(environmentOption("environment of the unit"))
    .option("--component <id>", "only this component of the unit")
    .option("--plan <token>", "an execution plan instead of a unit");
  withServer(command).action((unit: string | undefined, options: StatusOptions) =>
    run(() => status(cli, unit, options)),
  );
}

async function status(cli: Cli, unit: string | undefined, options: StatusOptions): Promise<number> {
  const server = serverOf(cli, options);
  if ((unit === undefined) === (options.plan === undefined)) {
    throw inputFailure("Give either the id of a unit, or --plan with the token of an execution plan.");
  }
  if (options.plan !== undefined) return planStatus(cli, options.plan, options);
  if (options.environment === undefined) {
    throw inputFailure("The status of a unit needs an environment.", { where: "--environment" });
  }
  const at = { unit: unit!, environment: options.environment, component: options.component };
  const found = await readUnitStatus(server, at);
  if (options.json) {
    printJson(cli.out, found);
    return found.known === false ? exitCodes.unknown.code : exitCodes.ok.code;
  }
  if (found.known === false)
    throw await noSuchUnit(server, { unit: at.unit, environments: [at.environment] });
  const { styles } = cli.out;
  const open = found.status === "PROVISIONING_IN_PROGRESS" ? await readOpenPlans(server, at) : [];
  printLines(cli.out, [
    ...unitLines(found, { styles, width: cli.out.size()?.columns, at }),
    ...open.flatMap(({ dag }) => [
      "",
      `plan ${oneLine(dag.id)}: ${paintOf(styles, dag.status)(dag.status)}`,
      ...whyWaiting(dag),
    ]),
  ]);
  return 0;
}

interface Place {
  unit: string;
  environment: string;
  component?: string | undefined;
}

export async function readUnitStatus(
  server: Server,
  { unit, environment, component }: Place,
): Promise<UnitStatus> {
  const of = component === undefined ? "" : `/components/${encodeURIComponent(component)}`;
  const path = `/api/coordinator/v1/deployment-units/${encodeURIComponent(unit)}${of}/provisioning-status`;
  const { body } = await callServer<UnitStatus>(server, { method: "GET", path, query: { environment } });
  return body;
}

/** Open plans of one unit that are read. */
const maxOpenPlans = 10;

/** The active plan of the unit and its queued ones, the oldest first. */
async function readOpenPlans(server: Server, { unit, environment }: Place): Promise<PlanStatus[]> {
  const { body } = await callServer<OperationList>(server, {
    method: "GET",
    path: "/api/coordinator/v2/provisioning-operations",
    query: {
      "deployment-unit-id": unit,
      environment,
      status: "SCHEDULED,RUNNING,TERMINATING",
      "sort-order": "asc",
      limit: String(maxOpenPlans),
    },
  });
  return Promise.all(body.data.map(({ operation }) => readPlanStatus(server, operation.executionPlanId)));
}

const maxReasons = 5;

/** Why a plan waits, or else why its unfinished tasks wait; each reason once. */
function whyWaiting(dag: PlanStatus["dag"]): string[] {
  const reasonsOf = ({ waiting, dependsOnTasks }: PlanStatus["dag"]): string[] => [
    ...(waiting ? [waiting.reason] : []),
    ...dependsOnTasks.flatMap(reasonsOf),
  ];
  const reasons = dag.waiting ? [dag.waiting.reason] : reasonsOf(dag);
  return [...new Set(reasons)].slice(0, maxReasons).map((reason) => `  ${oneLine(reason)}`);
}

function unitLines(
  { status: word, failure, provisioningDetails }: UnitStatus,
  { styles, width, at }: { styles: Styles; width: number | undefined; at: Place },
): string[] {
  const { descriptorVersion, componentsStatus = [], provisioningInfo = {} } = provisioningDetails;
  const version = descriptorVersion === "" ? "" : `, version ${oneLine(descriptorVersion)}`;
  const head = `${oneLine(at.component ?? at.unit)} in ${oneLine(at.environment)}: ${paintOf(styles, word)(word)}${version}`;
  const failures = failureLines([failure, ...componentsStatus.map((each) => each.failure)]);
  if (componentsStatus.length === 0) return [head, ...failures];
  const ids = shortenIds(componentsStatus.map(({ componentId }) => componentId));
  const rows = componentsStatus.map((each) => [
    oneLine(ids.short(each.componentId)),
    { text: oneLine(each.status), paint: paintOf(styles, each.status) },
    oneLine(each.descriptorVersion),
    provisioningLines(provisioningInfo[each.componentId]).join("  "),
  ]);
  const columns = [
    { title: "COMPONENT", shrinks: "middle" as const },
    { title: "STATUS" },
    { title: "VERSION" },
    { title: "PROVISIONED", shrinks: true },
  ];
  const table = renderTable(columns, rows, { width, paintTitle: styles.faint });
  return [head, ...failures, "", ...table];
}

/** Maximum number of failures shown; the rest is counted. */
const maxFailures = 5;

/** What made the unit and its components CORRUPT, each task once. */
function failureLines(failures: (StatusFailure | undefined)[]): string[] {
  const byTask = new Map(
    failures.flatMap((each) => (each ? [[`${each.executionPlanId} ${each.taskId}`, each] as const] : [])),
  );
  const lines = [...byTask.values()]
    .slice(0, maxFailures)
    .map(
      ({ taskId, operationId, executionPlanId, message }) =>
        `  ${oneLine(taskId)} of operation ${oneLine(operationId)} (plan ${oneLine(executionPlanId)}): ${oneLine(message)}`,
    );
  const more = byTask.size - lines.length;
  return more > 0 ? [...lines, `  and ${more} more`] : lines;
}

async function planStatus(cli: Cli, token: string, options: StatusOptions): Promise<number> {
  const server = serverOf(cli, options);
  const body = await explainingPlan(server, token, () => readPlanStatus(server, token));
  if (options.json) {
    printJson(cli.out, body);
    return 0;
  }
  const { styles } = cli.out;
  const progress = progressOf(token, body.dag, { nowMs: cli.now(), at: Date.now() });
  const word = oneLine(body.dag.status);
  const { waiting } = body.dag;
  const reason = body.dag.result.message;
  // Everything is printed, so the height of the terminal does not matter; its width does.
  const size = cli.out.size();
  printLines(cli.out, [
    `${oneLine(body.dag.displayName)} in ${oneLine(body.environment)}: ${paintOf(styles, word)(word)}`,
    ...(reason ? [`  ${oneLine(reason)}`] : []),
    ...(waiting ? [`  ${oneLine(waiting.reason)}`] : []),
    "",
    ...progressLines(progress, { styles, nowMs: cli.now(), size: size && { ...size, rows: Infinity } }),
    styles.faint(countLine([...progress.tasks.values()])),
    ...failedTasks(progress).flatMap(fullMessage),
  ]);
  return 0;
}

/** A message longer than the line of its task: an adapter that refused may name many problems. */
const fullMessage = ({ verb, subject, message }: TaskProgress): string[] =>
  message.includes("\n")
    ? ["", `${oneLine(verb)} ${oneLine(subject)}:`, ...safeLines(message).map((line) => `  ${line}`)]
    : [];
