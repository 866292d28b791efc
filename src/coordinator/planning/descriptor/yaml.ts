/** Pure. Reads descriptors from YAML. Duplicate keys are accepted: the example of the public specification has them. */
import { CORE_SCHEMA, YAMLException, load, mergeTag } from "js-yaml";
import type { Problem } from "../../../platform/errors/failure.ts";
import { descriptorLimits } from "./limits.ts";
import { readUnit, type UnitReading } from "./unit.ts";

const schema = CORE_SCHEMA.withTags(mergeTag);

export interface LoadedYaml {
  value: unknown;
  /** Probable mistakes that do not prevent reading. */
  warnings: YamlWarning[];
}

/** Line and column count from 1. */
interface YamlWarning {
  line: number;
  column: number;
  message: string;
  solution: string;
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

function duplicate(error: YAMLException): YamlWarning {
  const message = "The key stands here for the second time in its map; the last value counts.";
  return { ...placeOf(error), message, solution: "Remove the one that is not meant." };
}

const placeOf = ({ mark }: YAMLException): { line: number; column: number } => ({
  line: (mark?.line ?? 0) + 1,
  column: (mark?.column ?? 0) + 1,
});

/**
 * Reads a unit from YAML text. A YAML syntax error is reported at `base`, with its line and column in the message; a
 * problem of the unit as in `readUnit`.
 */
export function parseUnitYaml(text: string, base = "/descriptor"): UnitReading & { warnings: Problem[] } {
  try {
    const { value, warnings } = loadYaml(text);
    const placed = warnings.map(({ line, column, message, solution }) => ({
      where: base,
      message: `Line ${line}, column ${column}: ${message}`,
      solution,
    }));
    return { ...readUnit(value, base), warnings: placed };
  } catch (error) {
    return { unit: undefined, problems: [{ where: base, ...faultOf(error, text) }], warnings: [] };
  }
}

function faultOf(error: unknown, text: string): Pick<Problem, "message" | "solution"> {
  const solution = "Give one YAML document that holds the descriptor.";
  if (text.trim() === "") return { message: "The descriptor is empty.", solution };
  // Other errors of the parser have no message for a caller.
  if (!(error instanceof YAMLException)) {
    return { message: "The descriptor is not readable YAML.", solution };
  }
  const { line, column } = placeOf(error);
  const message = `The YAML is not valid in line ${line}, column ${column}: ${error.reason.slice(0, 200)}.`;
  return { message, solution };
}
