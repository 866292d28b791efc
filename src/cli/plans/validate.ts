import type { Command } from "commander";
import { callServer, type Server } from "../client/http.ts";
import type { ValidationResult } from "../client/wire.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { paintOf, type Styles } from "../print/colors.ts";
import { count, oneLine } from "../print/text.ts";
import { readDescriptorText } from "../descriptor-file.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";

export function defineValidate(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("validate")
    .summary("check a descriptor")
    .description(
      "Checks a descriptor and reports every problem; ends with 1 when there is one. The tech adapter of each component is " +
        "asked too. One that does not answer in time (coordinator.validation.syncTimeoutMs) counts as a problem.",
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
  return isValid(result) ? 0 : 1;
}

export async function validateDescriptor(
  server: Server,
  descriptor: string,
  more: { removeData?: boolean } = {},
): Promise<ValidationResult> {
  const call = {
    method: "POST",
    path: "/api/coordinator/v1/validate",
    body: { descriptor, ...more },
  } as const;
  const { body } = await callServer<ValidationResult>(server, call);
  return body;
}

export const isValid = ({ results }: ValidationResult): boolean =>
  results.every(({ status }) => status === "COMPLETED");

export function validationLines({ results }: ValidationResult, styles: Styles): string[] {
  return results.flatMap(({ validationPhaseKind, validatedDescriptor, status, errors, warnings = [] }) => {
    const isOfComponent = validationPhaseKind.includes("COMPONENT");
    const subject = isOfComponent ? nameIn(validatedDescriptor ?? "") : "";
    const phase = validationPhaseKind.toLowerCase().replaceAll("_", " ") + subject;
    const { problems, solutions } = errors.moreInfo;
    const found = problems.length === 0 ? "no problems" : count(problems.length, "problem");
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
