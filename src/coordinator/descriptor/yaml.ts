import type { Problem } from "../../platform/errors/failure.ts";
import { YAMLException } from "js-yaml";
import { loadYaml } from "./load-yaml.ts";
import { readUnit } from "./unit.ts";
import type { UnitReading } from "./unit.ts";

/**
 * Reads a unit from YAML text. A fault of the text itself is placed as `line:column` (both from 1); what
 * is wrong with the unit inside is placed as in `readUnit`.
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
  // The reader has faults of its own kind for the text; whatever else it throws says nothing to a caller.
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
