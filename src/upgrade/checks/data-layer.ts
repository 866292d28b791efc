/** Pure. Checks the sources of the data layer and of its automatic tracking, in the values of the chart. */
import {
  nodeAt,
  showPath,
  showPlace,
  type Located,
  type Path,
} from "../../platform/config/source/located.ts";
import { isMap, settingsOf, type Plain, type YamlFile } from "../files/yaml-file.ts";
import type { FileInputs, Found } from "./inputs.ts";

/** One installation may have its sources and what is shown of them in different files. */
export const checkDataLayer = ({ values, configs }: FileInputs): Found[] => {
  const files = [...values, ...configs];
  const tracked = files.flatMap((file) => listsIn(file, ["dbs", "sources"]));
  const configured = files.flatMap((file) => listsIn(file, ["configOverride", "sources"]));
  const names = tracked.length === 0 ? defaultNames : tracked.flatMap(({ entries }) => entries.map(nameOf));
  return [
    ...tracked.flatMap((list) => [...checkCollisions(list), ...checkMissing(list, "warning")]),
    ...configured.flatMap((list) => [...checkMissing(list, "breaking"), ...checkOverride(list, names)]),
    ...checkReset(tracked, configured),
  ];
};

interface SourceList {
  path: Path;
  where: string;
  entries: readonly { [key: string]: Plain }[];
  placeOf: (index: number) => string;
}

/** Every list with that path at its end, wherever it stands in the values. */
function listsIn(file: YamlFile, ending: readonly string[]): SourceList[] {
  const found: SourceList[] = [];
  const visit = (node: Located, path: Path): void => {
    if (node.kind === "list") node.items.forEach((item, index) => visit(item, [...path, index]));
    if (node.kind !== "map") return;
    const list = nodeAt(node, ending);
    if (list?.kind === "list")
      found.push({
        path: [...path, ...ending],
        where: showPlace(list.place),
        entries: list.items.map(settingsOf).filter(isMap),
        placeOf: (index) => showPlace(list.items[index]?.place ?? list.place),
      });
    for (const [key, { value }] of node.entries) visit(value, [...path, key]);
  };
  visit(file.root, []);
  return found;
}

const nameOf = (entry: { [key: string]: Plain }): string =>
  typeof entry["name"] === "string" ? entry["name"] : "";

export const variableOfSource = (name: string): string =>
  `ENGINE_GRAPHQL_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_DATABASE_URL`;

function checkCollisions({ path, entries, placeOf }: SourceList): Found[] {
  const taken = new Map([[variableOfSource("metadata"), "the layer's own metadata"]]);
  return entries.flatMap((entry, index): Found[] => {
    const name = nameOf(entry);
    const at = { item: "graphql" as const, severity: "breaking" as const, where: placeOf(index) };
    const shown = showPath([...path, index]);
    if (name === "") return [{ ...at, message: `${shown} has no name`, solution: "Give it name and db." }];
    const variable = variableOfSource(name);
    const first = taken.get(variable);
    if (first === undefined) taken.set(variable, name);
    if (first === undefined) return [];
    const message = `${shown}.name ${name} gives the variable ${variable}, which ${first} gives as well`;
    return [{ ...at, message, solution: "Rename one of the sources." }];
  });
}

/** The sources that the tool tracks without an override, each with how its name is recognised. */
const ownSources = [
  ["coordinator", /coordinator|provisioning/i],
  ["CGP", /cgp|governance/i],
  ["marketplace", /marketplace/i],
] as const;

/** Their names where no file lists any. */
const defaultNames: readonly string[] = ["coordinator", "cgp", "marketplace"];

/** Each list replaces the default one, so nothing of it may be left out; a layer starts without a source all the same. */
function checkMissing({ path, where, entries }: SourceList, severity: "breaking" | "warning"): Found[] {
  const missing = ownSources.filter(([, pattern]) => !entries.some((entry) => pattern.test(nameOf(entry))));
  const replaced = severity === "breaking" ? "the whole configuration of the tool" : "the default one";
  return missing.map(([name]) => ({
    severity,
    item: "auto-tracking",
    where,
    message: `${showPath(path)} has no ${name} source; the list replaces ${replaced}`,
    solution: `Repeat the ${name} source in it.`,
  }));
}

function checkOverride({ path, entries, placeOf }: SourceList, tracked: readonly string[]): Found[] {
  const at = { item: "auto-tracking" as const, severity: "breaking" as const };
  const shown = showPath(path);
  return entries.flatMap((entry, index): Found[] => {
    const place = { ...at, where: placeOf(index) };
    const name = nameOf(entry);
    const [allowed, excluded] = [listOf(entry["allowSchemas"]), listOf(entry["excludeSchemas"])];
    const both = allowed.filter((schema) => excluded.includes(schema));
    const isTracked = tracked.some((each) => each.toLowerCase() === name.toLowerCase());
    const unknown = isTracked
      ? []
      : [
          {
            ...place,
            message: `${shown}[${index}].name ${name} is not in dbs.sources`,
            solution: "Add it to dbs.sources, or correct the name.",
          },
        ];
    return [
      ...unknown,
      ...both.map((schema) => ({
        ...place,
        message: `${shown}[${index}] has the schema ${schema} in allowSchemas and in excludeSchemas`,
        solution: "Remove it from one of them.",
      })),
    ];
  });
}

const listOf = (value: Plain | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);

function checkReset(tracked: readonly SourceList[], configured: readonly SourceList[]): Found[] {
  const [list] = [...configured, ...tracked];
  if (list === undefined) return [];
  return [
    {
      severity: "info",
      item: "auto-tracking",
      where: list.where,
      message: "the metadata of the data layer follows the migrations from now on and is not edited by hand",
      solution:
        "`upgrade apply` exports and resets what this layer has tracked; export and reset that of an older engine there.",
    },
  ];
}
