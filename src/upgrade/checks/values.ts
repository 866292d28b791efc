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
import type { Edit } from "../files/edit-yaml.ts";
import { isGiven, namedValue, planRenaming, type EntryRename } from "../files/rename-entry.ts";
import { itemOfVariable } from "./configuration.ts";
import { entriesOfBlock, type Entry } from "../files/extra-env.ts";
import type { FileInputs, Found } from "./inputs.ts";

/** A map of the values with where it stands. */
interface MapAt {
  file: YamlFile;
  path: Path;
  node: LocatedMap;
  /** The entries of the list that it stands in. */
  list?: readonly Located[];
}

export function checkValues(inputs: FileInputs): Found[] {
  const maps = inputs.values.flatMap((file) => withoutAliased(mapsIn(file, file.root, [])));
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
  if (node.kind === "list")
    return node.items.flatMap((item, index) =>
      mapsIn(file, item, [...path, index]).map((map) =>
        map.node === item ? { ...map, list: node.items } : map,
      ),
    );
  if (node.kind !== "map") return [];
  const below = [...node.entries].flatMap(([key, { value }]) => mapsIn(file, value, [...path, key]));
  return [{ file, path, node }, ...below];
}

/** An alias stands for the map at its anchor, which comes before it: what is wrong there is found, and mended, once. */
const withoutAliased = (maps: MapAt[]): MapAt[] =>
  [...Map.groupBy(maps, ({ node }) => showPlace(node.place)).values()].map(([first]) => first!);

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

/** Each name once: the chart refuses what a list names twice. */
function renamed(entries: readonly Entry[], path: Path): Entry[] {
  let list = [...entries];
  for (const { name: old } of entries) {
    const now = successorAt(old, path);
    if (now === undefined) continue;
    const named = list.map((entry) => namedValue(entry) ?? { name: entry.name, isSet: false });
    const { renamed: place, removed } = planRenaming(named, { old, now });
    list = list
      .map((entry, index) => (index === place ? { ...entry, name: now } : entry))
      .filter((_entry, index) => !removed.includes(index));
  }
  return list;
}

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
  const { path, node } = map;
  // At the top of an application's configuration these are settings, which the configuration's check reports.
  const keys = path.length > 0 && !isConfiguration(path) ? [...node.entries] : [];
  const ofKeys = keys.flatMap(([name, { keyPlace }]): Found[] => {
    const now = successorAt(name, path);
    if (now === undefined) return [];
    const beside = node.entries.get(now)?.value;
    const isBeside = beside !== undefined && isGiven(settingsOf(beside));
    const rename: Edit = { kind: "rename", path: [...path, name], to: now };
    const edits: Edit[] = isBeside
      ? [{ kind: "remove", path: [...path, name] }]
      : [...(beside === undefined ? [] : [{ kind: "remove", path: [...path, now] } as const]), rename];
    return [oldName(map, { name, now, at: [...path, name], where: showPlace(keyPlace), isBeside, edits })];
  });
  return [...ofKeys, ...checkEntryName(map)];
}

function checkEntryName(map: MapAt): Found[] {
  const { path, node, list } = map;
  const leaf = node.entries.get("name")?.value;
  if (list === undefined || leaf?.kind !== "leaf" || leaf.source.type !== "plain") return [];
  const name = String(leaf.source.value);
  const now = successorAt(name, path);
  if (now === undefined) return [];
  const entries = list.map((item) => namedValue(settingsOf(item)) ?? { name: "", isSet: false });
  const isBeside = planRenaming(entries, { old: name, now }).renamed === null;
  const edit: EntryRename = { kind: "rename-entry", path: path.slice(0, -1), old: name, now };
  const where = showPlace(leaf.place);
  return [oldName(map, { name, now, at: [...path, "name"], where, isBeside, edits: [edit] })];
}

interface OldName {
  name: string;
  now: string;
  at: Path;
  where: string;
  /** Whether the new name has a value beside it. */
  isBeside: boolean;
  edits: (Edit | EntryRename)[];
}

const oldName = ({ file }: MapAt, { name, now, at, where, isBeside, edits }: OldName): Found => ({
  severity: "breaking",
  item: itemOfVariable(name),
  where,
  message: `${showPath(at)} is ${name}, which is no longer read; it is now ${now}`,
  solution: isBeside ? `Remove ${name}: ${now} is given as well.` : `Write ${now}.`,
  edits: edits.map((edit) => ({ file: file.file, edit })),
});

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
