/**
 * A configuration before it is checked: a tree in which every key and value still knows where it was written,
 * so that a problem found much later can point at the line.
 */
export type Place = { file: string; line: number; column: number } | { variable: string };

export interface LocatedMap {
  kind: "map";
  place: Place;
  entries: Map<string, { keyPlace: Place; value: Located }>;
}

interface LocatedList {
  kind: "list";
  place: Place;
  items: Located[];
}

/** A single value, or an instruction to get one that is followed after the layers are merged. */
export interface LocatedLeaf {
  kind: "leaf";
  place: Place;
  source:
    | { type: "plain"; value: string | number | boolean | null }
    /** Text from outside the file (a variable); it becomes a number or a boolean where the schema wants one. */
    | { type: "given"; text: string }
    /** Text with `${…}` in it. */
    | { type: "template"; text: string }
    | { type: "variable"; name: string }
    | { type: "file"; path: string; folder: string }
    /** Already reported; causes no further problem. */
    | { type: "failed" };
}

export type Located = LocatedMap | LocatedList | LocatedLeaf;
export type Path = readonly (string | number)[];
export type PlainValue = string | number | boolean | null | PlainValue[] | { [key: string]: PlainValue };

export const emptyMap = (place: Place): LocatedMap => ({ kind: "map", place, entries: new Map() });

export const showPlace = (place: Place): string =>
  "variable" in place ? `environment:${place.variable}` : `${place.file}:${place.line}:${place.column}`;

/** `mesh.builder.environments[1].name`; the whole document is `configuration`. */
export function showPath(path: Path): string {
  if (path.length === 0) return "configuration";
  return path.reduce<string>((shown, part) => {
    if (typeof part === "number") return `${shown}[${part}]`;
    return shown === "" ? part : `${shown}.${part}`;
  }, "");
}

/** Later wins: maps merge key by key, everything else replaces. Neither side is changed. */
export function mergeLayers(base: LocatedMap, over: LocatedMap): LocatedMap {
  const entries = new Map(base.entries);
  for (const [key, { keyPlace, value }] of over.entries) {
    const below = entries.get(key)?.value;
    const merged = below?.kind === "map" && value.kind === "map" ? mergeLayers(below, value) : value;
    entries.set(key, { keyPlace, value: merged });
  }
  return { kind: "map", place: over.place, entries };
}

/** The node at a path, or undefined. */
export function nodeAt(root: Located, path: Path): Located | undefined {
  let node: Located | undefined = root;
  for (const part of path) {
    if (node?.kind === "map") node = node.entries.get(String(part))?.value;
    else if (node?.kind === "list") node = node.items[Number(part)];
    else return undefined;
  }
  return node;
}

/** Where the value at a path was written; for a default, where its nearest parent was. */
export function placeOf(root: Located, path: Path, which: "key" | "value" = "value"): Place {
  const parent = nodeAt(root, path.slice(0, -1));
  const last = path.at(-1);
  if (which === "key" && parent?.kind === "map") {
    const found = parent.entries.get(String(last));
    if (found) return found.keyPlace;
  }
  for (let length = path.length; length > 0; length--) {
    const node = nodeAt(root, path.slice(0, length));
    if (node) return length < path.length ? keyPlaceOf(root, path.slice(0, length)) : node.place;
  }
  return root.place;
}

/** A parent is pointed at by its key: the place of its value is the line below. */
function keyPlaceOf(root: Located, path: Path): Place {
  const parent = nodeAt(root, path.slice(0, -1));
  const found = parent?.kind === "map" ? parent.entries.get(String(path.at(-1))) : undefined;
  return found?.keyPlace ?? nodeAt(root, path)?.place ?? root.place;
}

/** Sets a leaf and creates the maps above it; does nothing when another kind of value is in the way. */
export function setLeaf(root: LocatedMap, path: readonly string[], leaf: LocatedLeaf): boolean {
  let node: LocatedMap = root;
  for (const part of path.slice(0, -1)) {
    const below = node.entries.get(part)?.value;
    if (below === undefined || (below.kind === "leaf" && isNothing(below))) {
      const made = emptyMap(leaf.place);
      node.entries.set(part, { keyPlace: leaf.place, value: made });
      node = made;
    } else if (below.kind === "map") node = below;
    else return false;
  }
  node.entries.set(path.at(-1)!, { keyPlace: leaf.place, value: leaf });
  return true;
}

/** Removes a key, and the maps above that become empty by it. Returns where the key was, or undefined. */
export function removeKey(root: LocatedMap, path: readonly string[]): Place | undefined {
  const [first, ...rest] = path;
  const found = first === undefined ? undefined : root.entries.get(first);
  if (first === undefined || found === undefined) return undefined;
  if (rest.length === 0) {
    root.entries.delete(first);
    return found.keyPlace;
  }
  if (found.value.kind !== "map") return undefined;
  const place = removeKey(found.value, rest);
  if (place && found.value.entries.size === 0) root.entries.delete(first);
  return place;
}

/** A key with nothing after it is not a value: the default applies. */
export const isNothing = (leaf: LocatedLeaf): boolean =>
  leaf.source.type === "plain" && leaf.source.value === null;
