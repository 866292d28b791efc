import type { Settings } from "../schema/schema.ts";
import type { Path } from "../source/located.ts";
import type { Report } from "./report.ts";

const path: Path = ["coordinator", "execution"];
type Times = Partial<Record<"callTimeoutMs" | "taskTimeoutMs" | "operationTimeoutMs", number | undefined>>;

/**
 * The time limits of each level fit into those of the next, in general and for each environment and adapter
 * with its own.
 */
export function checkExecution(
  { coordinator: { execution } }: Settings,
  known: string[],
  report: Report,
): void {
  if (execution.pollInitialMs > execution.pollMaxMs) {
    report.problem([...path, "pollInitialMs"], { message: "must not be larger than pollMaxMs" });
  }
  checkTimes(execution, {}, { at: path, report });
  const { environments, adapters } = execution;
  const refuseUnknown = (name: string | undefined, at: Path): void => {
    if (name === undefined || known.includes(name)) return;
    const solution = `Use one of: ${known.join(", ")}.`;
    report.problem(at, { message: `names the environment ${name}, which is not configured`, solution });
  };
  for (const [index, entry] of environments.entries()) {
    const at = [...path, "environments", index];
    refuseUnknown(entry.name, [...at, "name"]);
    if (environments.findIndex(({ name }) => name === entry.name) < index) {
      report.problem([...at, "name"], { message: `repeats the environment ${entry.name}` });
    }
    checkTimes(entry, execution, { at, report });
  }
  for (const [index, entry] of adapters.entries()) {
    const at = [...path, "adapters", index];
    refuseUnknown(entry.environment, [...at, "environment"]);
    const isSame = (other: typeof entry): boolean =>
      other.id === entry.id && other.environment === entry.environment;
    if (adapters.findIndex(isSame) < index) {
      report.problem([...at, "id"], { message: `repeats the adapter ${entry.id}` });
    }
    const around = environments.find(({ name }) => name === entry.environment);
    checkTimes(entry, { ...execution, ...around }, { at, report });
  }
}

/** `own` over `around`; when only one of two is own, the problem names that one. */
function checkTimes(own: Times, around: Times, { at, report }: { at: Path; report: Report }): void {
  const order = ["callTimeoutMs", "taskTimeoutMs", "operationTimeoutMs"] as const;
  for (const [index, field] of order.slice(0, -1).entries()) {
    const wider = order[index + 1]!;
    if (own[field] === undefined && own[wider] === undefined) continue;
    const [short, long] = [own[field] ?? around[field], own[wider] ?? around[wider]];
    if (short === undefined || long === undefined || short <= long) continue;
    if (own[field] === undefined) {
      report.problem([...at, wider], { message: `must not be smaller than ${field}, which is ${short}` });
    } else report.problem([...at, field], { message: `must not be larger than ${wider}` });
  }
}
