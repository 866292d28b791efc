import type { Command } from "commander";
import type { Cli, Run } from "./context.ts";
import { exitCodes } from "./exit-codes.ts";
import { collect, withJson } from "./options.ts";

interface CheckOptions {
  config?: string[];
  json?: boolean;
}

export function defineConfig(program: Command, cli: Cli, run: Run): void {
  const group = program
    .command("config")
    .summary("work with the configuration")
    .description("The configuration.");
  const command = group
    .command("check")
    .summary("check the configuration")
    .description(
      "Reads the configuration as `start` would and reports every problem with file, line and column. Prints no secrets. Ends with 2 " +
        "when it cannot be used.",
    )
    .option("--config <file>", "configuration file; repeatable, later ones win", collect);
  withJson(command).action((options: CheckOptions) => run(() => check(cli, options)));
}

async function check(cli: Cli, options: CheckOptions): Promise<number> {
  const { checkConfig } = await import("../platform/config/check.ts");
  const { text, exitCode } = checkConfig({
    files: options.config ?? [],
    env: cli.env,
    cwd: cli.cwd,
    json: options.json ?? false,
  });
  cli.out.write(text);
  return exitCode === 0 ? exitCodes.ok.code : exitCodes.usage.code;
}
