/**
 * `plinth assistant eval`: asks each question of a suite and compares what the assistant did with the suite.
 */
import type { Command } from "commander";
import { Failure } from "../../platform/errors/failure.ts";
import { readEvents } from "../client/event-stream.ts";
import { followStream } from "../client/follow-stream.ts";
import { callServer, openStreamOf, type Server } from "../client/http.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { inputFailure } from "../exit-codes.ts";
import { renderTable } from "../print/table.ts";
import { duration, oneLine } from "../print/text.ts";
import { addEvent, judge, nothingSeen, type Seen } from "./judge.ts";
import { readSuite, type SuiteCase } from "./suite.ts";

const base = "/api/assistant/v2";

export function defineEval(assistant: Command, cli: Cli, run: Run): void {
  const command = assistant
    .command("eval")
    .summary("run a suite of questions and evaluate the results")
    .description(
      "Runs each question on the server, reads the log of its run, and ends with 1 when one misses.",
    )
    .argument("<suite>", "a YAML file of questions and what is expected of each");
  withServer(command).action((file: string, options: ServerOptions) =>
    run(() => evaluate(cli, file, options)),
  );
}

interface Result {
  name: string;
  passed: boolean;
  /** Cancelled at its time limit. */
  timed_out: boolean;
  misses: string[];
  run_id: string;
  tool_calls: number;
  tokens: number;
  cost: number;
  seconds: number;
}

async function evaluate(cli: Cli, file: string, options: ServerOptions): Promise<number> {
  const server = serverOf(cli, options);
  const cases = await readSuite(cli, file);
  const agentIds = await findAgents(server, cases);
  const results: Result[] = [];
  for (const each of cases) {
    const from = cli.now();
    const agentId = agentIds.get(each.agent ?? "");
    const { runId, seen, isLate } = await askCase(server, each, agentId);
    const seconds = (cli.now() - from) / 1_000;
    const misses = isLate ? [lateMiss(each)] : judge(seen, each, seconds);
    const { tokens, cost } = seen;
    const used = { tool_calls: seen.calls.length, tokens, cost, seconds };
    const passed = misses.length === 0;
    results.push({ name: each.name, passed, timed_out: isLate, misses, run_id: runId, ...used });
  }
  if (options.json) printJson(cli.out, { passed: results.every(({ passed }) => passed), cases: results });
  else printResults(cli, results);
  return results.every(({ passed }) => passed) ? 0 : 1;
}

async function findAgents(server: Server, cases: readonly SuiteCase[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const name of new Set(cases.flatMap(({ agent }) => agent ?? []))) {
    const { body } = await callServer<{ data: { id: string; name: string }[] }>(server, {
      method: "GET",
      path: `${base}/agents`,
      query: { search: name, limit: "100" },
    });
    const found = body.data.filter((agent) => agent.name === name);
    if (found.length !== 1)
      throw inputFailure(`There ${found.length === 0 ? "is no agent" : "are several agents"} ${name}.`);
    ids.set(name, found[0]?.id ?? "");
  }
  return ids;
}

const lateMiss = ({ time_limit_seconds: limit }: SuiteCase): string =>
  `the run had not ended after ${limit} seconds and was cancelled`;

interface Asked {
  runId: string;
  seen: Seen;
  isLate: boolean;
}

/** A case that reaches its time limit is cancelled on the server too, or it would delay the next one. */
async function askCase(server: Server, each: SuiteCase, agentId: string | undefined): Promise<Asked> {
  const { prompt, page_context: pageContext, time_limit_seconds: limitSeconds } = each;
  const runId = await begin(server, {
    message: prompt,
    ...(agentId === undefined ? {} : { agent_id: agentId }),
    ...(pageContext === undefined ? {} : { page_context: pageContext }),
  });
  const seen = nothingSeen();
  const time = AbortSignal.timeout(limitSeconds * 1_000);
  const signal = AbortSignal.any([server.signal, time]);
  try {
    await follow({ ...server, signal }, { runId, seen, approve: each.approve });
    return { runId, seen, isLate: false };
  } catch (error) {
    if (!time.aborted || server.signal.aborted) throw error;
    await cancel(server, runId);
    return { runId, seen, isLate: true };
  }
}

/** The run may have ended meanwhile. */
async function cancel(server: Server, runId: string): Promise<void> {
  await callServer(server, { method: "POST", path: `${base}/runs/${runId}/cancel` }).catch(
    (error: unknown) => {
      if (!(error instanceof Failure) || error.kind !== "conflict") throw error;
    },
  );
}

async function follow(
  server: Server,
  { runId, seen, approve }: { runId: string; seen: Seen; approve: readonly string[] },
): Promise<void> {
  const events = followStream(server, {
    path: `${base}/runs/${runId}/events`,
    isLast: ({ type }) => type === "RUN_FINISHED" || type === "RUN_ERROR",
    broken: { message: `The events of the run ${runId} broke off.`, solution: "Run the suite again." },
  });
  for await (const { type, data } of events) {
    const value: any = JSON.parse(data);
    addEvent(seen, type, value);
    if (type !== "CUSTOM" || value.name !== "approval_required") continue;
    const { approval_id: id, server: of, tool } = value.value;
    await callServer(server, {
      method: "POST",
      path: `${base}/runs/${runId}/approvals/${id}`,
      body: { approved: approve.includes(`${of}:${tool}`) },
    });
  }
}

/** The id of a new run. The run continues without this stream, and its log has every event. */
async function begin(server: Server, body: object): Promise<string> {
  for await (const { type, data } of readEvents(
    await openStreamOf(server, { method: "POST", path: `${base}/task`, body }),
  )) {
    if (type === "RUN_STARTED") return (JSON.parse(data) as { runId: string }).runId;
  }
  throw new Error("The server began no run.");
}

function printResults(cli: Cli, results: readonly Result[]): void {
  const { styles } = cli.out;
  const columns = [
    { title: "CASE", shrinks: true },
    { title: "RESULT" },
    { title: "CALLS", align: "right" as const },
    { title: "TOKENS", align: "right" as const },
    { title: "TIME", align: "right" as const },
  ];
  const rows = results.map(({ name, passed, timed_out: isLate, tool_calls: calls, tokens, seconds }) => [
    oneLine(name),
    passed ? "passed" : { text: isLate ? "timed out" : "missed", paint: styles.attention },
    String(calls),
    String(tokens),
    duration(seconds * 1_000),
  ]);
  printLines(
    cli.out,
    renderTable(columns, rows, { width: cli.out.size()?.columns, paintTitle: styles.faint }),
  );
  for (const { name, misses, run_id: runId } of results)
    printLines(
      cli.out,
      misses.map((miss) => `${oneLine(name)}: ${oneLine(miss)} (run ${oneLine(runId)})`),
    );
  const passed = results.filter((each) => each.passed).length;
  printLines(cli.out, [`${passed} of ${results.length} passed.`]);
}
