import type { Command } from "commander";
import type { Cli, Run } from "../context.ts";
import { defineApprovals, defineDecide } from "./approvals.ts";
import { defineEval } from "./eval.ts";
import { defineExport, defineImport } from "./records.ts";

export function defineAssistant(program: Command, cli: Cli, run: Run): void {
  const assistant = program
    .command("assistant")
    .summary("decide what waits; export, import and evaluate what the assistant uses")
    .description(
      "Tool calls that wait for you; skills, agents and external agents as files; and suites of questions that an assistant has to pass.",
    );
  defineApprovals(assistant, cli, run);
  defineDecide(assistant, cli, run);
  defineExport(assistant, cli, run);
  defineImport(assistant, cli, run);
  defineEval(assistant, cli, run);
}
