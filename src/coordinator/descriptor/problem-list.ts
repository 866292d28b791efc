import type { Problem } from "../../platform/errors/failure.ts";
import { descriptorLimits } from "./limits.ts";

/** Problems as they are found. Beyond the limit they are not kept: an answer has to stay sendable. */
export interface ProblemList {
  told: Problem[];
  hasMore: boolean;
}

export function newProblemList(): ProblemList {
  return { told: [], hasMore: false };
}

export function report(list: ProblemList, problem: Problem): void {
  if (list.told.length < descriptorLimits.problems) list.told.push(problem);
  else list.hasMore = true;
}

export function reportAll(list: ProblemList, problems: Iterable<Problem>): void {
  for (const problem of problems) report(list, problem);
}

/** The problems, and where there were too many a last one that says so. May itself be added to a list. */
export function problemsOf({ told, hasMore }: ProblemList): Problem[] {
  if (!hasMore) return told;
  const solution = "Solve the problems that are listed, then send the request again.";
  return [...told, { where: "", message: "There are further problems, which are not listed.", solution }];
}
