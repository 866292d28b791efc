import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
  type YAMLMap,
} from "yaml";
import { isNothing, type Located, type LocatedLeaf, type Path, type Place } from "./located.ts";
import { readLimits, type Reading } from "./reading.ts";
import { hasSubstitution } from "./substitute.ts";

export interface YamlSource {
  reading: Reading;
  /** The name of the file in problems. */
  file: string;
  /** Where relative `$file` names begin. */
  folder: string;
  include(target: string, place: Place): Located | undefined;
}

/** The library's messages may quote the text, which may be a secret; so these replace them. */
const syntaxWords: Record<string, string> = {
  BAD_ALIAS: "has an alias (*) that cannot be used",
  BAD_DQ_ESCAPE: "has an unknown escape in a double-quoted text",
  BAD_INDENT: "is not indented correctly, or a bracket is not closed",
  BAD_SCALAR_START: "has a value that begins with a reserved character; put it in quotes",
  BLOCK_AS_IMPLICIT_KEY: "has a nested map where a single value must be; check the indentation",
  MISSING_CHAR: "misses a character such as a comma, colon, quote or bracket",
  MULTILINE_IMPLICIT_KEY: "has a key that goes over several lines; is a colon missing?",
  MULTIPLE_DOCS: "must be a single document",
  NON_STRING_KEY: "has a key that is not a text",
  TAB_AS_INDENT: "uses a tab for indentation; use spaces",
  TAG_RESOLVE_FAILED: "uses a tag (!) that is not supported",
  UNEXPECTED_TOKEN: "has something unexpected here; is a quote or bracket missing?",
};

/** Text to tree. All syntax problems are reported; undefined when there are any, or the document is empty. */
export function parseYaml(text: string, source: YamlSource): Located | undefined {
  const { problems } = source.reading;
  const lines = new LineCounter();
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file: source.file, line: Math.max(1, line), column: Math.max(1, col) };
  };
  let document: Document.Parsed;
  let targets: Map<Alias, Node>;
  try {
    document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: false,
      stringKeys: true,
    });
    targets = aliasTargets(document);
  } catch {
    // The parser recurses; text made to exhaust the stack ends here.
    problems.add(place(0), [], { message: "cannot be read as YAML: it is nested too deeply" });
    return undefined;
  }
  const complaints = [...document.errors, ...document.warnings];
  for (const { code, pos } of complaints) {
    problems.add(place(pos[0]), [], { message: syntaxWords[code] ?? "is not valid YAML here" });
  }
  if (complaints.length > 0 || document.contents === null) return undefined;
  const walk: Walk = { source, place, targets, problems, open: new Set() };
  const root = convert(document.contents, [], walk);
  return root.kind === "leaf" && (isNothing(root) || root.source.type === "failed") ? undefined : root;
}

/** What each alias means, found in one pass: the library's own look-up walks the document for every alias. */
function aliasTargets(document: Document.Parsed): Map<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node(_key, node) {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target) targets.set(node, target);
      } else if (node.anchor) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

interface Walk {
  source: YamlSource;
  place(offset: number): Place;
  targets: Map<Alias, Node>;
  problems: Reading["problems"];
  /** Anchored nodes that are being converted, so that an alias to its own parent is refused. */
  open: Set<unknown>;
}

function convert(node: Node, path: Path, walk: Walk): Located {
  const place = walk.place(node.range?.[0] ?? 0);
  const { reading } = walk.source;
  if (++reading.nodesRead > readLimits.nodes) {
    walk.problems.add(place, [], { message: `has more than ${readLimits.nodes} values` });
    return failed(place);
  }
  if (path.length > readLimits.depth) {
    walk.problems.add(place, path.slice(0, 3), { message: "is nested too deeply" });
    return failed(place);
  }
  if (isAlias(node)) return convertAlias(node, path, walk);
  if (isMap(node)) return convertMap(node, path, walk);
  if (isSeq(node)) {
    const items = node.items.map((item, index) => convertAny(item, [...path, index], { place, walk }));
    return { kind: "list", place, items };
  }
  return isScalar(node) ? { kind: "leaf", place, source: scalarSource(node.value) } : failed(place);
}

const failed = (place: Place): Located => ({ kind: "leaf", place, source: { type: "failed" } });

/** An entry as the parser leaves it; one that is not a node (nothing was written) is null. */
function convertAny(entry: unknown, path: Path, { place, walk }: { place: Place; walk: Walk }): Located {
  return isNode(entry)
    ? convert(entry, path, walk)
    : { kind: "leaf", place, source: { type: "plain", value: null } };
}

function scalarSource(value: unknown): LocatedLeaf["source"] {
  if (typeof value === "string") {
    return hasSubstitution(value) ? { type: "template", text: value } : { type: "plain", value };
  }
  if (typeof value === "number" || typeof value === "boolean") return { type: "plain", value };
  return { type: "plain", value: null };
}

function convertAlias(alias: Alias, path: Path, walk: Walk): Located {
  const target = walk.targets.get(alias);
  if (target !== undefined && !walk.open.has(target)) return convert(target, path, walk);
  const place = walk.place(alias.range?.[0] ?? 0);
  walk.problems.add(place, path, { message: syntaxWords["BAD_ALIAS"]! });
  return failed(place);
}

function convertMap(map: YAMLMap, path: Path, walk: Walk): Located {
  const place = walk.place(map.range?.[0] ?? 0);
  const directive = directiveOf(map);
  if (directive) return convertDirective(directive, path, walk);
  const entries: Extract<Located, { kind: "map" }>["entries"] = new Map();
  let wrong = false;
  walk.open.add(map);
  for (const pair of map.items) {
    const key = keyText(pair.key);
    const keyPlace = isNode(pair.key) ? walk.place(pair.key.range?.[0] ?? 0) : place;
    const keyPath = [...path, key];
    if (entries.has(key)) {
      walk.problems.add(keyPlace, keyPath, { message: "is given twice in the same map" });
      continue;
    }
    if (key.startsWith("$")) {
      const message = ["$env", "$file", "$include"].includes(key)
        ? "must be alone in its map"
        : "is not a known instruction; there are $env, $file and $include";
      walk.problems.add(keyPlace, keyPath, { message });
      wrong = true;
      continue;
    }
    const value = convertAny(pair.value, keyPath, { place: keyPlace, walk });
    entries.set(key, { keyPlace, value });
  }
  walk.open.delete(map);
  return wrong ? failed(place) : { kind: "map", place, entries };
}

const keyText = (key: unknown): string => (isScalar(key) ? String(key.value) : "");

interface Directive {
  name: "$env" | "$file" | "$include";
  argument: unknown;
  offset: number;
}

function directiveOf(map: YAMLMap): Directive | undefined {
  const [pair] = map.items;
  if (map.items.length !== 1 || pair === undefined) return undefined;
  const name = keyText(pair.key);
  if (name !== "$env" && name !== "$file" && name !== "$include") return undefined;
  return { name, argument: pair.value, offset: isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0 };
}

function convertDirective(directive: Directive, path: Path, walk: Walk): Located {
  const place = walk.place(directive.offset);
  const argument = isScalar(directive.argument) ? directive.argument.value : undefined;
  if (typeof argument !== "string" || argument === "" || argument.length > 4096 || argument.includes("\0")) {
    const needs = directive.name === "$env" ? "the name of an environment variable" : "the name of a file";
    walk.problems.add(place, [...path, directive.name], { message: `needs ${needs}` });
    return failed(place);
  }
  if (directive.name === "$include") return walk.source.include(argument, place) ?? failed(place);
  return directive.name === "$env"
    ? { kind: "leaf", place, source: { type: "variable", name: argument } }
    : { kind: "leaf", place, source: { type: "file", path: argument, folder: walk.source.folder } };
}
