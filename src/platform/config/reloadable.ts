/** What of a changed configuration a running process takes: the settings with `x-reload`. Everything else waits for a restart. */
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../lib/is-record.ts";
import { settingsJson, type Config } from "./schema/schema.ts";
import { listSettings, schemaAt } from "./source/schema-paths.ts";

export interface ReloadPlan {
  /** The present configuration with what can be taken of the next one. */
  config: Config;
  /** Names of the settings that are taken. */
  changed: string[];
  /** Names of those that differ and need a restart. */
  needRestart: string[];
}

/** Names of the settings that a reload takes, with `<environment>` for a key that somebody chooses. */
export const reloadableSettings: readonly string[] = listSettings(settingsJson)
  .filter(({ schema }) => schema["x-reload"] === true)
  .map(({ path }) => path.join("."));

/** Compares two configurations that are each in order. */
export function planReload(current: Config, next: Config): ReloadPlan {
  const plan: ReloadPlan = { config: current, changed: [], needRestart: [] };
  // Tokens belong to the environment that was chosen; with another one they would be those of nobody.
  const staysInPlace = current.auth.environment === next.auth.environment;
  for (const path of differences(current, next)) {
    const taken = path.findIndex((_key, at) => isReloadable(path.slice(0, at + 1)));
    const setting = path.slice(0, taken + 1);
    const isTaken = taken >= 0 && (path[0] !== "auth" || staysInPlace);
    if (!isTaken || !isInBoth(setting.slice(0, -1), current, next)) {
      plan.needRestart.push(path.join("."));
      continue;
    }
    const name = setting.join(".");
    if (plan.changed.includes(name)) continue;
    plan.changed.push(name);
    plan.config = withValue(plan.config, setting, valueAt(next, setting)) as Config;
  }
  return plan;
}

const isReloadable = (path: readonly string[]): boolean =>
  schemaAt(settingsJson, path)?.["x-reload"] === true;

/** A section that needs more than this setting comes and goes as a whole. */
const isInBoth = (section: readonly string[], current: Config, next: Config): boolean =>
  (schemaAt(settingsJson, section)?.required ?? []).length === 0 ||
  (isRecord(valueAt(current, section)) && isRecord(valueAt(next, section)));

/** Paths of what differs, as far down as both have maps; a list differs as a whole. */
function differences(before: unknown, after: unknown, path: readonly string[] = []): string[][] {
  if (isDeepStrictEqual(before, after)) return [];
  const areMaps = [before, after].every((each) => each === undefined || isRecord(each));
  if (!areMaps) return [[...path]];
  const [left, right] = [before, after].map((each) => (isRecord(each) ? each : {})) as [Map_, Map_];
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const inner = keys.flatMap((key) => differences(left[key], right[key], [...path, key]));
  return inner.length > 0 ? inner : [[...path]];
}

type Map_ = Record<string, unknown>;

const valueAt = (from: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((holder, key) => (isRecord(holder) ? holder[key] : undefined), from);

/** A copy with another value at the path; what is not on the way is shared. */
function withValue(holder: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const { [key]: inner, ...others } = isRecord(holder) ? holder : {};
  const next = withValue(inner, rest, value);
  return next === undefined ? others : { ...others, [key]: next };
}
