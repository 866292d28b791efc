/** `plinth assistant export` and `plinth assistant import`. */
import type { Command } from "commander";
import { readArchive } from "../archive-file.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { callServer, downloadFile } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { writeOutputFile } from "../output-file.ts";
import { renderTable } from "../print/table.ts";
import { count, oneLine } from "../print/text.ts";

interface ExportOptions extends ServerOptions {
  output: string;
}

interface ImportOptions extends ServerOptions {
  dryRun?: boolean;
}

interface Imported {
  dry_run: boolean;
  records: { kind: string; path: string; id: string; name: string; action: string }[];
  notes: string[];
}

export function defineExport(assistant: Command, cli: Cli, run: Run): void {
  const command = assistant
    .command("export")
    .summary("export skills, agents and external agents to a file")
    .description(
      "Exports everything that users have made, as a .tar.gz. Secrets of external agents are left out.",
    )
    .requiredOption("-o, --output <file>", "the file to write");
  withServer(command).action((options: ExportOptions) => run(() => exportRecords(cli, options)));
}

export function defineImport(assistant: Command, cli: Cli, run: Run): void {
  const command = assistant
    .command("import")
    .summary("import skills, agents and external agents from a file")
    .description(
      "Imports everything or nothing. Records that exist already are updated from the files; none is deleted.",
    )
    .argument("<path>", "a .tar.gz of an export, or a directory like one")
    .option("--dry-run", "check all and show what would be done");
  withServer(command).action((path: string, options: ImportOptions) =>
    run(() => importRecords(cli, path, options)),
  );
}

async function exportRecords(cli: Cli, options: ExportOptions): Promise<number> {
  const bytes = await downloadFile(serverOf(cli, options), "/api/assistant/v2/export");
  await writeOutputFile(cli, options.output, bytes);
  if (options.json) printJson(cli.out, { file: options.output, bytes: bytes.length });
  else printLines(cli.out, [`${options.output} holds ${count(bytes.length, "byte")}.`]);
  return 0;
}

async function importRecords(cli: Cli, path: string, options: ImportOptions): Promise<number> {
  const server = serverOf(cli, options);
  const { name, bytes } = await readArchive(cli, path);
  const form = new FormData();
  form.append("archive", new Blob([new Uint8Array(bytes)], { type: "application/gzip" }), name);
  const { body } = await callServer<Imported>(server, {
    method: "POST",
    path: "/api/assistant/v2/import",
    query: { dry_run: options.dryRun },
    form,
  });
  if (options.json) {
    printJson(cli.out, body);
    return 0;
  }
  const { styles } = cli.out;
  const columns = [
    { title: "KIND" },
    { title: "NAME", shrinks: true },
    { title: "ACTION" },
    { title: "FILE" },
  ];
  const rows = body.records.map((each) =>
    [each.kind.replaceAll("_", " "), each.name, each.action, each.path].map(oneLine),
  );
  printLines(
    cli.out,
    renderTable(columns, rows, { width: cli.out.size()?.columns, paintTitle: styles.faint }),
  );
  printLines(
    cli.out,
    body.notes.map((note) => `${styles.attention("note:")} ${oneLine(note)}`),
  );
  if (body.dry_run) printLines(cli.out, ["Nothing was written."]);
  return 0;
}
