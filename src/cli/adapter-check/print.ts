/** Pure. The report of a conformance run, for people and for programs. */
import { groups, type Check } from "../../adapters/conformance/check.ts";
import type { Deviation } from "../../adapters/conformance/deviation.ts";
import type { Exchange } from "../../adapters/conformance/exchange.ts";
import type { CheckResult, Report } from "../../adapters/conformance/run.ts";
import type { Subject } from "../../adapters/conformance/session.ts";
import type { Paint, Palette } from "../print/colors.ts";
import { count, oneLine, padEnd, safeLines } from "../print/text.ts";

export const groupLine = ({ group }: Pick<CheckResult, "group">, palette: Palette): string =>
  palette.strong(groups[group]);

const words = { pass: "pass", warn: "warn", fail: "FAIL", skipped: "skip" } as const;

export function checkLines(result: CheckResult, palette: Palette): string[] {
  const { id, title, outcome, note, deviations } = result;
  const paint = paintOf(outcome, palette);
  const remark = note === undefined ? "" : palette.faint(` (${oneLine(note)})`);
  return [
    `  ${paint(words[outcome])}  ${padEnd(id, idWidth)}  ${title}${remark}`,
    ...deviations.flatMap((deviation) => deviationLines(deviation, palette)),
  ];
}

const idWidth = 30;
const indent = " ".repeat(8);

const paintOf = (outcome: CheckResult["outcome"], palette: Palette): Paint =>
  ({ pass: palette.good, warn: palette.attention, fail: palette.bad, skipped: palette.faint })[outcome];

function deviationLines({ severity, what, protocol, fix, exchange }: Deviation, palette: Palette): string[] {
  const paint = severity === "fail" ? palette.bad : palette.attention;
  return [
    `${indent}${paint(oneLine(what))}`,
    `${indent}The protocol: ${oneLine(protocol)}`,
    `${indent}${palette.faint("→")} ${oneLine(fix)}`,
    ...(exchange && severity === "fail" ? exchangeLines(exchange, palette) : []),
  ];
}

function exchangeLines(exchange: Exchange, palette: Palette): string[] {
  const { method, path, sent, answer, fault } = exchange;
  const headers = Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}`);
  const came = answer
    ? [`${answer.status} ${answer.contentType}`.trim(), ...safeLines(answer.shown)]
    : [`no answer: ${fault ?? "unknown"}`];
  return [
    `${indent}sent`,
    ...[`${method} ${path}`, ...headers, "", ...safeLines(sent.body)].map(quoted(palette)),
    `${indent}came back after ${(exchange.ms / 1000).toFixed(2)} s`,
    ...came.map(quoted(palette)),
  ];
}

const quoted =
  (palette: Palette) =>
  (line: string): string =>
    `${indent}  ${palette.faint(`| ${oneLine(line) === "" ? "" : line}`)}`.trimEnd();

export function summaryLines(report: Report, palette: Palette): string[] {
  const { counts, score, complete, reachable, leftBehind } = report;
  const numbers = [
    `${counts.pass} passed`,
    count(counts.warn, "warning"),
    `${counts.fail} failed`,
    `${counts.skipped} skipped`,
  ].join(", ");
  const paint = counts.fail > 0 ? palette.bad : counts.warn > 0 ? palette.attention : palette.good;
  return [
    "",
    ...(complete ? [] : [palette.attention("Interrupted before its end.")]),
    ...(reachable ? [] : [palette.bad("Nothing answers at the URL.")]),
    score === null ? `No score: ${numbers}.` : `${paint(`Score ${score} of 100`)}: ${numbers}.`,
    ...(leftBehind.length > 0
      ? [palette.bad(`Left behind, remove it by hand: ${leftBehind.join(", ")}`)]
      : []),
  ];
}

export interface Intention {
  url: string;
  subject: Subject;
  chosen: readonly Check[];
}

/** What a run would do, for somebody who has not said yes. */
export function warningLines({ url, subject, chosen }: Intention): string[] {
  const { unit, componentId, needs } = subject;
  return [
    `This would run ${count(chosen.length, "check")} against ${oneLine(url)}, and for real:`,
    ...needs.map((id) => `  provision ${oneLine(id)} first`),
    `  provision ${oneLine(componentId)} of ${oneLine(String(unit["id"]))} in ${oneLine(String(unit["environment"]))}, several times`,
    "  grant and revoke access to it, read it back, stop a provisioning half-way",
    "  send requests that the adapter should refuse, one of 32 MiB",
    "  remove it at the end, with its data",
    "Nothing was sent. Point it at a test adapter with names that exist nowhere else, and say --yes.",
    "The validations alone change nothing: --only validation needs no --yes.",
  ];
}

export function listLines(checks: readonly Check[], palette: Palette): string[] {
  let group = "";
  return checks.flatMap((check) => {
    const head = check.group === group ? [] : [groupLine(check, palette)];
    ({ group } = check);
    const mark = check.changes ? "" : palette.faint(" (changes nothing)");
    return [...head, `  ${padEnd(check.id, idWidth)}  ${check.title}${mark}`];
  });
}

export const reportJson = (url: string, report: Report): object => ({
  url,
  ...report,
  results: report.results.map(resultJson),
});

const resultJson = ({ deviations, ...result }: CheckResult): object => ({
  ...result,
  deviations: deviations.map(({ exchange, ...deviation }) => ({
    ...deviation,
    ...(exchange ? { exchange: exchangeJson(exchange) } : {}),
  })),
});

/** Without the whole body, which is neither short nor masked. */
const exchangeJson = ({ answer, ...exchange }: Exchange): object => ({
  ...exchange,
  ...(answer
    ? { answer: { status: answer.status, contentType: answer.contentType, body: answer.shown } }
    : {}),
});
