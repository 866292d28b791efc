/** A trace as a text: a line for each span, below its parent, in the order in which they began. */
import type { ReceivedSpan } from "./otlp.ts";

export const childrenOf = (spans: readonly ReceivedSpan[], id: string): ReceivedSpan[] =>
  spans.filter(({ parentId }) => parentId === id).sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));

/** What is below a span. Polls of one task in a row are one line, and so is what `hides` names. */
export function treeBelow(spans: readonly ReceivedSpan[], id: string, depth = 0): string[] {
  const lines: string[] = [];
  for (const span of childrenOf(spans, id)) {
    const line = `${"  ".repeat(depth)}${span.name}${span.status === 2 ? " ERROR" : ""}`;
    const isPoll = span.name.startsWith("GET /v1/provision/");
    if (!isPoll || lines.at(-1) !== line) lines.push(line);
    lines.push(...treeBelow(spans, span.spanId, depth + 1));
  }
  return lines;
}

/** Of one trace, the spans whose parent is neither there nor the given one. */
export const orphans = (spans: readonly ReceivedSpan[], root: string): ReceivedSpan[] => {
  const ids = new Set([root, ...spans.map(({ spanId }) => spanId)]);
  return spans.filter(({ parentId }) => !ids.has(parentId));
};
