/** `plinth admin rekey`: seals everything with the present key of the installation. */
import { InvalidArgumentError, type Command } from "commander";
import { errorCode } from "../../platform/errors/error-code.ts";
import { Failure } from "../../platform/errors/failure.ts";
import type { RekeyOptions, RekeyReport } from "../../platform/runtime/keys/rekey.ts";
import type { Installation, InstallationOptions } from "../backup/installation.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { collect, withJson } from "../options.ts";
import { renderTable } from "../print/table.ts";

interface Options extends InstallationOptions {
  dryRun?: true;
  wait: number;
  json?: boolean;
}

export function defineRekey(admin: Command, cli: Cli, run: Run): void {
  const command = admin
    .command("rekey")
    .summary("seal all stored secrets with the present key")
    .description(
      "Opens every stored secret that is sealed with a former key of the installation and seals it with the present one, in small " +
        "steps, while the servers work. It can be interrupted and repeated at any moment. It needs the same keys as the servers: run it " +
        "with their configuration and data directory. At the end former keys open nothing that is stored, and can be taken away.",
    )
    .option("--config <file>", "configuration file, as for start; repeatable", collect)
    .option("--data-dir <directory>", "data directory (default: ./.plinth)")
    .option("--dry-run", "only say what is sealed with which key; ends with 5 where there is something to do")
    .option("--wait <seconds>", "how long to wait until all servers use the present key", seconds, 30);
  withJson(command).action((options: Options) => run(() => rekeyAll(cli, options)));
}

async function rekeyAll(cli: Cli, options: Options): Promise<number> {
  const { withInstallation } = await import("../backup/installation.ts");
  const dryRun = options.dryRun === true;
  const report = await withInstallation(cli, options, (installation) =>
    rekeyInstallation(installation, {
      dryRun,
      waitMs: options.wait * 1_000,
      signal: cli.signal,
    }),
  );
  if (options.json) printJson(cli.out, report);
  else printLines(cli.out, linesOf(cli, report, dryRun));
  const left = report.places.reduce((sum, each) => sum + each.left, 0);
  return left > 0 ? exitCodes.findings.code : exitCodes.ok.code;
}

async function rekeyInstallation(
  { config, connection, log }: Installation,
  options: Pick<RekeyOptions, "dryRun" | "waitMs" | "signal">,
): Promise<RekeyReport> {
  const { rekey } = await import("../../platform/runtime/keys/rekey.ts");
  const { openDatabase } = await import("../../platform/db/database.ts");
  const { governanceConnection } = await import("../../governance/database.ts");
  const { auditsOf, readSealed, sealedPlaces } = await import("../../areas.ts");
  const { signAgain, signingKey } = await import("../../platform/audit/seal.ts");
  const database = openDatabase({ connection, log, poolSize: 3 });
  const own = governanceConnection(config, connection);
  const governance = { database: openDatabase({ connection: own, log, poolSize: 1 }) };
  const signed: RekeyOptions["signed"] = (secrets) =>
    auditsOf({ database, secrets }, governance).map((chain) => ({
      name: `audit_head.signature of ${chain.name}`,
      signedWith: () => signingKey(chain),
      signAgain: () => signAgain(chain),
    }));
  try {
    const places = await sealedPlaces();
    return await rekey({ ...options, config, database, log, readSealed, places, signed });
  } catch (error) {
    throw errorCode(error) === noSuchTable ? notUpToDate(error) : error;
  } finally {
    await Promise.all([database.close(), governance.database.close()]);
  }
}

function linesOf(cli: Cli, { key, places, otherKeys, waitsFor }: RekeyReport, dryRun: boolean): string[] {
  const { styles } = cli.out;
  const columns = [
    { title: "STORED IN" },
    { title: "SEALED ANEW", align: "right" as const },
    { title: "LEFT", align: "right" as const },
    { title: "UNREADABLE", align: "right" as const },
  ];
  const rows = places.map((each) => [each.name, ...[each.sealed, each.left, each.unreadable].map(String)]);
  return [
    ...renderTable(columns, rows, { width: cli.out.size()?.columns, paintTitle: styles.faint }),
    "",
    `The present key is ${key}.`,
    ...otherKeys.map(({ fingerprint, left }) =>
      left > 0
        ? `${fingerprint} is still needed: ${left} of the values are sealed with it.`
        : dryRun
          ? `${fingerprint} seals nothing that is stored.`
          : `${fingerprint} is not needed any more: take it out of the configuration, or its file out of former-keys.`,
    ),
    ...waitsFor.map((each) => `The process ${each} does not use the present key yet.`),
    ...(places.some(({ unreadable }) => unreadable > 0)
      ? ["What is unreadable was sealed with a key that is not here; it stays as it is."]
      : []),
  ];
}

const noSuchTable = "42P01";

const notUpToDate = (cause: unknown): Failure =>
  new Failure({
    kind: "conflict",
    code: "PLATFORM_INSTALLATION_KEY",
    message: "The database does not have the tables of this version.",
    solutions: ["Start a server of this version first."],
    cause,
  });

function seconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 3_600)
    throw new InvalidArgumentError("Give a whole number from 0 to 3600.");
  return value;
}
