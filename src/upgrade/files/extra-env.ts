/** Pure. Reads the variables out of a text block of `extraEnv`, as charts took it before. */
import { parseDocument } from "yaml";
import { isMap, type Plain } from "./yaml-file.ts";

/** A variable of a container. */
export type Entry = { name: string; value: string } | { name: string; valueFrom: { [key: string]: Plain } };

/**
 * Lists of `name` with `value` or `valueFrom`, maps of names and values, and lines `NAME=value`. Null where the text is none
 * of these, such as a template.
 */
export function entriesOfBlock(text: string): Entry[] | null {
  if (text.includes("{{")) return null;
  const content = yamlOf(text);
  if (Array.isArray(content)) return allOf(content.map(entryOf));
  if (isMap(content))
    return allOf(
      Object.entries(content).map(([name, value]) =>
        entryOf(isMap(value) ? { name, ...value } : { name, value }),
      ),
    );
  return allOf(
    text
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "" && !line.trim().startsWith("#"))
      .map((line) => {
        const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_]\w*)=(.*)$/.exec(line) ?? [];
        return name === undefined ? null : { name, value: (value ?? "").replace(/^(["'])(.*)\1$/, "$2") };
      }),
  );
}

const allOf = (entries: (Entry | null)[]): Entry[] | null =>
  entries.length > 0 && entries.every((entry) => entry !== null) ? entries : null;

function entryOf(written: Plain): Entry | null {
  if (!isMap(written) || typeof written["name"] !== "string") return null;
  const { name, value, valueFrom } = written;
  if (isMap(valueFrom)) return { name, valueFrom };
  if (value === undefined || value === null) return { name, value: "" };
  // Variables are texts: what YAML reads as a number or a boolean would be refused.
  return typeof value === "object" ? null : { name, value: String(value) };
}

function yamlOf(text: string): unknown {
  try {
    const document = parseDocument(text, { logLevel: "silent" });
    return document.errors.length > 0 ? null : document.toJS();
  } catch {
    return null;
  }
}
