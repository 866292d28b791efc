import type { Problem } from "../platform/errors/failure.ts";
import { coordinatorFailure } from "./errors.ts";
import type { WorkerContext } from "./context.ts";

/** A problem when the environment is not configured, otherwise none. */
export function environmentProblems(
  ctx: WorkerContext,
  environment: string,
  where = "environment",
): Problem[] {
  const { environments } = ctx.coordinator.settings;
  if (environments.includes(environment)) return [];
  const solution = `Use one of: ${environments.join(", ")}.`;
  return [{ where, message: `The environment ${environment} is not configured.`, solution }];
}

/** Throws a Failure unless the environment is configured. */
export const requireEnvironment = (ctx: WorkerContext, environment: string, where?: string): void =>
  requireEnvironments(ctx, [environment], where);

/** Throws a Failure with a problem for each environment that is not configured. */
export function requireEnvironments(
  ctx: WorkerContext,
  environments: readonly string[],
  where?: string,
): void {
  const problems = environments.flatMap((environment) => environmentProblems(ctx, environment, where));
  const [first] = problems;
  if (!first) return;
  throw coordinatorFailure("COORD_UNKNOWN_ENVIRONMENT", {
    message: problems.length === 1 ? first.message : `${problems.length} environments are not configured.`,
    problems,
    input: environments.join(","),
  });
}
