/** `plinth doctor`: whether an installation is as it should be, and if not, what to do. */
import type { Command } from "commander";
import type { Checked, DoctorReport } from "../../platform/doctor/run-checks.ts";
import { Failure } from "../../platform/errors/failure.ts";
import type { InstallationOptions } from "../backup/installation.ts";
import { callServer } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { collect, serverOf, withServer, type ServerOptions } from "../options.ts";
import { reportLines, type ShownReport } from "./print-report.ts";

type Options = ServerOptions & InstallationOptions;

export function defineDoctor(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("doctor")
    .summary("check an installation")
    .description(
      "Has the server look whether everything is as it should be, and says what to do where it is not. Where no server answers, it " +
        "checks the configuration and the database of this machine by itself. Ends with 5 when there is a problem; warnings end with 0.",
    )
    .option(
      "--config <file>",
      "configuration file, as for start, for when no server answers; repeatable",
      collect,
    )
    .option("--data-dir <directory>", "data directory, for when no server answers (default: ./.plinth)");
  withServer(command).action((options: Options) => run(() => examine(cli, options)));
}

async function examine(cli: Cli, options: Options): Promise<number> {
  const report = await reportOf(cli, options);
  if (options.json) printJson(cli.out, report);
  else printLines(cli.out, reportLines(report, cli.out));
  return report.outcome === "problem" ? exitCodes.findings.code : exitCodes.ok.code;
}

/** A check of the server takes at most three seconds, and they run beside each other. */
const timeoutMs = 15_000;

async function reportOf(cli: Cli, options: Options): Promise<ShownReport> {
  const server = serverOf(cli, options);
  try {
    const path = "/api/coordinator/v1/doctor";
    const { body } = await callServer<DoctorReport>(server, { method: "GET", path, timeoutMs });
    return { ...body, checkedBy: "server" };
  } catch (error) {
    // What the server refuses, such as the credentials, is no fault of the installation.
    if (!(error instanceof Failure) || error.kind !== "unavailable") throw error;
    const { checkInstallation } = await import("./own-checks.ts");
    const own = await checkInstallation(cli, options);
    return { outcome: "problem", checks: [unreachable(error), ...own], checkedBy: "command" };
  }
}

const unreachable = ({ message, solutions }: Failure): Checked => ({
  name: "server",
  outcome: "problem",
  found: message,
  advice: solutions[0] ?? "Start one with `plinth start`, or name another with --url.",
  guide: "docs/guides/troubleshooting.md#the-server-does-not-start",
  ms: 0,
});
