/** The conformance checks against one adapter, printed as they end. */
import { setTimeout as wait } from "node:timers/promises";
import { groups } from "../../adapters/conformance/check.ts";
import { allChecks, runConformance, selectChecks } from "../../adapters/conformance/run.ts";
import { newId } from "../../platform/lib/ids.ts";
import { printJson, printLines, type Cli } from "../context.ts";
import { exitCodes, inputFailure } from "../exit-codes.ts";
import { checkLines, groupLine, listLines, reportJson, summaryLines, warningLines } from "./print.ts";
import { readSubject, type SubjectOptions } from "./subject.ts";

export interface CheckOptions extends SubjectOptions {
  secret?: string | undefined;
  only?: string[];
  timeout: number;
  wait: number;
  yes?: boolean;
  list?: boolean;
  json?: boolean;
}

export async function checkAdapter(cli: Cli, url: string, options: CheckOptions): Promise<number> {
  const { out } = cli;
  const only = options.only ?? [];
  const { chosen, unknown } = selectChecks(allChecks(), only);
  if (unknown.length > 0) {
    throw inputFailure(`There is no check or group ${unknown.join(", ")}.`, {
      where: "--only",
      solutions: [`Groups are ${Object.keys(groups).join(", ")}; --list names the checks.`],
    });
  }
  if (options.list) {
    if (options.json)
      printJson(
        out,
        chosen.map(({ id, group, title, changes }) => ({ id, group, title, changes })),
      );
    else printLines(out, listLines(chosen, out.styles));
    return 0;
  }
  checkUrl(url);
  const subject = await readSubject(cli, options);
  if (chosen.some(({ changes }) => changes) && !options.yes) {
    printLines(cli.err, warningLines({ url, subject, chosen }));
    return exitCodes.usage.code;
  }
  let shownGroup = "";
  const report = await runConformance({
    url,
    subject,
    secret: options.secret,
    timeoutMs: options.timeout * 1000,
    waitMs: options.wait * 1000,
    pollMs: 200,
    only,
    newId,
    now: cli.now,
    sleep: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}),
    signal: cli.signal,
    onCheck(result) {
      if (options.json) return;
      if (result.group !== shownGroup) printLines(out, [groupLine(result, out.styles)]);
      shownGroup = result.group;
      printLines(out, checkLines(result, out.styles));
    },
  });
  if (options.json) printJson(out, reportJson(url, report));
  else printLines(out, summaryLines(report, out.styles));
  if (!report.complete) return exitCodes.interrupted.code;
  if (!report.reachable) return exitCodes.unreachable.code;
  return report.counts.fail > 0 ? exitCodes.findings.code : exitCodes.ok.code;
}

function checkUrl(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && !/[?#]/.test(url)) return;
  throw inputFailure("The URL of the adapter must begin with http:// or https:// and have no query.", {
    where: "<adapter-url>",
  });
}
