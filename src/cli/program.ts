/** Defines the whole command line; docs/reference/cli.md is generated from it. */
import { Command, CommanderError } from "commander";
import about from "../../package.json" with { type: "json" };
import { Failure } from "../platform/errors/failure.ts";
import { defineAdapter } from "./adapter-check/command.ts";
import { defineAssistant } from "./assistant/command.ts";
import { defineAccess } from "./commands/access.ts";
import { defineBuild } from "./commands/build.ts";
import { defineCatalog } from "./commands/catalog.ts";
import { defineChat } from "./commands/chat.ts";
import { defineConfig } from "./commands/config.ts";
import { defineHooks } from "./commands/hooks.ts";
import { defineInstantiate } from "./commands/instantiate.ts";
import { defineLogs } from "./commands/logs.ts";
import { definePlan } from "./commands/plan.ts";
import { defineProvision } from "./commands/provision.ts";
import { defineRegister } from "./commands/register.ts";
import { defineResume } from "./commands/resume.ts";
import { defineRollback } from "./commands/rollback.ts";
import { defineStart } from "./commands/start.ts";
import { defineStatus } from "./commands/status.ts";
import { defineTemplate } from "./commands/template.ts";
import { defineTerminate } from "./commands/terminate.ts";
import { defineValidate } from "./commands/validate.ts";
import { printJsonLine, printLines, type Cli, type Run } from "./context.ts";
import { defineDemo } from "./demo/command.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { failureJson, failureLines } from "./print/failure.ts";

/** Runs one command line, prints errors, and returns the exit code. */
export async function runCli(args: readonly string[], cli: Cli): Promise<number> {
  let code: number = exitCodes.ok.code;
  const program = buildProgram(cli, async (work) => {
    code = await work();
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    // Commander has printed its message itself; help that was asked for is no error.
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? exitCodes.ok.code : exitCodes.usage.code;
    if (cli.signal.aborted) return exitCodes.interrupted.code;
    printFailure(error, cli, args.includes("--json"));
    return exitCodeOf(error);
  }
}

export function buildProgram(cli: Cli, run: Run): Command {
  const program = new Command("plinth");
  program
    .description(
      "Plinth, an open data-platform control plane: the server, a demo, and commands for any server.",
    )
    .version(about.version, "-V, --version", "show the version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => cli.out.write(text),
      writeErr: (text) => cli.err.write(text),
      getOutHelpWidth: () => cli.out.size()?.columns ?? 100,
      getErrHelpWidth: () => cli.err.size()?.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .helpCommand(false)
    .showHelpAfterError("(--help shows what the command takes)")
    .addHelpText("after", () => `\n${exitCodeLines().join("\n")}`);
  for (const define of definitions) define(program, cli, run);
  return program;
}

const definitions = [
  defineStart,
  defineDemo,
  defineConfig,
  defineRegister,
  defineBuild,
  defineValidate,
  definePlan,
  defineProvision,
  defineStatus,
  defineLogs,
  defineTerminate,
  defineCatalog,
  defineTemplate,
  defineInstantiate,
  defineAccess,
  defineHooks,
  defineChat,
  defineResume,
  defineRollback,
  defineAssistant,
  defineAdapter,
];

const exitCodeLines = (): string[] => [
  "Exit codes:",
  ...Object.values(exitCodes).map(({ code, meaning }) => `  ${String(code).padEnd(3)}  ${meaning}`),
];

function printFailure(error: unknown, cli: Cli, json: boolean): void {
  const failure = error instanceof Failure ? error : defect(error);
  if (json) printJsonLine(cli.err, failureJson(failure));
  else printLines(cli.err, failureLines(failure, cli.err.styles));
}

/** An unexpected error: its message helps, its stack would not. */
const defect = (error: unknown): Failure =>
  new Failure({
    kind: "internal",
    code: "CLI_DEFECT",
    message: `This is a defect of the command line: ${error instanceof Error ? error.message : String(error)}`,
    cause: error,
  });
