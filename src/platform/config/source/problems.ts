import type { Problem } from "../../errors/failure.ts";
import { showPath, showPlace, type Path, type Place } from "./located.ts";

/** `where` is `file:line:column` or `environment:NAME`; `message` begins with the key. No value is ever in it. */
export interface ConfigProblem extends Problem {
  key: string;
}

export interface ConfigProblems {
  add(place: Place, path: Path, problem: { message: string; solution?: string }): void;
  list: ConfigProblem[];
}

/** Maximum number of problems that are listed; the rest is counted. */
const maxProblems = 200;

export function newProblems(): ConfigProblems {
  const found: { place: Place; problem: ConfigProblem }[] = [];
  const seen = new Set<string>();
  return {
    add(place, path, { message, solution }) {
      const key = showPath(path);
      const where = showPlace(place);
      const id = `${where} ${key} ${message}`;
      if (seen.has(id) || seen.size > maxProblems) return;
      seen.add(id);
      const text =
        seen.size > maxProblems
          ? "configuration has more problems than are listed here"
          : `${key} ${message}`;
      found.push({ place, problem: { where, key, message: text, ...(solution && { solution }) } });
    },
    get list() {
      return found.toSorted((a, b) => comparePlaces(a.place, b.place)).map(({ problem }) => problem);
    },
  };
}

/** Within a file by position; different files and variables stay in the order in which they were met. */
function comparePlaces(a: Place, b: Place): number {
  if ("variable" in a || "variable" in b) return Number("variable" in a) - Number("variable" in b);
  return a.file === b.file ? a.line - b.line || a.column - b.column : 0;
}
