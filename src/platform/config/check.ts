import { inspectConfig, type ConfigSource } from "./load.ts";
import { redact } from "./redact.ts";
import type { ConfigProblem } from "./source/problems.ts";

export interface ConfigReport {
  text: string;
  /** 0 when the configuration can be used, with warnings or without; 1 when it cannot. */
  exitCode: 0 | 1;
}

/** What `plinth config check` prints, for people or as JSON. Holds no secret. */
export function checkConfig(source: ConfigSource & { json?: boolean }): ConfigReport {
  const { config, problems, warnings, files } = inspectConfig(source);
  const valid = problems.length === 0;
  const exitCode = valid ? 0 : 1;
  if (source.json) {
    const body = { valid, files, problems, warnings, ...(valid && { config: redact(config) }) };
    return { text: `${JSON.stringify(body, null, 2)}\n`, exitCode };
  }
  const read = files.length === 0 ? "defaults and environment variables" : files.join(", ");
  const lines = [
    ...problems.flatMap((problem) => show("error", problem)),
    ...warnings.flatMap((problem) => show("warning", problem)),
    valid
      ? `Configuration is valid (${read}${countOf(warnings.length, ", ", "warning")}).`
      : `Configuration is not valid (${read}): ${countOf(problems.length, "", "problem")}${countOf(warnings.length, ", ", "warning")}.`,
  ];
  return { text: `${lines.join("\n")}\n`, exitCode };
}

const show = (severity: string, { where, message, solution }: ConfigProblem): string[] => [
  `${where} ${message}${severity === "warning" ? " (warning)" : ""}`,
  ...(solution ? [`    ${solution}`] : []),
];

const countOf = (count: number, before: string, noun: string): string =>
  count === 0 ? "" : `${before}${count} ${noun}${count === 1 ? "" : "s"}`;
