import { Option, type Command } from "commander";
import { parsePort, withJson } from "../options.ts";
import type { Cli, Run } from "../context.ts";
import type { DemoOptions } from "./services.ts";

export function defineDemo(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("demo")
    .summary("run the main job end to end, from files to a running data product")
    .description(
      "Starts an embedded PostgreSQL, the server and two tech adapters; builds, validates, previews and provisions " +
        "examples/fleet-positions; queries the result; changes one component and redeploys only that. Then stops it all " +
        "and removes its directory. Ends with 1 when it did not show all of that.",
    )
    .option("--keep", "stay up until Ctrl-C and keep the data (default directory: ./.plinth/demo)")
    .option("--data-dir <directory>", "directory for the data, kept (default: a new temporary one, removed)")
    .addOption(
      new Option("--port <number>", "port of the server, 0 for a free one").argParser(parsePort).default(0),
    );
  withJson(command).action((options: DemoOptions) =>
    run(async () => {
      const { runDemo } = await import("./demo.ts");
      return runDemo(cli, options);
    }),
  );
}
