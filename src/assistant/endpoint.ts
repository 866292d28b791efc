/** Addresses that users set for models and agents. */
import type { InputProblem } from "../platform/http/operation.ts";
import type { Outbound } from "../platform/outbound/outbound.ts";
import { bodyProblem } from "./input-problem.ts";

/** What is wrong with the `endpoint` of a body. The value is not told back: it may hold a password. */
export function endpointProblems(outbound: Outbound, endpoint: string): InputProblem[] {
  const refused = outbound.check(endpoint);
  return refused === null ? [] : [bodyProblem(["endpoint"], refused.message)];
}
