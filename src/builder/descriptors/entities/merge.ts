import type { YamlMap, YamlValue } from "../../catalogue/entities/yaml.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/**
 * Merges an environment's configuration into a descriptor: maps merge key by key; scalars, lists and null
 * replace. Neither input is changed.
 */
export const mergeConfiguration = (base: YamlMap, over: YamlMap): YamlMap => {
  const merged: YamlMap = { ...base };
  for (const [key, value] of Object.entries(over)) {
    // Assigning an own key of this name would set the prototype of the copy; parsed YAML has no such key.
    if (key === "__proto__") continue;
    const below: YamlValue | undefined = base[key];
    merged[key] = isRecord(value) && isRecord(below) ? mergeConfiguration(below, value) : value;
  }
  return merged;
};
