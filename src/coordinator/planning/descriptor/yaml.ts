/** Pure. Reads descriptors from YAML. Duplicate keys are accepted: the example of the public specification has them. */
import { CORE_SCHEMA, YAMLException, load, mergeTag } from "js-yaml";
import type { Problem } from "../../../platform/errors/failure.ts";
import { descriptorLimits } from "./limits.ts";
import { readUnit, type UnitReading } from "./unit.ts";

const schema = CORE_SCHEMA.withTags(mergeTag);

export interface LoadedYaml {
  value: unknown;
  /** Probable mistakes that do not prevent reading, placed as `line:column` (both from 1). */
  warnings: Problem[];
}

/** The last value of a duplicate key counts, with a warning. Throws a YAMLException for other faults. */
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

/**
 * Reads a unit from YAML text. A syntax error is placed as `line:column` (both from 1), a problem of the unit
 * as in `readUnit`.
 */
export function parseUnitYaml(text: string, base = "/descriptor"): UnitReading & { warnings: Problem[] } {
  try {
    const { value, warnings } = loadYaml(text);
    return { ...readUnit(value, base), warnings };
  } catch (error) {
    return { unit: undefined, problems: [problemOf(error, text)], warnings: [] };
  }
}

function problemOf(error: unknown, text: string): Problem {
  const solution = "Give one YAML document that holds the descriptor.";
  if (text.trim() === "") return { where: "1:1", message: "The descriptor is empty.", solution };
  // Other errors of the parser have no message for a caller.
  if (!(error instanceof YAMLException)) {
    return { where: "1:1", message: "The descriptor is not readable YAML.", solution };
  }
  const line = (error.mark?.line ?? 0) + 1;
  const column = (error.mark?.column ?? 0) + 1;
  return {
    where: `${line}:${column}`,
    message: `The YAML is not valid: ${error.reason.slice(0, 200)}.`,
    solution,
  };
}
