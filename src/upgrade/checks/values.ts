/** Pure. Checks what the values of the chart say besides the configuration: variables of containers, ingresses, old names. */
import { removedMappings, removedMappingSolution, renamedVariables } from "../../platform/config/renames.ts";
import {
  showPath,
  showPlace,
  type Located,
  type LocatedMap,
  type Path,
} from "../../platform/config/source/located.ts";
import { namesIn } from "../../platform/config/source/substitute.ts";
import { isMap, settingsOf, type Plain, type YamlFile } from "../files/yaml-file.ts";
import { itemOfVariable } from "./configuration.ts";
import { entriesOfBlock, type Entry } from "../files/extra-env.ts";
import type { FileInputs, Found } from "./inputs.ts";

/** A map of the values with where it stands. */
interface MapAt {
  file: YamlFile;
  path: Path;
  node: LocatedMap;
}

export function checkValues(inputs: FileInputs): Found[] {
  const maps = inputs.values.flatMap((file) => mapsIn(file, file.root, []));
  const mapped = new Set([
    ...inputs.variables.filter(({ isSet }) => isSet).map(({ name }) => name),
    ...maps.flatMap(mappedNames),
  ]);
  return maps.flatMap((map) => [
    ...checkExtraEnv(map),
    ...checkOldNames(map),
    ...checkIngress(map, inputs.ingressClass),
    ...checkMappings(map, mapped),
  ]);
}

/** The names that containers are given: `extraEnv` and `env`, as lists, maps or text blocks. */
function mappedNames({ node }: MapAt): string[] {
  return ["extraEnv", "env"].flatMap((key) => {
    const value = node.entries.get(key)?.value;
    if (value === undefined) return [];
    const plain = settingsOf(value);
    const entries = typeof plain === "string" ? (entriesOfBlock(plain) ?? []) : plain;
    if (Array.isArray(entries))
      return entries.flatMap((entry) =>
        isMap(entry) && typeof entry["name"] === "string" ? [entry["name"]] : [],
      );
    return isMap(entries) ? Object.keys(entries) : [];
  });
}

/** Every map of the file, but for those that hold a configuration, which has checks of its own. */
function mapsIn(file: YamlFile, node: Located, path: Path): MapAt[] {
  if (node.kind === "list") return node.items.flatMap((item, index) => mapsIn(file, item, [...path, index]));
  if (node.kind !== "map") return [];
  const below = [...node.entries].flatMap(([key, { value }]) => mapsIn(file, value, [...path, key]));
  return [{ file, path, node }, ...below];
}

const whereOf = ({ node }: MapAt, key: string): string =>
  showPlace(node.entries.get(key)?.keyPlace ?? node.place);

const pathOf = ({ path }: MapAt, key: string): string => showPath([...path, key]);

/** The chart takes a list of `name` with `value` or `valueFrom`; older ones took a text. */
function checkExtraEnv(map: MapAt): Found[] {
  const entry = map.node.entries.get("extraEnv");
  if (entry === undefined || entry.value.kind !== "leaf") return [];
  const text = settingsOrText(map, "extraEnv");
  if (text === null || text === "") return [];
  const converted = entriesOfBlock(text);
  const finding: Found = {
    severity: "breaking",
    item: "extra-env",
    where: whereOf(map, "extraEnv"),
    message: `${pathOf(map, "extraEnv")} is a text block; it is now an array of name/value entries`,
    solution:
      converted === null
        ? "Write it as a list of {name, value} or {name, valueFrom}; its text is not a list of variables by itself."
        : `Write it as a list: ${shownEntries(converted)}.`,
  };
  if (converted === null) return [finding];
  const path = [...map.path, "extraEnv"];
  return [
    {
      ...finding,
      edits: [{ file: map.file.file, edit: { kind: "set", path, value: renamed(converted, path) } }],
    },
  ];
}

/** Names only: a value may be a secret. */
const shownEntries = (entries: readonly Entry[]): string =>
  entries
    .map((entry) => `{name: ${entry.name}, ${"valueFrom" in entry ? "valueFrom: …" : "value: …"}}`)
    .join(", ");

const renamed = (entries: readonly Entry[], path: Path): Entry[] =>
  entries.map((entry) => {
    const now = successorAt(entry.name, path);
    return now === undefined ? entry : { ...entry, name: now };
  });

/** The text as written, with its references. */
function settingsOrText({ file, path }: MapAt, key: string): string | null {
  const value = [...path, key].reduce<Plain | undefined>((holder, part) => {
    if (Array.isArray(holder)) return holder[Number(part)];
    return isMap(holder) ? holder[part] : undefined;
  }, file.plain);
  return typeof value === "string" ? value : null;
}

/** The new name of a variable, of the service in whose section of the values it stands. */
export function successorAt(name: string, path: Path): string | undefined {
  const successors = renamedVariables.find(({ old }) => old === name)?.now;
  if (successors === undefined) return undefined;
  const isGovernance = /cgp|governance/i.test(path.join("/"));
  const own = successors.find((successor) => successor.name.startsWith("CGP_") === isGovernance);
  return (own ?? successors[0]).name;
}

/** Keys of maps, and `name` of entries of lists, that are old names of variables. */
function checkOldNames(map: MapAt): Found[] {
  const { file, path, node } = map;
  const found: Found[] = [];
  const report = (name: string, where: string, change: "key" | "name"): void => {
    const now = successorAt(name, path);
    if (now === undefined) return;
    const isBeside = change === "key" && node.entries.has(now);
    const target = change === "key" ? [...path, name] : [...path, "name"];
    found.push({
      severity: "breaking",
      item: itemOfVariable(name),
      where,
      message: `${showPath(target)} is ${name}, which is no longer read; it is now ${now}`,
      solution: isBeside ? `Remove ${name}: ${now} is given as well.` : `Write ${now}.`,
      edits: [
        {
          file: file.file,
          edit: isBeside
            ? { kind: "remove", path: target }
            : change === "key"
              ? { kind: "rename", path: target, to: now }
              : { kind: "set", path: target, value: now },
        },
      ],
    });
  };
  // At the top of an application's configuration these are settings, which the configuration's check reports.
  for (const [key, { keyPlace }] of node.entries)
    if (path.length > 0 && !isConfiguration(path)) report(key, showPlace(keyPlace), "key");
  const name = node.entries.get("name")?.value;
  if (name?.kind === "leaf" && typeof path.at(-1) === "number" && name.source.type === "plain")
    report(String(name.source.value), showPlace(name.place), "name");
  return found;
}

const isConfiguration = (path: Path): boolean =>
  path.length === 1 && ["config", "appConfig", "app-config", "globalConfiguration"].includes(String(path[0]));

/** An ingress without a class was taken by one controller; now it is taken by none. */
function checkIngress(map: MapAt, ingressClass: string | undefined): Found[] {
  const entry = map.node.entries.get("ingress");
  if (entry === undefined) return [];
  const ingress = settingsOf(entry.value);
  if (!isMap(ingress) || ingress["enabled"] !== true) return [];
  const annotations = isMap(ingress["annotations"]) ? ingress["annotations"] : {};
  if (ingress["className"] || annotations["kubernetes.io/ingress.class"]) return [];
  const path = [...map.path, "ingress", "className"];
  return [
    {
      severity: "breaking",
      item: "ingress",
      where: whereOf(map, "ingress"),
      message: `${pathOf(map, "ingress")} names no class; there is no default any more`,
      solution:
        "Set ingress.className (--ingress-class does), or annotate it with kubernetes.io/ingress.class.",
      ...(ingressClass !== undefined && {
        edits: [{ file: map.file.file, edit: { kind: "set", path, value: ingressClass } }],
      }),
    },
  ];
}

const lostMapping = new RegExp(`^(?:${removedMappings.map((name) => name.replace("*", ".+")).join("|")})$`);

/** Values that ask for a variable which the chart mapped by itself, and which nothing maps now. */
function checkMappings(map: MapAt, mapped: ReadonlySet<string>): Found[] {
  return [...map.node.entries].flatMap(([key, { value }]): Found[] => {
    if (value.kind !== "leaf") return [];
    const names = namesAskedBy(value);
    return names
      .filter((name) => lostMapping.test(name) && !mapped.has(name))
      .map((name) => ({
        severity: "warning",
        item: "removed-mappings",
        where: showPlace(value.place),
        message: `${pathOf(map, key)} uses ${name}, which is not set: since release 2.2.0 the chart does not map it by itself`,
        solution: removedMappingSolution,
      }));
  });
}

function namesAskedBy({ source }: Extract<Located, { kind: "leaf" }>): string[] {
  if (source.type === "variable") return [source.name];
  if (source.type === "template") return [...namesIn(source.text)];
  if (source.type !== "plain" || typeof source.value !== "string") return [];
  // As containers write it.
  return [...source.value.matchAll(/\$\(([A-Za-z_]\w*)\)/g)].map(([, name]) => name ?? "");
}
