/** Reports what the table of renames finds in files and variables. */
import {
  removedMappings,
  removedMappingSolution,
  removedSettings,
  renamedVariables,
  unusedVariables,
  type RenamedVariable,
} from "../renames.ts";
import { removeKey, type Located, type LocatedLeaf, type LocatedMap, type Path } from "../source/located.ts";
import type { ConfigProblems } from "../source/problems.ts";
import { namesIn } from "../source/substitute.ts";

export interface Findings {
  problems: ConfigProblems;
  warnings: ConfigProblems;
}

type IsSet = (name: string) => boolean;

/** The variables of the process; `isSet` counts an empty one as not set. */
export function reportOldVariables(isSet: IsSet, { problems, warnings }: Findings): void {
  for (const renamed of renamedVariables) {
    const { old, now, beside } = renamed;
    if (!isSet(old)) continue;
    const solution = solutionFor(renamed);
    const isBeside = beside === "warning" && now.some(({ name }) => isSet(name));
    if (isBeside) {
      const message = `is no longer read; ${now[0].name} is used`;
      warnings.add({ variable: old }, [old], { message, solution });
    } else {
      const message = `is no longer read; it is now ${now[0].name}`;
      problems.add({ variable: old }, [old], { message, solution });
    }
  }
  for (const { name, solution } of unusedVariables) {
    if (isSet(name)) warnings.add({ variable: name }, [name], { message: "is no longer used", solution });
  }
}

function solutionFor({ old, now: [first, ...others] }: RenamedVariable): string {
  const set = first.fallback
    ? `Set ${first.name}, or ${first.fallback} for all services at once, and remove ${old}.`
    : `Set ${first.name} and remove ${old}.`;
  return [set, ...others.map(({ name, of }) => `For ${of} it is ${name}.`)].join(" ");
}

/** Takes keys that were removed out of the tree, so that they are reported by the table and not as unknown. */
export function reportRemovedSettings(root: LocatedMap, { problems }: Findings): void {
  for (const { path, message, solution } of removedSettings) {
    const place = removeKey(root, path);
    if (place) problems.add(place, path, { message, solution });
  }
}

/** Values of files that use a variable which the chart used to set and which is not set. */
export function reportLostMappings(root: Located, isSet: IsSet, warnings: ConfigProblems): void {
  const visit = (node: Located, path: Path): void => {
    if (node.kind === "map") {
      for (const [key, { value }] of node.entries) visit(value, [...path, key]);
    } else if (node.kind === "list") {
      for (const [index, item] of node.items.entries()) visit(item, [...path, index]);
    } else {
      for (const name of namesAskedBy(node.source)) {
        if (!lostMapping.test(name) || isSet(name)) continue;
        const message = `uses ${name}, which is not set: since release 2.2.0 the chart does not map it by itself`;
        warnings.add(node.place, path, { message, solution: removedMappingSolution });
      }
    }
  };
  visit(root, []);
}

const lostMapping = new RegExp(`^(?:${removedMappings.map((name) => name.replace("*", ".+")).join("|")})$`);

function namesAskedBy(source: LocatedLeaf["source"]): Iterable<string> {
  switch (source.type) {
    case "variable":
      return [source.name];
    case "template":
      return namesIn(source.text);
    case "file":
      return namesIn(source.path);
    default:
      return [];
  }
}
