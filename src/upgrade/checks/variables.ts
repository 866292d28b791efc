/** Pure. Checks names of environment variables and of keys of the secret store. */
import { renamedVariables, unusedVariables, type RenamedVariable } from "../../platform/config/renames.ts";
import { isSetIn, itemOfVariable } from "./configuration.ts";
import type { NamedVariable } from "../files/variable-file.ts";
import type { FileInputs, Found } from "./inputs.ts";
import { successorAt } from "./values.ts";

export function checkVariables(inputs: FileInputs): Found[] {
  const isSet = isSetIn(inputs);
  return inputs.variables.flatMap((variable) =>
    variable.isSet
      ? [...checkRenamed(variable, isSet), ...checkUnused(variable), ...checkComputed(variable)]
      : [],
  );
}

function checkRenamed(variable: NamedVariable, isSet: (name: string) => boolean): Found[] {
  const { name, where, file } = variable;
  const renamed = renamedVariables.find(({ old }) => old === name);
  if (renamed === undefined) return [];
  const now = successorAt(name, [file ?? ""]) ?? "";
  const isBeside = renamed.now.some((successor) => isSet(successor.name));
  const isWarning = isBeside && renamed.beside === "warning";
  return [
    {
      severity: isWarning ? "warning" : "breaking",
      item: itemOfVariable(name),
      where,
      message: isWarning
        ? `${name} is no longer read; ${now} is used`
        : `${name} is no longer read; it is now ${now}`,
      solution: solutionFor(renamed, now, isBeside),
      ...(file === undefined ? {} : { renames: [{ file, old: name, now }] }),
    },
  ];
}

function solutionFor({ old, now: successors }: RenamedVariable, now: string, isBeside: boolean): string {
  if (isBeside) return `Remove ${old}.`;
  const fallback = successors.find(({ name }) => name === now)?.fallback;
  const others = successors.filter(({ name }) => name !== now);
  const set = fallback === undefined ? `Set ${now}` : `Set ${now}, or ${fallback} for all services at once,`;
  return [`${set} and remove ${old}.`, ...others.map(({ name, of }) => `For ${of} it is ${name}.`)].join(" ");
}

const checkUnused = ({ name, where }: NamedVariable): Found[] =>
  unusedVariables
    .filter((unused) => unused.name === name)
    .map(({ solution }) => ({
      severity: "warning",
      item: "graphql",
      where,
      message: `${name} is no longer used`,
      solution,
    }));

/** Addresses of sources are computed; one in the secret store goes before that. */
function checkComputed({ name, where }: NamedVariable): Found[] {
  if (!/^ENGINE_GRAPHQL_\w+_DATABASE_URL$/.test(name)) return [];
  return [
    {
      severity: "info",
      item: "graphql",
      where,
      message: `${name} is computed from PLATFORM_DB_*; the given value goes before that`,
      solution: "Remove it unless it names another database.",
    },
  ];
}
