import type { Command } from "commander";
import { callServer, type Server } from "../client/http.ts";
import type { ValidationResult } from "../client/wire.ts";
import { printJson, printLines, type Cli } from "../context.ts";
import { paintOf, type Palette } from "../print/colors.ts";
import { count, oneLine } from "../print/text.ts";
import type { Run } from "../program.ts";
import { readDescriptorText } from "./descriptor-file.ts";
import { serverOf, withServer, type ServerOptions } from "./options.ts";

export function defineValidate(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("validate")
    .summary("check a descriptor")
    .description("Checks a descriptor and tells every problem; ends with 1 when there is one.")
    .argument("<descriptor>", "file of the descriptor, YAML or JSON; - for standard input");
  withServer(command).action((file: string, options: ServerOptions) =>
    run(() => validate(cli, file, options)),
  );
}

async function validate(cli: Cli, file: string, options: ServerOptions): Promise<number> {
  const server = serverOf(cli, options);
  const result = await validateDescriptor(server, await readDescriptorText(cli, file));
  if (options.json) printJson(cli.out, result);
  else printLines(cli.out, validationLines(result, cli.out.palette));
  return isValid(result) ? 0 : 1;
}

export async function validateDescriptor(server: Server, descriptor: string): Promise<ValidationResult> {
  const path = "/api/coordinator/v1/validate";
  const { body } = await callServer<ValidationResult>(server, { method: "POST", path, body: { descriptor } });
  return body;
}

export const isValid = ({ results }: ValidationResult): boolean =>
  results.every(({ status }) => status === "COMPLETED");

export function validationLines({ results }: ValidationResult, palette: Palette): string[] {
  return results.flatMap(({ validationPhaseKind, status, errors, warnings = [] }) => {
    const phase = validationPhaseKind.toLowerCase().replaceAll("_", " ");
    const { problems, solutions } = errors.moreInfo;
    const found = problems.length === 0 ? "no problems" : count(problems.length, "problem");
    return [
      `${paintOf(palette, status)(status)} ${oneLine(phase)}: ${found}`,
      ...problems.map((problem) => `  ${oneLine(problem)}`),
      ...warnings.map((warning) => `  ${palette.attention("warning:")} ${oneLine(warning)}`),
      ...solutions.map((solution) => `  ${palette.faint("→")} ${oneLine(solution)}`),
    ];
  });
}
