/** Pure. A failure as text: what happened, each problem with its place, what to do. */
import type { Failure } from "../../platform/errors/failure.ts";
import type { Styles } from "./colors.ts";
import { oneLine, safeLines } from "./text.ts";

export function failureLines(failure: Failure, styles: Styles): string[] {
  const [first = "", ...more] = safeLines(failure.message);
  const code = /^(?:CLI_|HTTP_)/.test(failure.code) ? "" : ` ${styles.faint(`(${oneLine(failure.code)})`)}`;
  const repeats = failure.problems.length === 1 && failure.problems[0]?.message === failure.message;
  const ofProblems = new Set(failure.problems.flatMap(({ solution }) => solution ?? []));
  return [
    `${styles.bad("error:")} ${first}${code}`,
    ...more.map((line) => `  ${line}`),
    ...failure.problems.flatMap(({ where, message, solution }) => [
      ...(repeats && where === "" ? [] : [`  ${placeAnd(where, repeats ? "" : message, styles)}`]),
      ...(solution ? [`      ${styles.faint(oneLine(solution))}`] : []),
    ]),
    ...failure.solutions
      .filter((each) => !ofProblems.has(each))
      .map((each) => `  ${styles.faint("→")} ${oneLine(each)}`),
  ];
}

function placeAnd(where: string, message: string, styles: Styles): string {
  if (where === "") return oneLine(message);
  if (message === "") return `at ${oneLine(where)}`;
  return `${styles.attention(oneLine(where))}  ${oneLine(message)}`;
}

/** The same as JSON. */
export const failureJson = ({ kind, code, message, problems, solutions }: Failure): object => ({
  error: {
    kind,
    code,
    message,
    problems: problems.map(({ where, message: text, solution }) => ({
      where,
      message: text,
      ...(solution === undefined ? {} : { solution }),
    })),
    solutions,
  },
});
