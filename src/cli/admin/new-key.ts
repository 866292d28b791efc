/** `plinth admin new-key`: the first step of a change of keys. */
import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import { errorCode } from "../../platform/errors/error-code.ts";
import type { InstallationOptions } from "../backup/installation.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { collect, withJson } from "../options.ts";

interface Options extends InstallationOptions {
  json?: boolean;
}

export function defineNewKey(admin: Command, cli: Cli, run: Run): void {
  const command = admin
    .command("new-key")
    .summary("make a new key of the installation")
    .description(
      "Where the key is a file of the data directory: copies it to the former keys and puts a new one in its place, which servers " +
        "use after a reload or their next start. Where the configuration has the key: prints a new one and changes nothing. It can be " +
        "interrupted and repeated at any moment.",
    )
    .option("--config <file>", "configuration file, as for start; repeatable", collect)
    .option("--data-dir <directory>", "data directory (default: ./.plinth)");
  withJson(command).action((options: Options) => run(() => newKey(cli, options)));
}

async function newKey(cli: Cli, options: Options): Promise<number> {
  const { configOf } = await import("../backup/installation.ts");
  const { replaceKeyFile } = await import("../../platform/runtime/keys/replace-key-file.ts");
  const config = configOf(cli, options);
  if (config.mesh.builder.instantiations.secretKey !== undefined) {
    const key = randomBytes(32).toString("base64");
    if (options.json) printJson(cli.out, { key });
    else cli.out.write(`${key}\n`);
    return exitCodes.ok.code;
  }
  const replaced = await replaceKeyFile(config, () => readRecorded(cli, options));
  if (options.json) printJson(cli.out, replaced);
  else
    printLines(cli.out, [
      `${replaced.file} has a new key (fingerprint ${replaced.fingerprint}).`,
      `The one of before is ${replaced.former}.`,
      "Reload (SIGHUP) or restart the servers of this data directory, then run `plinth admin rekey`.",
    ]);
  return exitCodes.ok.code;
}

/** None where there is no database yet, or one from before keys were recorded. */
async function readRecorded(cli: Cli, options: Options): Promise<string[]> {
  const { withInstallation } = await import("../backup/installation.ts");
  const { openDatabase } = await import("../../platform/db/database.ts");
  const { readKeys } = await import("../../platform/db/installation-key.ts");
  const { startFailure } = await import("../../platform/db/start/start-failure.ts");
  return withInstallation(cli, options, async ({ config, connection, log }) => {
    const database = openDatabase({ connection, log, poolSize: 1 });
    try {
      return (await readKeys(database.db)).fingerprints;
    } catch (error) {
      if (["3D000", "42P01"].includes(errorCode(error))) return [];
      throw startFailure(error, connection, { isEmbedded: config.database.embedded });
    } finally {
      await database.close();
    }
  });
}
