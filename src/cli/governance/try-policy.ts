/** `plinth policy try`: a policy on everything that is deployed, before it is enabled. */
import type { Command } from "commander";
import { callServer, type Server } from "../client/http.ts";
import { pollUntil } from "../client/poll.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes, inputFailure } from "../exit-codes.ts";
import { idColumn } from "../lists/kinds.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { renderTable } from "../print/table.ts";
import { count, oneLine } from "../print/text.ts";
import { hasFindings, metricLine, paintOfWord } from "./print-results.ts";
import { policiesOf, postTest } from "./test-policies.ts";
import { base, type EvaluationReport, type EvaluationResult } from "./wire.ts";

interface TryOptions extends ServerOptions {
  file?: string;
  environment: string;
}

export function defineTry(group: Command, cli: Cli, run: Run): void {
  const command = group
    .command("try")
    .summary("try a policy on everything that is deployed")
    .description(
      "Evaluates a policy on everything that is deployed in an environment, waits for the report, and lists who would be hit if it " +
        "were enabled. Stores no results. Ends with 5 when a deployment would be stopped.",
    )
    .argument("[policy]", "id of a stored policy; or give --file")
    .option("-f, --file <path>", "file of a policy")
    .requiredOption("-e, --environment <name>", "what is deployed there");
  withServer(command).action((id: string | undefined, options: TryOptions) =>
    run(() => tryPolicy(cli, id, options)),
  );
}

async function tryPolicy(cli: Cli, id: string | undefined, options: TryOptions): Promise<number> {
  const server = serverOf(cli, options);
  const [policy, ...others] = await policiesOf(cli, { id, file: options.file });
  if (policy === undefined || others.length > 0)
    throw inputFailure("Only one policy is tried at a time.", {
      where: "--file",
      solutions: ["Name one file."],
    });
  const { environment } = options;
  const started = { ...policy.body, everything: true, environment };
  const { reportId } = await postTest<{ reportId: string }>(server, started);
  const report = await readReport(server, reportId);
  if (options.json) printJson(cli.out, report);
  else printLines(cli.out, reportLines(cli, report, { policy: policy.name, environment }));
  if (report.status === "failed") return exitCodes.refused.code;
  return hasFindings(report.summary) ? exitCodes.findings.code : exitCodes.ok.code;
}

async function readReport(server: Server, id: string): Promise<EvaluationReport> {
  const path = `${base}/evaluation-reports/${encodeURIComponent(id)}`;
  return pollUntil(
    server,
    {
      read: async () => (await callServer<EvaluationReport>(server, { method: "GET", path })).body,
      isDone: ({ status }) => status !== "pending",
    },
    { pauseMs: 200, maxFailures: 8 },
  );
}

function reportLines(
  cli: Cli,
  { status, failure, summary, evaluationResults }: EvaluationReport,
  { policy, environment }: { policy: string; environment: string },
): string[] {
  const { styles } = cli.out;
  if (status === "failed") return [`${styles.bad("failed:")} ${oneLine(failure ?? "no reason is known")}`];
  const hit = evaluationResults.filter(({ outcome }) => outcome !== "ok");
  const total = summary.ok + summary.warning + summary.error + summary.failed;
  const about = `${count(total, "resource")} in ${oneLine(environment)}`;
  const values = evaluationResults.flatMap(metricLine);
  if (hit.length === 0 && values.length > 0) return [...values, `${oneLine(policy)} measures the ${about}.`];
  if (hit.length === 0) return [`${oneLine(policy)} is satisfied by the ${about} that it is about.`];
  const columns = [
    idColumn("UNIT"),
    { title: "OWNER" },
    idColumn("RESOURCE"),
    { title: "OUTCOME" },
    { title: "PROBLEM", shrinks: true },
  ];
  const rows = hit.map((each) => [
    oneLine(each.unit?.id ?? ""),
    oneLine(each.unit?.owner ?? ""),
    oneLine(each.resource.id === each.unit?.id ? "(the unit)" : each.resource.id),
    { text: each.outcome, paint: paintOfWord(styles, each.outcome) },
    problemText(each),
  ]);
  const units = new Set(hit.map(({ unit }) => unit?.id));
  const advice = new Set(hit.flatMap((each) => each.advice ?? []));
  const kinds = (["error", "warning", "failed"] as const).filter((each) => summary[each] > 0);
  return [
    ...renderTable(columns, rows, { width: cli.out.size()?.columns, paintTitle: styles.faint }),
    `${oneLine(policy)} would hit ${hit.length} of the ${about}, in ${count(units.size, "unit")}: ${kinds.map((each) => `${summary[each]} ${each}`).join(", ")}.`,
    ...[...advice].map((each) => `${styles.faint("→")} ${oneLine(each)}`),
  ];
}

function problemText({ result: { errors } }: EvaluationResult): string {
  const [first] = errors;
  if (first === undefined) return "";
  const place = first.path === undefined || first.path === "" ? "" : `${first.path}: `;
  return oneLine(`${place}${first.message}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ""}`);
}
