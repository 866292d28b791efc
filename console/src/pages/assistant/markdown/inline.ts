/**
 * Pure: text with emphasis, code and links as data. Each character is looked at a fixed number of times, whatever the text is, as the
 * words of an answer may come from anybody.
 */

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong" | "emphasis" | "deleted"; children: readonly Inline[] }
  | { kind: "link"; href: string; children: readonly Inline[]; isBare: boolean; isImage: boolean }
  | { kind: "break" };

const maxDepth = 5;
/** A longer one is shown as it is. */
const maxLength = 20_000;
const maxLinkText = 1_000;
const maxHref = 2_000;
/** Ends of emphasis that are looked at for one beginning. */
const maxTries = 20;

interface Reading {
  text: string;
  depth: number;
  /** Marks that have no end after where one is: looked for once. */
  endless: Set<string>;
}

/** What stands at a place, and where the rest begins; null where it is a letter like others. */
type Read = (reading: Reading, at: number) => { node: Inline; end: number } | null;

export const parseInline = (text: string, depth = 0): Inline[] => {
  if (text.length > maxLength || depth > maxDepth) return [{ kind: "text", text }];
  const reading: Reading = { text, depth, endless: new Set() };
  const nodes: Inline[] = [];
  const special = /[\\`*_~[!\n]|https?:\/\//g;
  let from = 0;
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    const read = readers[found[0].length > 1 ? "http" : found[0]]?.(reading, found.index) ?? null;
    if (read === null) continue;
    if (found.index > from) nodes.push({ kind: "text", text: text.slice(from, found.index) });
    nodes.push(read.node);
    from = read.end;
    special.lastIndex = from;
  }
  if (from < text.length) nodes.push({ kind: "text", text: text.slice(from) });
  return nodes;
};

const readers: Record<string, Read> = {
  "\\": ({ text }, at) => {
    const next = text[at + 1] ?? "";
    if (next === "\n") return { node: { kind: "break" }, end: at + 2 };
    return /[\\`*_{}[\]()#+\-.!|~<>]/.test(next) ? { node: { kind: "text", text: next }, end: at + 2 } : null;
  },
  "`": readCode,
  "*": (reading, at) =>
    reading.text[at + 1] === "*"
      ? (readMarked(reading, at, { mark: "**", kind: "strong" }) ?? asText(reading, at, 2))
      : readMarked(reading, at, { mark: "*", kind: "emphasis" }),
  _: (reading, at) => {
    // In a name such as get_plan it is a letter.
    if (/\w/.test(reading.text[at - 1] ?? "")) return null;
    return reading.text[at + 1] === "_"
      ? (readMarked(reading, at, { mark: "__", kind: "strong" }) ?? asText(reading, at, 2))
      : readMarked(reading, at, { mark: "_", kind: "emphasis" });
  },
  "~": (reading, at) =>
    reading.text[at + 1] === "~" ? readMarked(reading, at, { mark: "~~", kind: "deleted" }) : null,
  "[": (reading, at) => readLink(reading, at, false),
  "!": (reading, at) => (reading.text[at + 1] === "[" ? readLink(reading, at + 1, true) : null),
  "\n": (_, at) => ({ node: { kind: "break" }, end: at + 1 }),
  http: readAddress,
};

const asText = ({ text }: Reading, at: number, length: number): { node: Inline; end: number } => ({
  node: { kind: "text", text: text.slice(at, at + length) },
  end: at + length,
});

function readCode(reading: Reading, at: number): ReturnType<Read> {
  const { text, endless } = reading;
  const mark = /^`+/.exec(text.slice(at, at + 20))?.[0] ?? "`";
  let end = endless.has(mark) ? -1 : text.indexOf(mark, at + mark.length);
  while (end >= 0 && text[end + mark.length] === "`") {
    let next = end;
    while (text[next] === "`") next += 1;
    end = text.indexOf(mark, next);
  }
  if (end < 0) {
    endless.add(mark);
    return asText(reading, at, mark.length);
  }
  const inner = text.slice(at + mark.length, end).replaceAll("\n", " ");
  const isPadded = inner.startsWith(" ") && inner.endsWith(" ") && inner.trim() !== "";
  return {
    node: { kind: "code", text: isPadded ? inner.slice(1, -1) : inner },
    end: end + mark.length,
  };
}

interface Marked {
  mark: string;
  kind: "strong" | "emphasis" | "deleted";
}

function readMarked(reading: Reading, at: number, { mark, kind }: Marked): ReturnType<Read> {
  const { text, depth, endless } = reading;
  const from = at + mark.length;
  if (endless.has(mark) || /^\s?$/.test(text[from] ?? "")) return null;
  let end = text.indexOf(mark, from);
  for (let tries = 0; end >= 0 && !isEnd(text, end, mark); tries += 1) {
    if (tries >= maxTries) return null;
    // `**` within `*` is of something inside.
    end = text.indexOf(mark, end + (text[end + 1] === mark ? 2 : 1));
  }
  if (end < 0) endless.add(mark);
  if (end <= from) return null;
  const children = parseInline(text.slice(from, end), depth + 1);
  return { node: { kind, children }, end: end + mark.length };
}

const isEnd = (text: string, end: number, mark: string): boolean => {
  if (/\s/.test(text[end - 1] ?? " ")) return false;
  if (mark.length === 1 && (text[end + 1] === mark || text[end - 1] === mark)) return false;
  return !mark.startsWith("_") || !/\w/.test(text[end + mark.length] ?? "");
};

function readLink({ text, depth }: Reading, at: number, isImage: boolean): ReturnType<Read> {
  const near = text.slice(at, at + maxLinkText + maxHref);
  const found = /^\[((?:[^[\]\\]|\\.){0,1000})\]\(\s*<?([^\s<>]{0,2000}?)>?(?:\s+"[^"\n]{0,200}")?\s*\)/.exec(
    near,
  );
  if (found === null) return null;
  const [whole, label = "", href = ""] = found;
  return {
    node: {
      kind: "link",
      href,
      children: parseInline(label === "" ? href : label, depth + 1).map(withoutLinks),
      isBare: false,
      isImage,
    },
    end: at + whole.length,
  };
}

/** A link within a link is its text. */
const withoutLinks = (node: Inline): Inline =>
  node.kind === "link"
    ? { kind: "text", text: node.href }
    : "children" in node
      ? { ...node, children: node.children.map(withoutLinks) }
      : node;

function readAddress({ text }: Reading, at: number): ReturnType<Read> {
  if (/\w/.test(text[at - 1] ?? "")) return null;
  const [whole = ""] = /^https?:\/\/[^\s<>"'`|\\]*/.exec(text.slice(at, at + maxHref)) ?? [];
  // A full stop after an address is of the sentence.
  const href = whole.replace(/[.,;:!?)\]*_]+$/, "");
  if (href.length < "http://a".length) return null;
  const node: Inline = {
    kind: "link",
    href,
    children: [{ kind: "text", text: href }],
    isBare: true,
    isImage: false,
  };
  return { node, end: at + href.length };
}
