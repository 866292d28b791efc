import type { Problem } from "../../../platform/errors/failure.ts";
import { descriptorLimits } from "./limits.ts";

/** Collects problems up to the limit that one answer may list. */
export interface ProblemList {
  listed: Problem[];
  hasMore: boolean;
}

export function newProblemList(): ProblemList {
  return { listed: [], hasMore: false };
}

export function report(list: ProblemList, problem: Problem): void {
  if (list.listed.length < descriptorLimits.problems) list.listed.push(problem);
  else list.hasMore = true;
}

export function reportAll(list: ProblemList, problems: Iterable<Problem>): void {
  for (const problem of problems) report(list, problem);
}

/** The listed problems, and a last one when there were more. The result may be added to another list. */
export function problemsOf({ listed, hasMore }: ProblemList): Problem[] {
  if (!hasMore) return listed;
  const solution = "Solve the problems that are listed, then send the request again.";
  return [...listed, { where: "", message: "There are further problems, which are not listed.", solution }];
}
