/** `plinth policy test`: policies on a descriptor, before they are stored. */
import type { Command } from "commander";
import { callServer, type Server } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { readDescriptor } from "../descriptor-file.ts";
import { exitCodes, inputFailure } from "../exit-codes.ts";
import { environmentOption, serverOf, withServer, type ServerOptions } from "../options.ts";
import { readPolicyFiles } from "./policy-files.ts";
import { hasFindings, testLines } from "./print-results.ts";
import { base, type TestResults } from "./wire.ts";

interface TestOptions extends ServerOptions {
  file?: string;
  descriptor: string;
  previous?: string;
  environment?: string;
}

/** A policy to be tried: stored, or of a file. */
export interface TriedPolicy {
  name: string;
  body: { policyId: string } | { policy: Record<string, unknown> };
}

export function defineTest(group: Command, cli: Cli, run: Run): void {
  const command = group
    .command("test")
    .summary("test policies on a descriptor")
    .description(
      "Says what policies find in a descriptor, as if they were enabled, with each place and what to do about it. Stores nothing. " +
        "Ends with 5 when one would stop the deployment.",
    )
    .argument("[policy]", "id of a stored policy; or give --file")
    .option("-f, --file <path>", "file of a policy, or a folder of them")
    .requiredOption("--descriptor <file>", "descriptor of a unit, YAML or JSON; - for standard input")
    .option("--previous <file>", "the descriptor that is deployed, for policies that compare with it")
    .addOption(environmentOption("(default: that of the descriptor)"));
  withServer(command).action((id: string | undefined, options: TestOptions) =>
    run(() => testPolicies(cli, id, options)),
  );
}

async function testPolicies(cli: Cli, id: string | undefined, options: TestOptions): Promise<number> {
  const server = serverOf(cli, options);
  const policies = await policiesOf(cli, { id, file: options.file });
  const descriptor = await readDescriptor(cli, options.descriptor);
  const previous = options.previous === undefined ? undefined : await readDescriptor(cli, options.previous);
  const environment = options.environment ?? descriptor.environment;
  if (environment === undefined)
    throw inputFailure("The descriptor names no environment.", {
      where: "--environment",
      solutions: ["Name the environment with -e."],
    });
  const tested: ({ policy: string } & TestResults)[] = [];
  for (const { name, body } of policies)
    tested.push({
      policy: name,
      ...(await postTest<TestResults>(server, {
        ...body,
        environment,
        descriptor: descriptor.text,
        previous: previous?.text,
      })),
    });
  if (options.json) printJson(cli.out, { data: tested });
  else
    printLines(
      cli.out,
      tested.flatMap((each) => testLines(each.policy, each, cli.out.styles)),
    );
  return tested.some(({ summary }) => hasFindings(summary)) ? exitCodes.findings.code : exitCodes.ok.code;
}

export async function postTest<T>(server: Server, body: object): Promise<T> {
  return (await callServer<T>(server, { method: "POST", path: `${base}/policies/test`, body })).body;
}

/** The stored policy of an id, or those of files. */
export async function policiesOf(
  cli: Cli,
  { id, file }: { id: string | undefined; file: string | undefined },
): Promise<TriedPolicy[]> {
  if ((id === undefined) === (file === undefined))
    throw inputFailure("Give either the id of a stored policy, or --file.");
  if (id !== undefined) return [{ name: id, body: { policyId: id } }];
  const files = await readPolicyFiles(cli, file ?? "");
  return files.map((each) => ({ name: each.id, body: { policy: { id: each.id, ...each.content } } }));
}
