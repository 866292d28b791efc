/** Defines the whole command line; docs/reference/cli.md is generated from it. */
import { Command, CommanderError } from "commander";
import about from "../../package.json" with { type: "json" };
import { Failure } from "../platform/errors/failure.ts";
import { defineAdapter } from "./adapter-check/command.ts";
import { defineApprovals } from "./approvals/command.ts";
import { defineAssistant } from "./assistant/command.ts";
import { defineAccess } from "./catalogue/access.ts";
import { defineBackup, defineRestore } from "./backup/command.ts";
import { defineBuild } from "./plans/build.ts";
import { defineCatalog } from "./catalogue/catalog.ts";
import { defineChat } from "./assistant/chat.ts";
import { defineCompletion } from "./help/completion.ts";
import { defineConfig } from "./config.ts";
import { defineContext } from "./contexts/commands.ts";
import { defineDiff } from "./units/diff.ts";
import { defineReconcile } from "./reconcile/command.ts";
import { defineAdmin } from "./admin/command.ts";
import { defineAudit } from "./audit/command.ts";
import { defineDoctor } from "./doctor/command.ts";
import { defineNotices } from "./notices/command.ts";
import { defineWindows } from "./windows/command.ts";
import { defineDrift } from "./units/drift.ts";
import { addExamples } from "./help/examples.ts";
import { defineException } from "./governance/exception.ts";
import { definePolicy } from "./governance/policy.ts";
import { defineLogin } from "./login/command.ts";
import { defineLogout } from "./login/logout.ts";
import { defineWhoami } from "./login/whoami.ts";
import { defineList } from "./lists/command.ts";
import { defineHooks } from "./catalogue/hooks.ts";
import { defineInstantiate } from "./catalogue/instantiate.ts";
import { defineLogs } from "./plans/logs.ts";
import { definePlan } from "./plans/plan.ts";
import { defineProvision } from "./plans/provision.ts";
import { defineRegister } from "./catalogue/register.ts";
import { defineResume } from "./plans/resume.ts";
import { defineRollback } from "./plans/rollback.ts";
import { defineStart } from "./start.ts";
import { defineStatus } from "./plans/status.ts";
import { defineTemplate } from "./catalogue/template.ts";
import { defineToken } from "./tokens/command.ts";
import { defineTerminate } from "./plans/terminate.ts";
import { defineUpgrade } from "./upgrade/command.ts";
import { defineValidate } from "./plans/validate.ts";
import { defineWatch } from "./plans/watch.ts";
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
    // Commander has printed its message itself; requested help is not an error.
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
  addExamples(program);
  return program;
}

const definitions = [
  defineStart,
  defineDemo,
  defineConfig,
  defineUpgrade,
  defineBackup,
  defineRestore,
  defineContext,
  defineLogin,
  defineLogout,
  defineWhoami,
  defineToken,
  defineRegister,
  defineBuild,
  defineValidate,
  definePlan,
  defineProvision,
  defineList,
  defineStatus,
  defineWatch,
  defineLogs,
  defineTerminate,
  defineDiff,
  defineDrift,
  defineReconcile,
  defineWindows,
  defineNotices,
  defineAudit,
  defineDoctor,
  defineAdmin,
  defineCatalog,
  defineTemplate,
  defineInstantiate,
  defineAccess,
  defineHooks,
  defineApprovals,
  definePolicy,
  defineException,
  defineChat,
  defineResume,
  defineRollback,
  defineAssistant,
  defineAdapter,
  defineCompletion,
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
