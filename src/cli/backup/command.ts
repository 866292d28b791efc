/** `plinth backup` and `plinth restore`. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { Manifest } from "../../platform/backup/service.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes, inputFailure } from "../exit-codes.ts";
import { collect, withJson } from "../options.ts";
import { count } from "../print/text.ts";
import type { InstallationOptions } from "./installation.ts";

interface FileOptions extends InstallationOptions {
  passphraseFile?: string;
  json?: boolean;
}

const common = (command: Command): Command =>
  command
    .option("--config <file>", "configuration file, as for start; repeatable", collect)
    .option("--data-dir <directory>", "data directory (default: ./.plinth)")
    .option("--passphrase-file <file>", "file with the passphrase that seals the backup");

export function defineBackup(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("backup")
    .summary("write a backup of an installation while it works")
    .description(
      "Writes the tables of all databases as they are at one moment, and the repositories of the data directory, into one file. The " +
        "server may be at work. The key of the installation is never in it: --key-to copies it apart, and without it a restored " +
        "installation can't read its secrets.",
    )
    .requiredOption("--to <file>", "file that is written; it must not exist")
    .option("--key-to <file>", "file into which the key of the installation is copied");
  withJson(common(command)).action((options: FileOptions & { to: string; keyTo?: string }) =>
    run(() => backup(cli, options)),
  );
}

async function backup(cli: Cli, options: FileOptions & { to: string; keyTo?: string }): Promise<number> {
  const passphrase = await passphraseOf(cli, options);
  const { withInstallation } = await import("./installation.ts");
  const { makeBackup } = await import("../../platform/backup/make-backup.ts");
  const file = resolve(cli.cwd, options.to);
  const { manifest, keyFile } = await withInstallation(cli, options, async (installation) => {
    const { services, dataDir, keyFile: from } = installation;
    if (options.keyTo !== undefined && from === null)
      throw inputFailure("The configuration has the key, not a file.", {
        solutions: ["Leave --key-to out, and keep mesh.builder.instantiations.secretKey safe."],
      });
    const key =
      options.keyTo === undefined || from === null
        ? undefined
        : { from, to: resolve(cli.cwd, options.keyTo) };
    const made = await makeBackup({ services, dataDir, file, passphrase, key, now: () => new Date() });
    return { manifest: made, keyFile: from };
  });
  if (options.json) printJson(cli.out, { file, ...summaryOf(manifest) });
  else
    printLines(cli.out, [
      `${file}: ${textOf(manifest)}.`,
      ...(options.keyTo === undefined && keyFile !== null
        ? [
            cli.out.styles.faint(
              `The key of the installation is not in it: keep ${keyFile} safe, apart from the backup.`,
            ),
          ]
        : []),
    ]);
  return exitCodes.ok.code;
}

export function defineRestore(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("restore")
    .summary("bring a backup into an empty installation")
    .description(
      "Checks the whole file, then fills the databases and the data directory that the configuration names. An installation that is " +
        "used is never overwritten. Plans that were running go on with the next start: stop the old installation first.",
    )
    .requiredOption("--from <file>", "file that `plinth backup` wrote")
    .option("--key-from <file>", "file of the key that `plinth backup --key-to` wrote");
  withJson(common(command)).action((options: FileOptions & { from: string; keyFrom?: string }) =>
    run(() => restore(cli, options)),
  );
}

async function restore(cli: Cli, options: FileOptions & { from: string; keyFrom?: string }): Promise<number> {
  const passphrase = await passphraseOf(cli, options);
  const { withInstallation } = await import("./installation.ts");
  const { restoreBackup } = await import("../../platform/backup/restore-backup.ts");
  const file = resolve(cli.cwd, options.from);
  const { manifest, wasStored } = await withInstallation(cli, options, async (installation) => {
    const { services, dataDir, keyFile, log } = installation;
    if (options.keyFrom !== undefined && keyFile === null)
      throw inputFailure("The configuration has the key, so none is restored.", {
        solutions: ["Leave --key-from out, or remove mesh.builder.instantiations.secretKey."],
      });
    const key =
      options.keyFrom === undefined || keyFile === null
        ? undefined
        : { from: resolve(cli.cwd, options.keyFrom), to: keyFile };
    return restoreBackup({ services, dataDir, file, passphrase, key, log, signal: cli.signal });
  });
  if (options.json) printJson(cli.out, { file, ...summaryOf(manifest) });
  else
    printLines(cli.out, [
      wasStored
        ? `An earlier run had restored ${textOf(manifest)}; this one has finished it and replaced nothing.`
        : `Restored ${textOf(manifest)}.`,
      "Start the server; plans that were running go on.",
    ]);
  return exitCodes.ok.code;
}

export async function passphraseOf(
  cli: Cli,
  { passphraseFile }: { passphraseFile?: string | undefined },
): Promise<string | undefined> {
  if (passphraseFile === undefined) return undefined;
  const text = await readFile(resolve(cli.cwd, passphraseFile), "utf8").catch(() => "");
  const passphrase = text.trim();
  if (passphrase.length >= 12) return passphrase;
  throw inputFailure(`${passphraseFile} has no passphrase of 12 characters or more.`, {
    solutions: ["Write a long random passphrase into a file that only you can read."],
  });
}

const rowsOf = ({ services }: Manifest): number =>
  services.flatMap(({ tables }) => tables).reduce((sum, { rows }) => sum + rows, 0);

const textOf = (manifest: Manifest): string =>
  `${count(rowsOf(manifest), "row")} and ${count(manifest.files.length, "file")}, as of ${manifest.createdAt}`;

const summaryOf = (manifest: Manifest) => ({
  createdAt: manifest.createdAt,
  program: manifest.program,
  migrations: Object.fromEntries(manifest.services.map(({ name, migration }) => [name, migration])),
  rows: rowsOf(manifest),
  files: manifest.files.length,
});
