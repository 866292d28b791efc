/** Pure: values of any JSON type that users give. */
import type { InputProblem } from "../platform/http/operation.ts";
import { bodyProblem } from "./input-problem.ts";

export const longestJson = 256 * 1024;

/** What is wrong with storing such a value. */
export function jsonProblems(value: unknown, path: readonly string[]): InputProblem[] {
  if (JSON.stringify(value).length > longestJson)
    return [bodyProblem(path, `is longer than ${longestJson} characters as JSON`)];
  return isFiniteThroughout(value) ? [] : [bodyProblem(path, "holds a number that is too large")];
}

/** A number such as 1e400 is read as infinity, which JSON has no way to write. */
function isFiniteThroughout(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isFiniteThroughout);
}
