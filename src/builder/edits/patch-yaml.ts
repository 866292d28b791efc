/** Pure: changes values in a YAML text and keeps comments and the order of keys where possible. */
import { isDeepStrictEqual } from "node:util";
import { dump } from "js-yaml";
import { isMap as isNodeMap, parseDocument, type Document } from "yaml";
import { parseYaml, type YamlMap } from "../descriptors/entities/yaml.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

/** Longer texts are rewritten: the editing parser is slow. */
const longestPatched = 256 * 1024;

/** `before` is the parsed text, null for a new file. */
export function patchYaml(text: string, before: YamlMap | null, after: YamlMap): string {
  const anew = (): string => dump(after, { noRefs: true, lineWidth: -1 });
  if (before === null || text.length > longestPatched) return anew();
  const patched = patch(text, before, after);
  const parsed = patched === null ? null : parseYaml(patched, { file: "" });
  // Verify the patched text, because aliases and tags could change its meaning.
  return patched !== null && parsed?.ok === true && isDeepStrictEqual(parsed.value, after) ? patched : anew();
}

function patch(text: string, before: YamlMap, after: YamlMap): string | null {
  try {
    const document = parseDocument(text, { uniqueKeys: false });
    if (document.errors.length > 0 || !isNodeMap(document.contents)) return null;
    patchMap(document, [], { before, after });
    return document.toString({ lineWidth: 0 });
  } catch {
    return null;
  }
}

function patchMap(
  document: Document,
  path: readonly string[],
  { before, after }: { before: YamlMap; after: YamlMap },
): void {
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) document.deleteIn([...path, key]);
  for (const [key, value] of Object.entries(after)) {
    const known = Object.hasOwn(before, key) ? before[key] : undefined;
    const at = [...path, key];
    if (isDeepStrictEqual(known, value)) continue;
    if (isRecord(known) && isRecord(value) && isNodeMap(document.getIn(at, true)))
      patchMap(document, at, { before: known, after: value });
    else document.setIn(at, document.createNode(value));
  }
}
