/** Pure. The report of a conformance run, for people and for programs. */
import { groups, type Check } from "../../adapters/conformance/check.ts";
import type { Deviation } from "../../adapters/conformance/deviation.ts";
import type { Exchange } from "../../adapters/conformance/exchange.ts";
import type { CheckResult, Report } from "../../adapters/conformance/run.ts";
import type { Subject } from "../../adapters/conformance/session.ts";
import type { Paint, Styles } from "../print/colors.ts";
import { count, oneLine, padEnd, safeLines } from "../print/text.ts";

export const groupLine = ({ group }: Pick<CheckResult, "group">, styles: Styles): string =>
  styles.strong(groups[group]);

const words = { pass: "pass", warn: "warn", fail: "FAIL", skipped: "skip" } as const;

export function checkLines(result: CheckResult, styles: Styles): string[] {
  const { id, title, outcome, note, deviations } = result;
  const paint = paintOf(outcome, styles);
  const remark = note === undefined ? "" : styles.faint(` (${oneLine(note)})`);
  return [
    `  ${paint(words[outcome])}  ${padEnd(id, idWidth)}  ${title}${remark}`,
    ...deviations.flatMap((deviation) => deviationLines(deviation, styles)),
  ];
}

const idWidth = 30;
const indent = " ".repeat(8);

const paintOf = (outcome: CheckResult["outcome"], styles: Styles): Paint =>
  ({ pass: styles.good, warn: styles.attention, fail: styles.bad, skipped: styles.faint })[outcome];

function deviationLines({ severity, what, protocol, fix, exchange }: Deviation, styles: Styles): string[] {
  const paint = severity === "fail" ? styles.bad : styles.attention;
  return [
    `${indent}${paint(oneLine(what))}`,
    `${indent}The protocol: ${oneLine(protocol)}`,
    `${indent}${styles.faint("→")} ${oneLine(fix)}`,
    ...(exchange && severity === "fail" ? exchangeLines(exchange, styles) : []),
  ];
}

function exchangeLines(exchange: Exchange, styles: Styles): string[] {
  const { method, path, sent, answer, fault } = exchange;
  const headers = Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}`);
  const came = answer
    ? [`${answer.status} ${answer.contentType}`.trim(), ...safeLines(answer.shown)]
    : [`no answer: ${fault ?? "unknown"}`];
  return [
    `${indent}sent`,
    ...[`${method} ${path}`, ...headers, "", ...safeLines(sent.body)].map(quoted(styles)),
    `${indent}came back after ${(exchange.ms / 1000).toFixed(2)} s`,
    ...came.map(quoted(styles)),
  ];
}

const quoted =
  (styles: Styles) =>
  (line: string): string =>
    `${indent}  ${styles.faint(`| ${oneLine(line) === "" ? "" : line}`)}`.trimEnd();

export function summaryLines(report: Report, styles: Styles): string[] {
  const { counts, score, complete, reachable, leftBehind } = report;
  const numbers = [
    `${counts.pass} passed`,
    count(counts.warn, "warning"),
    `${counts.fail} failed`,
    `${counts.skipped} skipped`,
  ].join(", ");
  const paint = counts.fail > 0 ? styles.bad : counts.warn > 0 ? styles.attention : styles.good;
  return [
    "",
    ...(complete ? [] : [styles.attention("Interrupted before its end.")]),
    ...(reachable ? [] : [styles.bad("Nothing answers at the URL.")]),
    score === null ? `No score: ${numbers}.` : `${paint(`Score ${score} of 100`)}: ${numbers}.`,
    ...(leftBehind.length > 0
      ? [styles.bad(`Left behind, remove it by hand: ${leftBehind.join(", ")}`)]
      : []),
  ];
}

export interface Intention {
  url: string;
  subject: Subject;
  chosen: readonly Check[];
}

/** What a run would do, shown without `--yes`. */
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

export function listLines(checks: readonly Check[], styles: Styles): string[] {
  let group = "";
  return checks.flatMap((check) => {
    const head = check.group === group ? [] : [groupLine(check, styles)];
    ({ group } = check);
    const mark = check.changes ? "" : styles.faint(" (changes nothing)");
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
