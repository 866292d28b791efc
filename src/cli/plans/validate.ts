import type { Command } from "commander";
import { callServer, type Server } from "../client/http.ts";
import { pollUntil } from "../client/poll.ts";
import type { ValidationResult } from "../client/wire.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { paintOf, type Styles } from "../print/colors.ts";
import { count, oneLine } from "../print/text.ts";
import { readDescriptorText } from "../descriptor-file.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";

export function defineValidate(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("validate")
    .summary("check a descriptor")
    .description(
      "Checks a descriptor and reports every problem; ends with 5 when there is one. The tech adapter of each component is asked " +
        "too, and waited for as long as it needs.",
    )
    .argument("<descriptor>", "file of the descriptor, YAML or JSON; - for standard input");
  withServer(command)
    .option("--remove-data", "tell the adapters that data would be removed with what is undeployed")
    .action((file: string, options: ValidateOptions) => run(() => validate(cli, file, options)));
}

interface ValidateOptions extends ServerOptions {
  removeData?: boolean;
}

async function validate(cli: Cli, file: string, options: ValidateOptions): Promise<number> {
  const server = serverOf(cli, options);
  const more = options.removeData ? { removeData: true } : {};
  const result = await validateDescriptor(server, await readDescriptorText(cli, file), more);
  if (options.json) printJson(cli.out, result);
  else printLines(cli.out, validationLines(result, cli.out.styles));
  return isValid(result) ? exitCodes.ok.code : exitCodes.findings.code;
}

/** Has the descriptor validated and waits for the end: an adapter may take longer than one call of the server lasts. */
export async function validateDescriptor(
  server: Server,
  descriptor: string,
  more: { removeData?: boolean } = {},
): Promise<ValidationResult> {
  const path = "/api/coordinator/v2/validate";
  const { body: token } = await callServer<string>(server, {
    method: "POST",
    path,
    body: { descriptor, ...more },
  });
  const status = { method: "GET", path: `${path}/${encodeURIComponent(token)}/status` } as const;
  const ended = await pollUntil(
    server,
    {
      read: async () => (await callServer<ValidationStatus>(server, status)).body,
      isDone: (answer) => answer.status !== "RUNNING",
    },
    pace,
  );
  return ended.validationSummaryStatus;
}

/** Most validations end within a second, and somebody waits for the result. */
const pace = { pauseMs: 150, maxFailures: 8 };

interface ValidationStatus {
  status: string;
  validationSummaryStatus: ValidationResult;
}

export const isValid = ({ results }: ValidationResult): boolean =>
  results.every(({ status }) => status === "COMPLETED");

export function validationLines({ results }: ValidationResult, styles: Styles): string[] {
  return results.flatMap(({ validationPhaseKind, validatedDescriptor, status, errors, warnings = [] }) => {
    const isOfComponent = validationPhaseKind.includes("COMPONENT");
    const subject = isOfComponent ? nameIn(validatedDescriptor ?? "") : "";
    const phase = validationPhaseKind.toLowerCase().replaceAll("_", " ") + subject;
    const { problems, solutions } = errors.moreInfo;
    const kind = status === "COMPLETED" ? "warning" : "problem";
    const found = problems.length === 0 ? "no problems" : count(problems.length, kind);
    return [
      `${paintOf(styles, status)(status)} ${oneLine(phase)}: ${found}`,
      ...problems.map((problem) => `  ${oneLine(problem)}`),
      ...warnings.map((warning) => `  ${styles.attention("warning:")} ${oneLine(warning)}`),
      ...solutions.map((solution) => `  ${styles.faint("→")} ${oneLine(solution)}`),
    ];
  });
}

/** ` of <component id>` for a phase; the id has a line of its own in YAML. */
function nameIn(descriptor: string): string {
  const id = /^id: (.+)$/m.exec(descriptor)?.[1];
  return id === undefined ? "" : ` of ${id}`;
}
