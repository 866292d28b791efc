import type { Command } from "commander";
import { callServer, type Server } from "../client/http.ts";
import { pollUntil } from "../client/poll.ts";
import { explainingUnit } from "../client/unknown.ts";
import { printJson, printJsonLine, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes, inputFailure } from "../exit-codes.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { paintOf } from "../print/colors.ts";
import { shortenIds } from "../print/short-ids.ts";
import { renderTable } from "../print/table.ts";
import { oneLine } from "../print/text.ts";

interface DriftOptions extends ServerOptions {
  environment: string;
  last?: boolean;
  detach?: boolean;
}

interface DriftCheck {
  id: string;
  deploymentUnitId: string;
  environment: string;
  status: string;
  result: "NO_DRIFT" | "DRIFTED" | "UNKNOWN" | null;
  waiting: { reason: string } | null;
  stoppedAt: string | null;
  components?: { componentId: string; result: string; why: string; pointers: string[]; problems: string[] }[];
}

export function defineDrift(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("drift")
    .summary("check whether what is deployed is still there as it was")
    .description(
      "Has the adapters of a unit compare what was deployed with what is there now, waits for the result and prints it. Repairs " +
        "nothing. Ends with 5 when something has drifted, and with 1 when a component could not be compared.",
    )
    .argument("<unit>", "id of the deployment unit")
    .requiredOption("-e, --environment <name>", "environment of the unit")
    .option("--last", "show the latest check and start none")
    .option("--detach", "print the id of the check and do not wait for its end");
  withServer(command).action((unit: string, options: DriftOptions) => run(() => drift(cli, unit, options)));
}

async function drift(cli: Cli, unit: string, options: DriftOptions): Promise<number> {
  if (options.last && options.detach)
    throw inputFailure("Give either --last or --detach.", { where: "--detach" });
  const server = serverOf(cli, options);
  const at = { unit, environment: options.environment };
  const id = options.last ? await lastCheck(server, at) : await startCheck(server, at);
  if (id === undefined) {
    if (options.json) printJson(cli.out, null);
    else printLines(cli.out, ["The unit was never checked for drift in this environment."]);
    return exitCodes.ok.code;
  }
  if (options.detach) {
    if (options.json) printJsonLine(cli.out, { id });
    else printLines(cli.out, [`Started: ${oneLine(id)}`]);
    return exitCodes.ok.code;
  }
  const check = options.last ? await readCheck(server, id) : await awaitCheck(cli, server, id);
  if (options.json) printJson(cli.out, check);
  else printLines(cli.out, checkLines(check, cli));
  const { ok, findings, refused } = exitCodes;
  return { NO_DRIFT: ok, DRIFTED: findings, UNKNOWN: refused }[check.result ?? "NO_DRIFT"].code;
}

interface Place {
  unit: string;
  environment: string;
}

const checksPath = (unit: string): string =>
  `/api/coordinator/v1/deployment-units/${encodeURIComponent(unit)}/drift-checks`;

async function startCheck(server: Server, { unit, environment }: Place): Promise<string> {
  const call = { method: "POST", path: checksPath(unit), query: { environment } } as const;
  const work = async (): Promise<string> => (await callServer<string>(server, call)).body;
  return explainingUnit(server, { unit, environments: [environment] }, work);
}

async function lastCheck(server: Server, { unit, environment }: Place): Promise<string | undefined> {
  const { body } = await callServer<{ data: DriftCheck[] }>(server, {
    method: "GET",
    path: checksPath(unit),
    query: { environment, limit: "1" },
  });
  return body.data[0]?.id;
}

async function readCheck(server: Server, id: string): Promise<DriftCheck> {
  const path = `/api/coordinator/v1/drift-checks/${encodeURIComponent(id)}`;
  return (await callServer<DriftCheck>(server, { method: "GET", path })).body;
}

/** On standard error it says what the check waits for, each reason once. */
async function awaitCheck(cli: Cli, server: Server, id: string): Promise<DriftCheck> {
  let shown = "";
  return pollUntil(server, {
    read: () => readCheck(server, id),
    isDone: ({ status }) => status === "COMPLETED",
    onAnswer({ waiting }) {
      const reason = oneLine(waiting?.reason ?? "");
      if (reason !== "" && reason !== shown) printLines(cli.err, [cli.err.styles.faint(reason)]);
      shown = reason;
    },
  });
}

function checkLines(
  { id, deploymentUnitId, environment, status, result, components = [] }: DriftCheck,
  cli: Cli,
): string[] {
  const { styles } = cli.out;
  const word = result ?? status;
  const ids = shortenIds(components.map(({ componentId }) => componentId));
  const rows = components.map((each) => [
    oneLine(ids.short(each.componentId)),
    { text: oneLine(each.result), paint: paintOf(styles, each.result) },
    oneLine(each.why),
  ]);
  const columns = [
    { title: "COMPONENT", shrinks: "middle" as const },
    { title: "RESULT" },
    { title: "WHY", shrinks: true },
  ];
  return [
    `${oneLine(deploymentUnitId)} in ${oneLine(environment)}: ${paintOf(styles, word)(oneLine(word))} (check ${oneLine(id)})`,
    "",
    ...renderTable(columns, rows, { width: cli.out.size()?.columns, paintTitle: styles.faint }),
    ...components.flatMap(({ componentId, pointers, problems }) => [
      ...pointers.map((pointer) => `  ${oneLine(ids.short(componentId))} ${oneLine(pointer)}`),
      ...problems.map((problem) => `  ${oneLine(ids.short(componentId))}: ${oneLine(problem)}`),
    ]),
  ];
}
