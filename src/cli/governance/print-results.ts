/** Pure. Results of policies as text. */
import type { Paint, Styles } from "../print/colors.ts";
import { count, oneLine } from "../print/text.ts";
import type { EvaluationResult, OutcomeCounts, TestResults } from "./wire.ts";

/** Colour of an outcome, or of the status of a policy or an exception. */
export const paintOfWord = (styles: Styles, word: string): Paint => {
  if (/^(?:ok|enabled|approved)$/.test(word)) return styles.good;
  if (/^(?:error|failed|rejected|revoked)$/.test(word)) return styles.bad;
  return /^(?:warning|grace|pending)$/.test(word) ? styles.attention : styles.faint;
};

/** Whether a policy would have stopped a deployment, or has given no answer. */
export const hasFindings = ({ error, failed }: OutcomeCounts): boolean => error + failed > 0;

/** A policy with each resource that violates it: every place, and what to do. */
export function testLines(policy: string, { summary, results }: TestResults, styles: Styles): string[] {
  const worst = (["failed", "error", "warning", "ok"] as const).find((each) => summary[each] > 0);
  if (worst === undefined)
    return [`${styles.attention("none")} ${oneLine(policy)}: the descriptor has nothing that it is about`];
  const wrong = results.filter(({ outcome }) => outcome !== "ok");
  const head = `${paintOfWord(styles, worst)(worst)} ${styles.strong(oneLine(policy))}`;
  const advice = new Set(wrong.flatMap((each) => each.advice ?? []));
  return [
    wrong.length === 0
      ? `${head}: ${count(results.length, "resource")}`
      : `${head}: ${wrong.length} of ${count(results.length, "resource")}`,
    ...wrong.flatMap((each) => resultLines(each, styles)),
    ...results.flatMap(metricLine),
    ...[...advice].map((each) => `  ${styles.faint("→")} ${oneLine(each)}`),
  ];
}

function resultLines({ outcome, resource, result, exceptionId }: EvaluationResult, styles: Styles): string[] {
  const excused = exceptionId === undefined ? "" : ` (excused by the exception ${oneLine(exceptionId)})`;
  return [
    `  ${paintOfWord(styles, outcome)(outcome)} ${oneLine(resource.id)}${excused}`,
    ...result.errors.map(({ path, message }) => {
      const place = path === undefined || path === "" ? "" : `${styles.attention(oneLine(path))}  `;
      return `    ${place}${oneLine(message)}`;
    }),
  ];
}

export function metricLine({ resource, result: { value, label } }: EvaluationResult): string[] {
  if (value === undefined) return [];
  return [`  ${oneLine(resource.id)}: ${value}${label === undefined ? "" : ` (${oneLine(label)})`}`];
}
