/** `plinth upgrade`: brings an installation of release 2.1.0 to this one. */
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { silentLogger } from "../../platform/lib/logger.ts";
import type { WantedBackup } from "../../upgrade/apply/apply.ts";
import type { DoneStep } from "../../upgrade/apply/run-steps.ts";
import type { CheckedFiles } from "../../upgrade/checks/check-files.ts";
import type { DatabaseFacts } from "../../upgrade/database/facts.ts";
import { isBreaking, sortFindings, type Finding } from "../../upgrade/finding.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes, inputFailure } from "../exit-codes.ts";
import { collect, serverOf, withJson, withServer, type ServerOptions } from "../options.ts";
import type { OldInstallation } from "./old-installation.ts";
import type { ReadInputs, UpgradeOptions } from "./read-inputs.ts";

interface ApplyOptions extends UpgradeOptions, ServerOptions {
  execute?: boolean;
  backup?: string;
  backupConfirmed?: boolean;
  passphraseFile?: string;
  keyTo?: string;
  drafts?: string;
  metadata?: string;
  syncAccess?: boolean;
  deleteUnresolvedAccess?: boolean;
  json?: boolean;
}

const inputsHelp =
  "Looks at the values of the chart, the configuration of the applications, names of variables and of keys of the secret store (never " +
  "at their values), and the databases. ";
const exitsHelp =
  "Ends with 0 when nothing is in the way, with 5 while something breaking is left, and with 1 when it failed.";

export function defineUpgrade(program: Command, cli: Cli, run: Run): void {
  const group = program
    .command("upgrade")
    .summary("bring an installation of release 2.1.0 to this one")
    .description("Brings an installation of release 2.1.0 or earlier to this one.");
  const define = (name: string, summary: string, description: string): Command =>
    withInputs(group.command(name).summary(summary).description(`${description} ${inputsHelp}${exitsHelp}`));
  withJson(
    define(
      "check",
      "what is in the way",
      "Prints what has to be known or done before the upgrade. Changes nothing.",
    ),
  ).action((options: UpgradeOptions) => run(() => check(cli, options)));
  withJson(
    define(
      "plan",
      "the files as they would become",
      "Prints the rewritten files as a diff, without secrets. Changes nothing.",
    ),
  ).action((options: UpgradeOptions) => run(() => plan(cli, options)));
  const apply = define(
    "apply",
    "carry the upgrade out",
    "Says what it would do; with --execute it does it: takes a backup, brings the databases up to date, rewrites the files and keeps the old " +
      "ones beside them. It can be repeated after it was cut short at any moment; what is done is not done again.",
  )
    .option("--execute", "do it; otherwise only say what would be done")
    .option("--backup <file>", "write a backup to this new file first, as `plinth backup` does")
    .option("--backup-confirmed", "there is a backup of databases and configuration already")
    .option("--key-to <file>", "with --backup: file into which the key of the installation is copied")
    .option("--passphrase-file <file>", "with --backup: file with the passphrase that seals it")
    .option(
      "--drafts <file>",
      "where drafts of custom views go (default: custom-view-drafts.json beside the configuration)",
    )
    .option(
      "--metadata <file>",
      "where the metadata of the data layer is exported to (default: data-layer-metadata.json beside the configuration)",
    )
    .option(
      "--delete-unresolved-access",
      "delete access that has no consumable part; `upgrade verify` lists it",
    )
    .option("--sync-access", "have the running server send the access that was moved to the infrastructure");
  withServer(apply).action((options: ApplyOptions) => run(() => applyUpgrade(cli, options)));
  withJson(
    define(
      "verify",
      "whether the upgrade is complete",
      "Checks again, with what may only be left after an upgrade. Changes nothing.",
    ),
  ).action((options: UpgradeOptions) => run(() => check(cli, options, true)));
}

const withInputs = (command: Command): Command =>
  command
    .option("--values <file>", "values of the chart; repeatable", collect)
    .option("--config <file>", "configuration of an application; repeatable, later ones win", collect)
    .option(
      "--variables <file>",
      "names of variables or of keys of the secret store: lines NAME or NAME=value, or a manifest of a secret; repeatable",
      collect,
    )
    .option("--data-dir <directory>", "directory of the embedded database, where that is used")
    .option("--ingress-class <name>", "class for ingresses that name none")
    .option("--no-database", "leave the databases out");

interface Checked extends CheckedFiles {
  read: ReadInputs;
  facts: DatabaseFacts[];
  installation: OldInstallation | null;
}

/** Everything that is known before anything is changed; `work` gets it while the databases are open. */
async function checking<T>(
  cli: Cli,
  options: UpgradeOptions,
  work: (checked: Checked) => Promise<T>,
): Promise<T> {
  const { readInputs } = await import("./read-inputs.ts");
  const { checkFiles } = await import("../../upgrade/checks/check-files.ts");
  const { checkDatabases } = await import("../../upgrade/checks/database.ts");
  const { readFacts } = await import("../../upgrade/database/facts-store.ts");
  const { hasDatabase, withOldInstallation } = await import("./old-installation.ts");
  const read = await readInputs(cli, options);
  const look = async (installation: OldInstallation | null): Promise<T> => {
    const facts: DatabaseFacts[] = [];
    for (const database of installation?.databases ?? []) facts.push(await readFacts(database));
    const catalogue = facts.find((each) => each.catalogue !== null)?.catalogue ?? null;
    const files = checkFiles({ ...read.inputs, catalogue }, read.variableTexts);
    const findings = sortFindings([...files.findings, ...checkDatabases(facts)]);
    return work({ ...files, findings, read, facts, installation });
  };
  const isThere = options.database && hasDatabase(read.config);
  return isThere ? withOldInstallation(cli, read.config, look) : look(null);
}

const exitOf = (findings: readonly Finding[]): number =>
  findings.some(isBreaking) ? exitCodes.findings.code : exitCodes.ok.code;

async function check(cli: Cli, options: UpgradeOptions, isAfter = false): Promise<number> {
  const { countsOf, findingLines } = await import("./print.ts");
  const findings = await checking(cli, options, async (checked) => checked.findings);
  const shown = isAfter ? findings.map(asLeft) : findings;
  if (options.json)
    printJson(cli.out, { clean: !shown.some(isBreaking), counts: countsOf(shown), findings: shown });
  else printLines(cli.out, findingLines(shown, cli.out.styles));
  return exitOf(shown);
}

/** After an upgrade a database that is behind is a fault: nothing is to be left for the first start. */
const asLeft = (finding: Finding): Finding =>
  finding.automatic && (finding.item === "database" || finding.item === "governance-database")
    ? { ...finding, severity: "breaking" }
    : finding;

async function plan(cli: Cli, options: UpgradeOptions): Promise<number> {
  const { diffOf, findingLines } = await import("./print.ts");
  const { maskFor } = await import("../../upgrade/files/secrets-in.ts");
  const { findings, changes, drafts, read } = await checking(cli, options, async (checked) => checked);
  const mask = maskFor([...read.texts.values()]);
  const diffs = changes.map((change) => ({ file: change.file, diff: diffOf(change, mask) }));
  if (options.json) {
    const shown = drafts.map((draft) => JSON.parse(mask(JSON.stringify(draft))) as unknown);
    printJson(cli.out, {
      findings,
      files: diffs.map(({ file, diff }) => ({ file, diff: `${diff.join("\n")}\n` })),
      drafts: shown,
    });
  } else {
    printLines(cli.out, [
      ...diffs.flatMap(({ diff }) => [...diff, ""]),
      ...drafts.map(
        ({ pageId, part, from }) => `${from} becomes a draft of the custom view ${pageId} (${part}).`,
      ),
      ...(diffs.length === 0 ? ["No file changes."] : []),
      "",
      ...findingLines(findings, cli.out.styles),
    ]);
  }
  return exitOf(findings);
}

async function applyUpgrade(cli: Cli, options: ApplyOptions): Promise<number> {
  if (options.backup !== undefined && options.backupConfirmed)
    throw inputFailure("Give either --backup or --backup-confirmed.", { where: "--backup" });
  if (options.execute && options.backup === undefined && !options.backupConfirmed)
    throw new (await import("../../platform/errors/failure.ts")).Failure({
      kind: "conflict",
      code: "UPGRADE_NO_BACKUP",
      message: "There is no backup, so nothing was done.",
      solutions: ["Have one taken with --backup <file>, or say with --backup-confirmed that there is one."],
    });
  const done = await checking(cli, options, (checked) => carryOut(cli, options, checked));
  const sent = options.syncAccess && options.execute ? await syncAccess(cli, options) : null;
  return finish(cli, options, { ...done, sent });
}

async function wantedBackup(
  cli: Cli,
  { backup, keyTo, passphraseFile }: ApplyOptions,
  installation: OldInstallation | null,
): Promise<WantedBackup | null> {
  if (backup === undefined) return null;
  const { passphraseOf } = await import("../backup/command.ts");
  const from = installation?.keyFile ?? null;
  return {
    file: resolve(cli.cwd, backup),
    passphrase: await passphraseOf(cli, { passphraseFile }),
    key: keyTo === undefined || from === null ? undefined : { from, to: resolve(cli.cwd, keyTo) },
  };
}

async function carryOut(cli: Cli, options: ApplyOptions, checked: Checked): Promise<{ steps: DoneStep[] }> {
  const { refuseUnfit, stepsOf } = await import("../../upgrade/apply/apply.ts");
  const { runSteps } = await import("../../upgrade/apply/run-steps.ts");
  refuseUnfit(checked.facts);
  const path = (name: string): string => resolve(cli.cwd, name);
  const beside = (name: string): string => join(dirname(options.config?.[0] ?? "."), name);
  const steps = stepsOf({
    databases: checked.installation?.databases ?? [],
    dataDir: resolve(checked.read.config.dataDir),
    facts: checked.facts,
    checked: {
      ...checked,
      changes: checked.changes.map((change) => ({ ...change, file: path(change.file) })),
    },
    metadata: checked.installation?.metadata ?? null,
    backup: await wantedBackup(cli, options, checked.installation),
    files: [...checked.read.texts.keys()].map(path),
    draftsFile: path(options.drafts ?? beside("custom-view-drafts.json")),
    metadataFile: checked.read.config.dataLayer.autoTracking
      ? path(options.metadata ?? beside("data-layer-metadata.json"))
      : null,
    deletesUnresolved: options.deleteUnresolvedAccess ?? false,
    now: () => new Date(),
    log: silentLogger,
    signal: cli.signal,
  });
  if (!options.execute) return { steps: steps.map(({ id, title }) => ({ id, title, changed: null })) };
  const say = (line: string): void => printLines(cli.err, [line]);
  return { steps: await runSteps(steps, { signal: cli.signal, log: silentLogger, say }) };
}

interface Outcome {
  steps: DoneStep[];
  sent: SentAccess[] | null;
}

/** What is left is read anew: the files and the databases are others now. */
async function finish(cli: Cli, options: ApplyOptions, { steps, sent }: Outcome): Promise<number> {
  const { findingLines } = await import("./print.ts");
  const findings = await checking(cli, options, async (checked) => checked.findings);
  const failed = sent?.some(({ status }) => status !== "COMPLETED") ?? false;
  if (options.json)
    printJson(cli.out, { executed: options.execute ?? false, steps, ...(sent && { sent }), findings });
  else
    printLines(cli.out, [
      ...(options.execute ? [] : ["Nothing was changed. With --execute:"]),
      ...steps.map(({ id, title, changed }) =>
        options.execute ? `  ${id}: ${changed ?? "nothing to do"}` : `  ${id}: ${title}`,
      ),
      ...(sent ?? []).map(
        ({ componentId, environment, status }) => `  access to ${componentId} in ${environment}: ${status}`,
      ),
      "",
      ...findingLines(findings, cli.out.styles),
    ]);
  return failed ? exitCodes.refused.code : exitOf(findings);
}

interface SentAccess {
  componentId: string;
  environment: string;
  /** Status of the plan, or what the server answered instead of taking the request. */
  status: string;
}

async function syncAccess(cli: Cli, options: ApplyOptions): Promise<SentAccess[]> {
  const { sendAccess } = await import("./sync-access.ts");
  const server = serverOf(cli, options);
  const wanted = await checking(cli, options, async ({ facts }) =>
    facts.flatMap(({ access }) => access?.toSync ?? []),
  );
  return sendAccess(cli, server, wanted);
}
