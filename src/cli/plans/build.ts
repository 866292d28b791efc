import type { Command } from "commander";
import { dump } from "js-yaml";
import { callServer, notPlinth, type Server } from "../client/http.ts";
import { printLines, type Cli, type Run } from "../context.ts";
import { isRecord } from "../../platform/lib/is-record.ts";
import { writeOutputFile } from "../output-file.ts";
import { count, oneLine } from "../print/text.ts";
import { readArchive, type Archive } from "../archive-file.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";

interface BuildOptions extends ServerOptions {
  environment: string;
  output?: string;
}

export interface BuiltDescriptor {
  id: string;
  components: { id: string; kind?: string }[];
  [key: string]: unknown;
}

export function defineBuild(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("build")
    .summary("build a descriptor from entities")
    .description(
      "Builds the descriptor of a system for one environment and prints it: YAML, or JSON with --json. A directory " +
        "is packed first.",
    )
    .argument("<path>", "directory of entities, or a .tar.gz or .tgz file of one")
    .requiredOption("-e, --environment <name>", "environment whose configurations apply")
    .option("-o, --output <file>", "write the descriptor to a file instead");
  withServer(command).action((path: string, options: BuildOptions) => run(() => build(cli, path, options)));
}

async function build(cli: Cli, path: string, options: BuildOptions): Promise<number> {
  const server = serverOf(cli, options);
  const archive = await readArchive(cli, path);
  const { descriptor, warnings } = await buildDescriptor(server, archive, options.environment);
  printLines(
    cli.err,
    warnings.map((each) => `${cli.err.styles.attention("warning:")} ${oneLine(each)}`),
  );
  const text = options.json
    ? `${JSON.stringify(descriptor, null, 2)}\n`
    : dump(descriptor, { noRefs: true, lineWidth: -1 });
  if (options.output === undefined) {
    cli.out.write(text);
    return 0;
  }
  await writeOutputFile(cli, options.output, text);
  const components = count(descriptor.components.length, "component");
  printLines(cli.err, [`${options.output} holds ${oneLine(descriptor.id)} with ${components}.`]);
  return 0;
}

export async function buildDescriptor(
  server: Server,
  archive: Archive,
  environment: string,
): Promise<{ descriptor: BuiltDescriptor; warnings: string[] }> {
  const form = new FormData();
  form.append("environment", environment);
  form.append(
    "archive",
    new Blob([new Uint8Array(archive.bytes)], { type: "application/gzip" }),
    archive.name,
  );
  const path = "/api/builder/descriptor";
  const { body, headers } = await callServer<{ descriptor: BuiltDescriptor }>(server, {
    method: "POST",
    path,
    form,
  });
  const warnings = headers.get("x-plinth-warning")?.split(" | ") ?? [];
  if (!isRecord(body.descriptor) || !Array.isArray(body.descriptor.components)) throw notPlinth(server);
  return { descriptor: body.descriptor, warnings };
}
