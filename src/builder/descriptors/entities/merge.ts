import type { YamlMap, YamlValue } from "./yaml.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/**
 * Lays an environment's configuration over a descriptor: maps merge key by key, scalars and whole lists replace, a
 * null replaces too. Neither input is changed.
 */
export const mergeConfiguration = (base: YamlMap, over: YamlMap): YamlMap => {
  const merged: YamlMap = { ...base };
  for (const [key, value] of Object.entries(over)) {
    // An own key of this name would become the prototype of the copy; parsed YAML has none.
    if (key === "__proto__") continue;
    const below: YamlValue | undefined = base[key];
    merged[key] = isRecord(value) && isRecord(below) ? mergeConfiguration(below, value) : value;
  }
  return merged;
};
