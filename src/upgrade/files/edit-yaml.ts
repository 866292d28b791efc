/**
 * Pure. Changes of a YAML text that leave all other lines as they are. Each change is checked: what the text says afterwards
 * is what it said before, but for the change. Where lines cannot be changed alone the document is written anew.
 */
import { isDeepStrictEqual } from "node:util";
import { isMap, isNode, isScalar, isSeq, parseDocument, stringify, type Document, type Pair } from "yaml";

type Path = readonly (string | number)[];

export type Edit =
  | { kind: "remove"; path: Path }
  | { kind: "rename"; path: Path; to: string }
  /** Replaces a value, or adds the key at the end of the map above it. */
  | { kind: "set"; path: Path; value: unknown };

/** Returns null where the text is no YAML, or an edit finds nothing to change. New lines end as those of the text. */
export function editYaml(text: string, edit: Edit): string | null {
  const isWindows = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  if (!isWindows) return editLines(text, edit);
  return editLines(text.replaceAll("\r\n", "\n"), edit)?.replaceAll("\n", "\r\n") ?? null;
}

function editLines(text: string, edit: Edit): string | null {
  const document = parse(text);
  if (document === null) return null;
  const content = contentOf(document);
  const wanted = structuredClone(content);
  if (!changeContent(wanted, edit)) return null;
  const saysIt = (changed: string | null): changed is string => {
    const read = changed === null ? null : parse(changed);
    return read !== null && isDeepStrictEqual(contentOf(read), wanted);
  };
  const byLines = changeLines(text, document, edit);
  if (saysIt(byLines)) return byLines;
  const anew = changeDocument(document, edit);
  return saysIt(anew) ? anew : null;
}

function parse(text: string): Document.Parsed | null {
  try {
    const document = parseDocument(text, { uniqueKeys: false, logLevel: "silent" });
    return document.errors.length > 0 ? null : document;
  } catch {
    return null;
  }
}

/** Undefined where an alias has lost its anchor. */
function contentOf(document: Document.Parsed): unknown {
  try {
    return document.toJS() ?? {};
  } catch {
    return undefined;
  }
}

type Content = Record<string | number, unknown>;

const isContent = (value: unknown): value is Content => typeof value === "object" && value !== null;

function changeContent(root: unknown, edit: Edit): boolean {
  const { path } = edit;
  const last = path.at(-1);
  let holder: unknown = root;
  for (const part of path.slice(0, -1)) {
    if (!isContent(holder)) return false;
    if (edit.kind === "set" && (holder[part] === undefined || holder[part] === null)) holder[part] = {};
    holder = holder[part];
  }
  if (!isContent(holder) || last === undefined) return false;
  if (edit.kind === "set") {
    holder[last] = structuredClone(edit.value);
    return true;
  }
  if (!Object.hasOwn(holder, last)) return false;
  const value = holder[last];
  if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  if (edit.kind === "rename") holder[edit.to] = value;
  else if (Object.keys(holder).length === 0 && path.length > 1)
    return changeContent(root, { kind: "remove", path: path.slice(0, -1) });
  return true;
}

/** The text with only the lines of the edit changed; null where that is not possible. */
function changeLines(text: string, document: Document.Parsed, edit: Edit): string | null {
  if (edit.kind !== "set") {
    const path = edit.kind === "remove" ? withEmptied(document, edit.path) : edit.path;
    const found = blockPair(document, path) ?? blockEntry(document, path);
    if (found === null) return null;
    if (edit.kind === "remove") return cut(text, linesOf(text, found), "");
    const [from, to] = rangeOf(found.key);
    return cut(text, [from, to], edit.to);
  }
  const found = blockPair(document, edit.path);
  if (found === null) return addLines(text, document, edit);
  const { value } = found;
  if (
    isScalar(value) &&
    value.type !== "BLOCK_LITERAL" &&
    value.type !== "BLOCK_FOLDED" &&
    !isContent(edit.value)
  ) {
    const [from, to] = rangeOf(value);
    return from === to ? null : cut(text, [from, to], written(edit.value));
  }
  const [from, to] = linesOf(text, found);
  return cut(text, [from, to], block({ [String(edit.path.at(-1))]: edit.value }, columnOf(text, found)));
}

/** The path of the outermost map or list that has nothing left once the key is gone. */
function withEmptied(document: Document.Parsed, path: Path): Path {
  let shown = path;
  while (shown.length > 1) {
    const holder = document.getIn(shown.slice(0, -1), true);
    if (!(isMap(holder) || isSeq(holder)) || holder.items.length > 1) break;
    shown = shown.slice(0, -1);
  }
  return shown;
}

type Found = Pair & { key: { range?: [number, number, number] } };

/** What holds the last part of the path, where it and all above it are in block style; null otherwise. */
function blockHolder(document: Document.Parsed, path: Path): unknown {
  let holder: unknown = null;
  for (let length = 0; length < path.length; length += 1) {
    holder = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (!isContent(holder) || !("items" in holder) || holder["flow"] === true) return null;
  }
  return holder;
}

/** An entry of a list that begins its line. */
function blockEntry(document: Document.Parsed, path: Path): Found | null {
  const holder = blockHolder(document, path);
  const entry: unknown = isSeq(holder) ? holder.items[Number(path.at(-1))] : null;
  return isNode(entry) ? ({ key: entry, value: entry } as unknown as Found) : null;
}

/** The pair of a map where it begins its line. */
function blockPair(document: Document.Parsed, path: Path): Found | null {
  const holder = blockHolder(document, path);
  if (!isMap(holder)) return null;
  const key = String(path.at(-1));
  const pair = holder.items.find((each) => isScalar(each.key) && String(each.key.value) === key);
  return (pair as Found | undefined) ?? null;
}

function rangeOf(node: unknown): [number, number] {
  const range = (node as { range?: [number, number, number] } | null)?.range;
  return range ? [range[0], range[1]] : [0, 0];
}

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

/** From the beginning of the key's line to the end of the last line of its value. */
function linesOf(text: string, { key, value }: Found): [number, number] {
  const start = lineStart(text, rangeOf(key)[0]);
  const end = Math.max(rangeOf(key)[1], rangeOf(value)[1]);
  if (text[end - 1] === "\n") return [start, end];
  const line = text.indexOf("\n", end);
  return [start, line === -1 ? text.length : line + 1];
}

const columnOf = (text: string, { key }: Found): number => rangeOf(key)[0] - lineStart(text, rangeOf(key)[0]);

const cut = (text: string, [from, to]: [number, number], put: string): string =>
  text.slice(0, from) + put + text.slice(to);

const written = (value: unknown): string => stringify(value, { lineWidth: 0 }).trimEnd();

const block = (value: object, indent: number): string =>
  written(value)
    .split("\n")
    .map((line) => (line === "" ? "\n" : `${" ".repeat(indent)}${line}\n`))
    .join("");

/** Adds the key, with the maps above it that are missing, behind the last line of the nearest map that is there. */
function addLines(text: string, document: Document.Parsed, edit: Edit & { kind: "set" }): string | null {
  for (let length = edit.path.length - 1; length >= 0; length -= 1) {
    const holder = length === 0 ? document.contents : document.getIn(edit.path.slice(0, length), true);
    const value = edit.path
      .slice(length + 1)
      .reduceRight<unknown>((inner, part) => ({ [part]: inner }), edit.value);
    const added = { [String(edit.path[length])]: value };
    if (length === 0 && (holder === null || (isMap(holder) && holder.items.length === 0)))
      return `${endedText(text)}${block(added, 0)}`;
    if (!isMap(holder)) continue;
    const last = holder.items.at(-1) as Found | undefined;
    if (last === undefined || holder.flow === true) return null;
    const end = linesOf(text, last)[1];
    return `${endedText(text.slice(0, end))}${block(added, columnOf(text, last))}${text.slice(end)}`;
  }
  return null;
}

const endedText = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

function changeDocument(document: Document.Parsed, edit: Edit): string | null {
  const { path } = edit;
  try {
    if (edit.kind === "set") document.setIn(path, document.createNode(edit.value));
    else if (edit.kind === "remove") document.deleteIn(withEmptied(document, path));
    else {
      const value: unknown = document.getIn(path, true);
      document.deleteIn(path);
      document.setIn([...path.slice(0, -1), edit.to], value);
    }
    return document.toString({ lineWidth: 0 });
  } catch {
    return null;
  }
}
