import { Failure, type Problem } from "../platform/errors/failure.ts";
import type { CoordinatorContext } from "./context.ts";

/** What is wrong with the name of an environment: that it is not configured, or nothing. */
export function environmentProblems(
  ctx: CoordinatorContext,
  environment: string,
  where = "environment",
): Problem[] {
  const { environments } = ctx.coordinator.settings;
  if (environments.includes(environment)) return [];
  const solution = `Use one of: ${environments.join(", ")}.`;
  return [{ where, message: `The environment ${environment} is not configured.`, solution }];
}

/** Throws a Failure unless the environment is configured. */
export function requireEnvironment(ctx: CoordinatorContext, environment: string): void {
  const problems = environmentProblems(ctx, environment);
  if (problems.length === 0) return;
  throw new Failure({
    kind: "invalid",
    code: "COORD_UNKNOWN_ENVIRONMENT",
    message: `The environment ${environment} is not configured.`,
    problems,
    input: environment,
  });
}
