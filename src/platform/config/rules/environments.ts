import type { Environment } from "../schema/schema.ts";
import type { Path } from "../source/located.ts";
import type { Report } from "./report.ts";

const listPath: Path = ["mesh", "builder", "environments"];

/**
 * Both forms of the list become `{name, priority}`, highest priority (lowest number) first. Plain names count
 * from 1 in their order; equal priorities keep the order of the list. Entries that the schema refused are
 * passed over, so that the names of the others are compared nevertheless.
 */
export function readEnvironments(written: unknown, report: Report): Environment[] {
  const items: unknown[] = Array.isArray(written) ? written : [];
  const plain = items.filter((item) => typeof item === "string").length;
  if (plain > 0 && plain < items.length) {
    report.problem(listPath, {
      message: "mixes names with {name, priority} entries",
      solution: "Give all entries as names, or all with a priority.",
    });
  }
  const names = new Map<string, number>();
  const priorities = new Map<number, string>();
  const environments: Environment[] = [];
  for (const [index, item] of items.entries()) {
    const { name, priority } = readEntry(item, index);
    const path = [...listPath, index];
    if (name === undefined) continue;
    const first = names.get(name);
    if (first === undefined) names.set(name, index);
    else {
      report.problem(typeof item === "string" ? path : [...path, "name"], {
        message: `repeats the name ${name} of entry ${first + 1}`,
        solution: "Remove one of them.",
      });
    }
    if (priority === undefined) continue;
    const other = priorities.get(priority);
    if (other === undefined) priorities.set(priority, name);
    else if (typeof item !== "string") {
      report.warning([...path, "priority"], {
        message: `gives ${name} the same priority as ${other}; the order of the list decides`,
      });
    }
    environments.push({ name, priority });
  }
  return environments.toSorted((a, b) => a.priority - b.priority);
}

function readEntry(item: unknown, index: number): Partial<Environment> {
  if (typeof item === "string") return { name: item, priority: index + 1 };
  if (typeof item !== "object" || item === null) return {};
  return {
    ...("name" in item && typeof item.name === "string" && { name: item.name }),
    ...("priority" in item && Number.isSafeInteger(item.priority) && { priority: Number(item.priority) }),
  };
}
