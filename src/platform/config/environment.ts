import { nearest } from "./hints.ts";
import { reportLostMappings, reportOldVariables } from "./rules/renames.ts";
import { settingsJson } from "./schema/schema.ts";
import { nodeAt, removeKey, setLeaf, type LocatedMap } from "./source/located.ts";
import type { ConfigProblems } from "./source/problems.ts";
import type { EnvironmentVariables, Reading } from "./source/reading.ts";
import { isScalarSetting, listSettings, type JsonSchema } from "./source/schema-paths.ts";

/** The environment of this process. Nothing else in the program reads it. */
export const environmentFromProcess = (): EnvironmentVariables => ({ ...process.env });

/** The GraphQL libraries read this variable as they are loaded, and write a warning where it is not set. */
export function settleGraphileMode(): void {
  process.env["GRAPHILE_ENV"] ??= "production";
}

/**
 * Removes the variables of glibc that the first line of `cli/main.ts` sets. They have taken effect at the start of this process. Child processes
 * must not inherit them: PostgreSQL would map and unmap each larger block of memory.
 */
export function dropMemoryVariables(): void {
  delete process.env["MALLOC_ARENA_MAX"];
  delete process.env["MALLOC_MMAP_THRESHOLD_"];
}

export interface SettingVariable {
  path: readonly string[];
  /** Beats every file. */
  name: string;
  /** Counts only when neither `name` nor a file gives a value. */
  fallback?: string;
  schema: JsonSchema;
}

/** One environment variable for every scalar setting that has a fixed path: `server.port`, PLINTH_SERVER_PORT. */
export const settingVariables: readonly SettingVariable[] = listSettings(settingsJson)
  .filter(isScalarSetting)
  .filter(({ path }) => path[0] !== "provisioning-coordinator")
  .map(({ path, schema }) => ({
    path,
    schema,
    name: schema["x-env"] ?? `PLINTH_${path.map(upperSnake).join("_")}`,
    ...(schema["x-env-fallback"] !== undefined && { fallback: schema["x-env-fallback"] }),
  }));

function upperSnake(word: string): string {
  const parts = word.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2");
  return parts.replaceAll("-", "_").toUpperCase();
}

/** The value of a variable; an empty one counts as not set. */
const given = (env: EnvironmentVariables, name: string): string | undefined =>
  (Object.hasOwn(env, name) ? env[name] : undefined) || undefined;

/**
 * Lays the environment variables over the merged files. In order of strength: the setting's own variable, the
 * files, the fallback variable; NODE_ENV=production is stronger than a file and weaker than PLINTH_MODE.
 */
export function overlayEnvironment(root: LocatedMap, reading: Reading, warnings: ConfigProblems): void {
  const { env, problems } = reading;
  for (const { path, name, fallback, schema } of settingVariables) {
    const own = given(env, name);
    const fromFile = nodeAt(root, path);
    const inFile = fromFile !== undefined && !isEmptyLeaf(fromFile);
    const used = own !== undefined ? name : inFile ? undefined : fallback;
    const text = used === undefined ? undefined : given(env, used);
    if (used === undefined || text === undefined) continue;
    if (schema.type === "integer" && serviceLinkAddress.test(text)) {
      warnings.add({ variable: used }, path, {
        message: `is not taken from ${used}: that variable was set by Kubernetes for a service of this name`,
        solution: "Set enableServiceLinks: false on the pod, or set the variable yourself.",
      });
      continue;
    }
    setLeaf(root, path, { kind: "leaf", place: { variable: used }, source: { type: "given", text } });
  }
  overlayNodeEnv(root, reading, warnings);
  const isSet = (name: string): boolean => given(env, name) !== undefined;
  reportOldVariables(isSet, { problems, warnings });
  reportLostMappings(root, isSet, warnings);
  warnOfMisspelled(env, warnings);
}

/** An empty text in a file, such as `${HOST:-}`, lets the fallback apply. */
function isEmptyLeaf(node: NonNullable<ReturnType<typeof nodeAt>>): boolean {
  if (node.kind !== "leaf" || node.source.type !== "plain") return false;
  return node.source.value === null || node.source.value === "";
}

function overlayNodeEnv(root: LocatedMap, { env }: Reading, warnings: ConfigProblems): void {
  if (given(env, "NODE_ENV") !== "production" || given(env, "PLINTH_MODE")) return;
  const written = nodeAt(root, ["mode"]);
  if (written?.kind === "leaf" && written.source.type === "plain" && written.source.value === "development") {
    warnings.add(written.place, ["mode"], {
      message: "says development, but NODE_ENV=production makes it production",
      solution: "Set PLINTH_MODE=development if that is what you want.",
    });
  }
  removeKey(root, ["mode"]);
  const leaf = { type: "given", text: "production" } as const;
  setLeaf(root, ["mode"], { kind: "leaf", place: { variable: "NODE_ENV" }, source: leaf });
}

/** What Kubernetes gives every pod as the port of a service of that name. */
const serviceLinkAddress = /^(tcp|udp|sctp):\/\//;

/**
 * Other programs, and our own command line, have PLINTH_ variables too, so only likely misspellings are
 * reported.
 */
function warnOfMisspelled(env: EnvironmentVariables, warnings: ConfigProblems): void {
  const known = settingVariables.map(({ name }) => name);
  const knownSet = new Set(known);
  for (const name of Object.keys(env)) {
    const value = given(env, name);
    if (value === undefined || !name.startsWith("PLINTH_") || knownSet.has(name)) continue;
    if (serviceLinkAddress.test(value)) continue;
    const meant = nearest(name, known);
    if (meant && closeEnough(name, meant)) {
      warnings.add({ variable: name }, [name], {
        message: "is not a setting and is not read",
        solution: `Did you mean ${meant}?`,
      });
    }
  }
}

const closeEnough = (name: string, meant: string): boolean =>
  nearest(name.slice(7), [meant.slice(7)]) !== undefined;
