import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ErrorObject } from "ajv/dist/2020.js";
import { Failure } from "../errors/failure.ts";
import { unescapeKey } from "../lib/json-pointer.ts";
import { overlayEnvironment } from "./environment.ts";
import { explainErrors } from "./explain.ts";
import { applyRules, type SchemaVerdict } from "./rules/apply.ts";
import { readDataSources, reportBadAddresses } from "./rules/data-sources.ts";
import { isUndescribed } from "./rules/auth.ts";
import { settingsJson, type Config, type Settings } from "./schema/schema.ts";
import { settingsValidator } from "./settings-validator.ts";
import type { Path } from "./source/located.ts";
import { newProblems, type ConfigProblem } from "./source/problems.ts";
import { readLayers } from "./source/read.ts";
import type { EnvironmentVariables, Reading } from "./source/reading.ts";
import { resolveTree } from "./source/resolve.ts";

const defaultFile = "plinth.yaml";

export interface ConfigSource {
  /** Later files win. Without any, `plinth.yaml` of the working folder is read if it is there. */
  files: readonly string[];
  env: EnvironmentVariables;
  cwd: string;
}

export interface LoadedConfig {
  config: Config;
  warnings: ConfigProblem[];
}

/**
 * Reads, merges and checks the configuration. Throws one Failure (`invalid`, PLATFORM_CONFIG) that lists every
 * problem as `file:line:column`, `key problem` and what to do; never a value.
 */
export function loadConfig(source: ConfigSource): LoadedConfig {
  const { config, problems, warnings } = inspectConfig(source);
  if (problems.length === 0) return { config, warnings };
  throw new Failure({
    kind: "invalid",
    code: "PLATFORM_CONFIG",
    message: `The configuration has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}.`,
    problems,
    solutions: ["Correct the settings that are named and start again."],
  });
}

export interface InspectedConfig {
  /** Can be used only when there are no problems. */
  config: Config;
  problems: ConfigProblem[];
  warnings: ConfigProblem[];
  files: readonly string[];
}

/** The same as `loadConfig`, with the problems as the answer. */
export function inspectConfig({ files, env, cwd }: ConfigSource): InspectedConfig {
  const chosen = files.length > 0 ? files : existsSync(join(cwd, defaultFile)) ? [defaultFile] : [];
  const problems = newProblems();
  const warnings = newProblems();
  const reading: Reading = { cwd, env, problems, filesRead: 0, nodesRead: 0 };
  const root = readLayers(chosen, reading);
  overlayEnvironment(root, reading, warnings);
  const rules = applyRules(root, problems, warnings);
  const { value, failed } = resolveTree(root, settingsJson, reading);
  // A plain copy; values of a wrong type are found next, and rules skip their sections.
  const settings: Settings = JSON.parse(JSON.stringify(value));
  const validate = settingsValidator();
  const errors = validate(settings) ? [] : (validate.errors ?? []);
  const explained = errors.filter((error) => !isOfNoProvider(error, settings));
  explainErrors(explained, { root, failed, problems });
  dropUnknownKeys(settings, errors);
  const verdict = verdictOf(errors, failed);
  const sources =
    verdict.isIntact("dbs") && verdict.isIntact("configOverride") ? readDataSources(settings, env) : [];
  reportBadAddresses(sources, problems);
  const config = { ...rules(settings, verdict), dbs: { sources } };
  return { config, problems: problems.list, warnings: warnings.list, files: chosen };
}

/** Unknown keys are removed, because rules iterate over the keys of a section. */
function dropUnknownKeys(settings: object, errors: readonly ErrorObject[]): void {
  for (const { keyword, instancePath, params } of errors) {
    if (keyword !== "additionalProperties") continue;
    const path = instancePath.split("/").slice(1).map(unescapeKey);
    const section = path.reduce<unknown>((holder, key) => Reflect.get(holder as object, key), settings);
    Reflect.deleteProperty(section as object, String(params["additionalProperty"]));
  }
}

/** Errors of a provider with neither issuer nor metadataUrl are skipped: a rule reports that one. */
function isOfNoProvider({ instancePath }: ErrorObject, { auth }: Settings): boolean {
  const [, name, environment] = /^\/auth\/providers\/([^/]+)\/([^/]+)/.exec(instancePath) ?? [];
  if (name === undefined || environment === undefined) return false;
  const keys: unknown = Reflect.get(auth.providers, unescapeKey(name));
  const settings: unknown = Reflect.get(Object(keys) as object, unescapeKey(environment));
  return typeof settings === "object" && settings !== null && isUndescribed(unescapeKey(name), settings);
}

/** What the rules may rely on. An unknown key leaves the rest of its section in order. */
function verdictOf(errors: readonly ErrorObject[], failed: readonly Path[]): SchemaVerdict {
  const broken = [
    ...errors
      .filter(({ keyword }) => keyword !== "additionalProperties")
      .map(({ instancePath }) => instancePath.split("/").slice(1)),
    ...failed.map((path) => path.map(String)),
  ];
  const sections = new Set(broken.map(([first]) => first));
  // `auth.environment`, and down to `auth.providers.<provider>.<environment>`; a missing key inside does not matter.
  const shapes = errors.filter(({ keyword }) => keyword === "type" || keyword === "pattern");
  const authHasShape =
    !shapes.some(({ instancePath }) =>
      /^\/auth(\/environment|\/providers(\/[^/]*){0,2})?$/.test(instancePath),
    ) && !failed.some(([first]) => first === "auth");
  return { isIntact: (section) => !sections.has(section), authHasShape };
}
