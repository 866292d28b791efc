/** Options of starts for environments whose maintenance windows let nothing begin. */
import type { Command } from "commander";
import { inputFailure } from "../exit-codes.ts";

export interface ClosedOptions {
  waitForWindow?: boolean;
  overrideWindow?: string;
}

export const withClosed = (command: Command): Command =>
  command
    .option("--wait-for-window", "let the plan wait while a maintenance window lets nothing begin")
    .option("--override-window <reason>", "begin all the same, as an operator, and say why");

/** Query parameters of the start. */
export function closedQuery({ waitForWindow, overrideWindow }: ClosedOptions): Record<string, string> {
  if (waitForWindow && overrideWindow !== undefined)
    throw inputFailure("Give either --wait-for-window or --override-window.", { where: "--override-window" });
  if (waitForWindow) return { "when-closed": "wait" };
  return overrideWindow === undefined ? {} : { "when-closed": "override", "override-reason": overrideWindow };
}
