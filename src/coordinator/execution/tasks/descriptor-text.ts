/**
 * Pure. Writes a descriptor as exactly the YAML that js-yaml writes: maps, lists, plain words and sentences here, other scalars by
 * js-yaml; a value that is not supported here makes js-yaml write the whole document. It serves the engine's tasks per second
 * (bench/plan-execution.ts, about 600 µs of CPU a task), which has two such texts for each component. The text of a component with
 * a data contract takes 10 µs of CPU, and 69 µs with js-yaml; that of a few plain words 0.7 and 5.4 µs (`node bench/tricks.ts`,
 * 2026-11-29). With js-yaml alone a task costs 1.06 to 1.20 of its CPU: bench:compare, nine pairs, 2026-11-23.
 */
import { dump } from "js-yaml";

const options = { noRefs: true, lineWidth: -1 };

export function descriptorText(descriptor: object): string {
  const writer: YamlWriter = { parts: [], isUnsupported: false };
  writeBlock(writer, descriptor, "");
  return writer.isUnsupported ? dump(descriptor, options) : writer.parts.join("");
}

interface YamlWriter {
  parts: string[];
  /** A value was met that only js-yaml can write. */
  isUnsupported: boolean;
}

const indent = "  ";

/**
 * Writes a map or a list; its first line continues the current line, the further lines start at the margin.
 */
function writeBlock(writer: YamlWriter, block: object, margin: string): void {
  if (Array.isArray(block)) writeList(writer, block, margin);
  else writeMap(writer, block, margin);
}

function writeList(writer: YamlWriter, list: unknown[], margin: string): void {
  if (list.length === 0) writer.parts.push("[]\n");
  for (let index = 0; index < list.length && !writer.isUnsupported; index += 1) {
    writer.parts.push(index === 0 ? "- " : `${margin}- `);
    writeValue(writer, list[index], margin);
  }
}

function writeMap(writer: YamlWriter, map: object, margin: string): void {
  let isFirst = true;
  for (const [key, value] of Object.entries(map)) {
    if (key.length > longestKey || !isPlain(key)) writer.isUnsupported = true;
    if (writer.isUnsupported) return;
    writer.parts.push(isFirst ? key : margin + key, isFilled(value) ? `:\n${margin}${indent}` : ": ");
    isFirst = false;
    writeValue(writer, value, margin);
  }
  if (isFirst) writer.parts.push("{}\n");
}

function writeValue(writer: YamlWriter, value: unknown, margin: string): void {
  if (typeof value === "object" && value !== null) writeBlock(writer, value, margin + indent);
  else if (typeof value === "string" && isPlain(value)) writer.parts.push(value, "\n");
  else if (value === null || typeof value === "boolean" || isCount(value)) writer.parts.push(`${value}\n`);
  else writeScalar(writer, value, margin);
}

/** Lets js-yaml write the scalar as the value of a map entry, then indents it. */
function writeScalar(writer: YamlWriter, value: unknown, margin: string): void {
  const text = dump({ x: value }, options);
  // At the end of a document js-yaml adds an end marker after a text that ends in empty lines.
  if (!text.startsWith("x: ") || text.endsWith("\n...\n")) writer.isUnsupported = true;
  else writer.parts.push(text.slice("x: ".length, -1).replaceAll(/\n(?!\n|$)/g, `\n${margin}`), "\n");
}

const isFilled = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && !Object.is(value, -0);

/** js-yaml writes longer keys in another form. */
const longestKey = 100;
/** Words and sentences that js-yaml writes without quotes, and versions such as 1.2.3, which are not numbers. */
const plainText = /^(?:[A-Za-z][\w-]*(?:(?:[.:/]|[.,;]? )\w[\w-]*)*\.?|\d+\.\d+\.\d+)$/;
/** Words that some YAML parsers read as booleans or null. */
const reserved = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

const isPlain = (text: string): boolean => plainText.test(text) && !reserved.test(text);
