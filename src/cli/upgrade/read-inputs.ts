/** Reads what an upgrade looks at: files, names of variables, and where the databases are. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { removedOperations } from "../../governance/removed-routes.ts";
import { inspectConfig } from "../../platform/config/load.ts";
import type { Config } from "../../platform/config/schema/schema.ts";
import { Failure } from "../../platform/errors/failure.ts";
import type { FileInputs } from "../../upgrade/checks/inputs.ts";
import { withNewNames } from "../../upgrade/database/older-names.ts";
import { readVariables, type NamedVariable } from "../../upgrade/files/variable-file.ts";
import { readYamlFile } from "../../upgrade/files/yaml-file.ts";
import type { Cli } from "../context.ts";

export interface UpgradeOptions {
  values?: string[];
  config?: string[];
  variables?: string[];
  dataDir?: string;
  ingressClass?: string;
  database: boolean;
  json?: boolean;
}

export interface ReadInputs {
  inputs: Omit<FileInputs, "catalogue">;
  /** The text of every file, by its name. */
  texts: ReadonlyMap<string, string>;
  /** Files of variables, which are no YAML. */
  variableTexts: ReadonlyMap<string, string>;
  /** Where the databases and the data directory are; what else is wrong in the configuration does not matter. */
  config: Config;
}

const prefix = "/v1/computational-governance";

export async function readInputs(cli: Cli, options: UpgradeOptions): Promise<ReadInputs> {
  const { values = [], config = [], variables = [] } = options;
  const texts = new Map<string, string>();
  for (const file of [...values, ...config, ...variables]) texts.set(file, await readText(cli, file));
  const textOf = (file: string): string => texts.get(file) ?? "";
  return {
    inputs: {
      values: values.map((file) => readYamlFile(file, textOf(file))),
      configs: config.map((file) => readYamlFile(file, textOf(file))),
      variables: [...fromEnvironment(cli), ...variables.flatMap((file) => readVariables(file, textOf(file)))],
      removedEndpoints: removedOperations.map(([, path, replacement]) => ({
        path: prefix + path,
        replacement: prefix + replacement,
      })),
      ...(options.ingressClass !== undefined && { ingressClass: options.ingressClass }),
    },
    texts,
    variableTexts: new Map(variables.map((file) => [file, textOf(file)])),
    config: databaseConfig(cli, options),
  };
}

const fromEnvironment = ({ env }: Cli): NamedVariable[] =>
  Object.entries(env).map(([name, value]) => ({
    name,
    where: `environment:${name}`,
    isSet: value !== undefined && value !== "",
  }));

async function readText(cli: Cli, file: string): Promise<string> {
  try {
    return await readFile(resolve(cli.cwd, file), "utf8");
  } catch (cause) {
    throw new Failure({
      kind: "invalid",
      code: "UPGRADE_INPUT",
      message: `The file ${file} cannot be read.`,
      solutions: ["Name files that are there and that this user may read."],
      cause,
    });
  }
}

/** A configuration of an older release has settings that are none any more; only those of the database count. */
function databaseConfig(cli: Cli, { config = [], dataDir }: UpgradeOptions): Config {
  const env = {
    ...withNewNames(cli.env),
    ...(dataDir === undefined ? {} : { PLINTH_DATA_DIR: resolve(cli.cwd, dataDir) }),
  };
  const inspected = inspectConfig({ files: config, env, cwd: cli.cwd });
  const metadata = inspected.problems.find(({ key }) => key === "dataLayer.metadataUrl");
  if (metadata !== undefined)
    throw new Failure({
      kind: "invalid",
      code: "UPGRADE_INPUT",
      message: `${metadata.where} ${metadata.key} ${metadata.message}.`,
      solutions: ["Correct it, or remove it where the coordinator's database has the metadata."],
    });
  const isUsable = !inspected.problems.some(({ key }) => /^(?:database|dataDir|configuration)\b/.test(key));
  return isUsable ? inspected.config : inspectConfig({ files: [], env, cwd: resolve("/") }).config;
}
