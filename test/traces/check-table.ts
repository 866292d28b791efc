/** Compares what was received with the table of spans, from which the reference page is made. */
import { spanKinds, type SpanKindName, type SpanKindTable } from "../../src/platform/telemetry/span-kinds.ts";
import type { ReceivedSpan } from "./otlp.ts";

const roles = { internal: 1, server: 2, client: 3 };

const table = Object.entries(spanKinds) as [SpanKindName, SpanKindTable<string>][];

/** The name that the attributes make; undefined for a span of another kind. */
function nameBy({ name, role }: SpanKindTable<string>, span: ReceivedSpan): string | undefined {
  if (span.kind !== roles[role]) return undefined;
  const made = name.replaceAll(/\{([\w.]+)\}/g, (_, attribute: string) => {
    const value = span.attributes[attribute];
    // oxlint-disable-next-line typescript/no-base-to-string -- values of spans are plain
    return value === undefined ? "" : value === "_OTHER" ? "HTTP" : String(value);
  });
  return made.trim();
}

/** Where a span is not of the table, and what of the table was never seen. */
export function differences(spans: readonly ReceivedSpan[]): string[] {
  const found = new Set<string>();
  const unseen = new Map(table.map(([kind, { attributes }]) => [kind, new Set(Object.keys(attributes))]));
  const seenKinds = new Set<string>();
  for (const span of spans) {
    if (span.scope !== "plinth") found.add(`The span ${span.name} is of the scope ${span.scope}.`);
    const entry = table.find(([, kind]) => nameBy(kind, span) === span.name);
    if (entry === undefined) {
      found.add(`The span ${span.name} (kind ${span.kind}) is of no kind of the table.`);
      continue;
    }
    const [kind, { attributes }] = entry;
    seenKinds.add(kind);
    for (const name of Object.keys(span.attributes)) {
      if (!Object.hasOwn(attributes, name)) found.add(`${kind} has ${name}, which is not in the table.`);
      unseen.get(kind)?.delete(name);
    }
    if ((span.status === 2) !== Object.hasOwn(span.attributes, "error.type"))
      found.add(
        `${kind} has the status ${span.status} and error.type ${String(span.attributes["error.type"])}.`,
      );
  }
  for (const [kind] of table) if (!seenKinds.has(kind)) found.add(`There was no span of the kind ${kind}.`);
  for (const [kind, names] of unseen)
    for (const name of names)
      if (seenKinds.has(kind) && name !== "error.type") found.add(`${kind} never had ${name}.`);
  return [...found];
}
