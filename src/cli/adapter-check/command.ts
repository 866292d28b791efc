/** Defines `plinth adapter check`; its implementation is loaded only when the command runs. */
import { InvalidArgumentError, type Command } from "commander";
import { collect, withJson } from "../options.ts";
import type { Cli, Run } from "../context.ts";
import type { CheckOptions } from "./check-adapter.ts";

const secretVariable = "CORE_BACKEND_PLUGIN_AUTH_SECRET";

export function defineAdapter(program: Command, cli: Cli, run: Run): void {
  const group = program
    .command("adapter")
    .summary("check a tech adapter")
    .description("Work with tech adapters while they are written.");
  const command = group
    .command("check")
    .summary("check a tech adapter against the protocol")
    .description(
      "Runs the adapter protocol against the adapter at a URL and reports each deviation and how to correct it. It provisions, " +
        "changes and removes one component for real, so it needs --yes; without it, it says what it would do and sends nothing. " +
        "Ends with 0 when no check failed (warnings are allowed), 5 when one failed, 3 when nothing answers at the URL.",
    )
    .argument("<adapter-url>", "http address of the adapter; never one that serves production")
    .option("--yes", "do it: deploy and remove the component at this adapter")
    .option(
      "--secret <text>",
      `shared secret (default: ${secretVariable}, which keeps it out of the process list)`,
    )
    .option("--descriptor <file>", "unit descriptor for this adapter, YAML or JSON (default: one made up)")
    .option("--component <id>", "the component to work with; the end of its id will do (default: the first)")
    .option("--needs <id>", "a component to provision before it and remove after it; repeatable", collect)
    .option("--invalid-descriptor <file>", "a descriptor of the same unit that the adapter must refuse")
    .option("--ref <ref>", "user:… or group:… for the access checks; repeatable", collect)
    .option("--reverse-params <json>", "params of the reverse provisioning, a JSON object")
    .option("--production", "go on although the descriptor names a production environment")
    .option("--only <name>", "a group or a check, as --list names them; repeatable", collect)
    .option("--timeout <seconds>", "limit of one call", parseSeconds, 30)
    .option("--wait <seconds>", "limit of one operation with its polls", parseSeconds, 300)
    .option("--list", "list the checks and send nothing");
  withJson(command).action((url: string, options: CheckOptions) =>
    run(async () => {
      const { checkAdapter } = await import("./check-adapter.ts");
      const secret = options.secret ?? (cli.env[secretVariable] || undefined);
      return checkAdapter(cli, url, { ...options, secret });
    }),
  );
}

function parseSeconds(value: string): number {
  const seconds = Number(value);
  if (!(seconds > 0) || seconds > 86_400) throw new InvalidArgumentError("It must be a number of seconds.");
  return seconds;
}
