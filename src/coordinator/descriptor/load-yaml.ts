/** Pure: YAML in which a key may stand twice in one map, as the public specification's own example has it. */
import { CORE_SCHEMA, YAMLException, load, mergeTag } from "js-yaml";
import type { Problem } from "../../platform/errors/failure.ts";
import { descriptorLimits } from "./limits.ts";

const schema = CORE_SCHEMA.withTags(mergeTag);

export interface LoadedYaml {
  value: unknown;
  /** What was read although it is probably a mistake, placed as `line:column` (both from 1). */
  warnings: Problem[];
}

/** Of a key that stands twice the last value counts, with a warning. Throws what js-yaml throws for other faults. */
export function loadYaml(text: string): LoadedYaml {
  const options = { schema, maxDepth: descriptorLimits.depth, maxAliases: descriptorLimits.yamlAliases };
  try {
    return { value: load(text, options), warnings: [] };
  } catch (error) {
    if (!(error instanceof YAMLException) || error.reason !== "duplicated mapping key") throw error;
    return { value: load(text, { ...options, json: true }), warnings: [duplicate(error)] };
  }
}

function duplicate({ mark }: YAMLException): Problem {
  const where = `${(mark?.line ?? 0) + 1}:${(mark?.column ?? 0) + 1}`;
  const message = "The key stands here for the second time in its map; the last value counts.";
  return { where, message, solution: "Remove the one that is not meant." };
}
