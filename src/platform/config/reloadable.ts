/** What of a changed configuration a running process takes: the settings with `x-reload`. Everything else waits for a restart. */
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../lib/is-record.ts";
import { settingsJson, type Config } from "./schema/schema.ts";
import type { Path } from "./source/located.ts";
import { listSettings, schemaAt } from "./source/schema-paths.ts";

export interface ReloadPlan {
  /** The present configuration with what can be taken of the next one. */
  config: Config;
  /** Names of the settings that are taken. */
  changed: string[];
  /** Names of those that differ and need a restart. */
  needRestart: string[];
}

/** Names of the settings that a reload takes, with `<environment>` for a key that somebody chooses and `[]` for an item of a list. */
export const reloadableSettings: readonly string[] = listSettings(settingsJson)
  .filter(({ schema }) => schema["x-reload"] === true)
  .map(({ path }) => path.join("."));

/**
 * Sections with an address and what is sent there. As with items of lists nothing of one is taken where more differs than a reload can
 * take: the new secret would go to the former address. Databases are one, since governance has the address of the coordinator's by default.
 */
export const wholeSections: readonly string[] = [
  "auth.providers.oidc.<environment>",
  "database",
  "coordinator.accessSync",
  "notices.mail",
];

/** Compares two configurations that are each in order. */
export function planReload(current: Config, next: Config): ReloadPlan {
  const plan: ReloadPlan = { config: current, changed: [], needRestart: [] };
  // Tokens belong to the environment that was chosen; with another one they would be those of nobody.
  const staysInPlace = current.auth.environment === next.auth.environment;
  for (const path of differences(current, next)) {
    const setting = reloadableOn(path);
    const isTaken = setting !== undefined && (path[0] !== "auth" || staysInPlace);
    if (!isTaken || !isInBoth(setting.slice(0, -1), current, next)) {
      plan.needRestart.push(nameOf(path));
      continue;
    }
    const name = nameOf(setting);
    if (plan.changed.includes(name)) continue;
    plan.changed.push(name);
    plan.config = withValue(plan.config, setting, valueAt(next, setting)) as Config;
  }
  return plan;
}

/** The reloadable setting at this path or around it. */
function reloadableOn(path: Path): Path | undefined {
  const length = path.findIndex((_key, at) => isReloadable(path.slice(0, at + 1))) + 1;
  return length === 0 ? undefined : path.slice(0, length);
}

const isReloadable = (path: Path): boolean => schemaAt(settingsJson, path)?.["x-reload"] === true;

/** A section that needs more than this setting comes and goes as a whole. */
const isInBoth = (section: Path, current: Config, next: Config): boolean =>
  (schemaAt(settingsJson, section)?.required ?? []).length === 0 ||
  (isRecord(valueAt(current, section)) && isRecord(valueAt(next, section)));

/** Paths of the settings that differ, down to single values where both sides are maps. Values that are computed from settings are left out. */
function differences(before: unknown, after: unknown, path: Path = []): Path[] {
  const schema = schemaAt(settingsJson, path);
  if (isDeepStrictEqual(before, after) || schema === undefined) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listDifferences(before, after, path);
  const areMaps = [before, after].every((each) => each === undefined || isRecord(each));
  if (!areMaps || (schema.properties ?? schema.patternProperties) === undefined) return [path];
  const [left, right] = [before, after].map((each) => (isRecord(each) ? each : {})) as [Map_, Map_];
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const inner = keys.flatMap((key) => differences(left[key], right[key], [...path, key]));
  if (isWhole(path)) return before === undefined || after === undefined ? [path] : allOrNone(inner, path);
  return inner.length === 0 && (before === undefined || after === undefined) ? [path] : inner;
}

/**
 * The differing settings inside the items of a list, where a reload can take all of them; otherwise the list itself. Items are compared by
 * position: if they were reordered, the secret of one item would be sent to the address of another.
 */
function listDifferences(before: readonly unknown[], after: readonly unknown[], path: Path): Path[] {
  if (before.length !== after.length) return [path];
  const inner = before.flatMap((item, at) => differences(item, after[at], [...path, at]));
  return allOrNone(inner, path);
}

const allOrNone = (inner: Path[], path: Path): Path[] =>
  inner.every((each) => reloadableOn(each) !== undefined) ? inner : [path];

const isWhole = (path: Path): boolean =>
  isIdentityProvider(path) || wholeSections.includes(path.map(String).join("."));

/** Of that name or of one of its own. Fixed tokens of services are sent nowhere, and one that was removed is refused at once. */
const isIdentityProvider = ([area, part, provider, ...environment]: Path): boolean =>
  area === "auth" && part === "providers" && provider !== "service" && environment.length === 1;

type Map_ = Record<string, unknown>;

/** As in messages: `coordinator.webhooks[0].secrets`. */
const nameOf = (path: Path): string =>
  path.reduce<string>(
    (name, key) => (typeof key === "number" ? `${name}[${key}]` : name === "" ? key : `${name}.${key}`),
    "",
  );

const valueAt = (from: unknown, path: Path): unknown =>
  path.reduce<unknown>((holder, key) => memberOf(holder, key), from);

const memberOf = (holder: unknown, key: string | number): unknown => {
  if (typeof key === "number") return Array.isArray(holder) ? (holder as unknown[])[key] : undefined;
  return isRecord(holder) ? holder[key] : undefined;
};

/** A copy with another value at the path; what is not on the way is shared. */
function withValue(holder: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const next = withValue(memberOf(holder, key), rest, value);
  if (typeof key === "number") return Array.isArray(holder) ? holder.with(key, next) : holder;
  const { [key]: _before, ...others } = isRecord(holder) ? holder : {};
  return next === undefined ? others : { ...others, [key]: next };
}
