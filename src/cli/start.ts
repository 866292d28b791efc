import { InvalidArgumentError, Option, type Command } from "commander";
import type { AreaName, ProcessRole } from "../areas.ts";
import { openHandlesMs } from "../platform/runtime/stop-limits.ts";
import type { Cli, Run } from "./context.ts";
import { killPostgres } from "./leftovers.ts";
import { collect, parsePort, withJson } from "./options.ts";

interface StartOptions {
  config?: string[];
  areas?: AreaName[];
  workers: ProcessRole["workers"];
  host?: string;
  port?: number;
  dataDir?: string;
  json?: boolean;
}

/** Repeated here, because the help of a small command must not load the whole server. */
const areas: readonly AreaName[] = ["builder", "assistant", "coordinator", "governance", "data-layer"];

export function defineStart(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("start")
    .summary("start the server")
    .description(
      "Starts the server and stays until Ctrl-C, which stops it gracefully; a second one stops it at once. Options override " +
        "environment variables, which override configuration files. SIGHUP makes it read the configuration again and take what can " +
        "be changed at run time (docs/guides/keys.md).",
    )
    .option("--config <file>", "configuration file; repeatable, later ones win", collect)
    .option("--areas <names>", `areas to serve, with commas (default: ${areas.join(",")})`, parseAreas)
    .addOption(
      new Option(
        "--workers <use>",
        "drive plans as well as serve (on), only serve (off), or only drive plans (only)",
      )
        .choices(["on", "off", "only"])
        .default("on"),
    )
    .option("--host <address>", "address to listen on (default: 127.0.0.1)")
    .option("--port <number>", "port to listen on, 0 for a free one (default: 7007)", parsePort)
    .option("--data-dir <directory>", "directory of the embedded database (default: ./.plinth)");
  withJson(command).action((options: StartOptions) => run(() => start(cli, options)));
}

async function start(cli: Cli, options: StartOptions): Promise<number> {
  const { serve } = await import("../main.ts");
  try {
    await serve({
      configFiles: options.config ?? [],
      env: environmentWith(cli, options),
      cwd: cli.cwd,
      role: { areas: options.areas ?? areas, workers: options.workers },
      // Readable lines on a terminal; JSON in a file unless the configuration says otherwise.
      prettyLog: options.json ? false : cli.out.isTty || undefined,
      signal: cli.signal,
      onConfig({ database, dataDir }) {
        if (database.embedded) cli.onForce(() => killPostgres(dataDir));
      },
      onHangup: (act) => cli.onHangup(act),
      endWithin: (ms, reason) => cli.endWithin(ms, reason),
    });
    return 0;
  } finally {
    // Everything that can be closed is closed; the system closes a connection that hangs.
    cli.endWithin(openHandlesMs);
  }
}

function environmentWith({ env }: Cli, { host, port, dataDir }: StartOptions): Cli["env"] {
  return {
    ...env,
    ...(host === undefined ? {} : { PLINTH_SERVER_HOST: host }),
    ...(port === undefined ? {} : { PLINTH_SERVER_PORT: String(port) }),
    ...(dataDir === undefined ? {} : { PLINTH_DATA_DIR: dataDir }),
  };
}

function parseAreas(value: string): AreaName[] {
  const names = value.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !areas.some((area) => area === name));
  if (unknown.length > 0) {
    throw new InvalidArgumentError(`Unknown: ${unknown.join(", ")}. There are ${areas.join(", ")}.`);
  }
  return areas.filter((area) => names.includes(area));
}
