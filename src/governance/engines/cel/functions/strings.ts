/** Functions of texts, with those of the extension for strings. Positions and lengths are in code points. */
import { patternOf } from "../patterns.ts";
import { CelError, typeNameOf, type Value } from "../values.ts";
import { define, type FunctionList } from "./define.ts";
import { format } from "./format.ts";

const maxLength = 1_000_000;

export const strings: FunctionList = [
  define("string.contains(string): bool", (text: string, part: string) => text.includes(part)),
  define("string.startsWith(string): bool", (text: string, part: string) => text.startsWith(part)),
  define("string.endsWith(string): bool", (text: string, part: string) => text.endsWith(part)),
  define("matches(string, string): bool", matches),
  define("string.matches(string): bool", matches),
  define("string.charAt(int): string", charAt),
  define("string.indexOf(string): int", (text: string, part: string) => indexOf(text, part, 0n)),
  define("string.indexOf(string, int): int", indexOf),
  define("string.lastIndexOf(string): int", lastIndexOf),
  define("string.lastIndexOf(string, int): int", lastIndexOf),
  define("string.lowerAscii(): string", (text: string) =>
    text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
  ),
  define("string.upperAscii(): string", (text: string) =>
    text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
  ),
  define("string.replace(string, string): string", (text: string, from: string, to: string) =>
    replace(text, from, to, -1n),
  ),
  define("string.replace(string, string, int): string", replace),
  define("string.split(string): list", (text: string, by: string) => split(text, by, -1n)),
  define("string.split(string, int): list", split),
  define("string.substring(int): string", (text: string, from: bigint) => substring(text, from)),
  define("string.substring(int, int): string", substring),
  define("string.trim(): string", trim),
  define("string.reverse(): string", (text: string) => Array.from(text).toReversed().join("")),
  define("string.format(list): string", format),
  define("list.join(): string", (list: readonly Value[]) => join(list, "")),
  define("list.join(string): string", join),
  define("strings.quote(string): string", quote),
];

function matches(text: string, pattern: string): boolean {
  return patternOf(pattern).test(text);
}

function charAt(text: string, index: bigint): string {
  const characters = Array.from(text);
  within(index, characters.length, "charAt");
  return characters[Number(index)] ?? "";
}

function within(index: bigint, length: number, name: string): void {
  if (index < 0n || index > BigInt(length))
    throw new CelError(`${name}(${index}) is not within a text of ${length} characters`);
}

function indexOf(text: string, part: string, from: bigint): bigint {
  const characters = Array.from(text);
  within(from, characters.length, "indexOf");
  const before = characters.slice(0, Number(from)).join("").length;
  const found = text.indexOf(part, before);
  return found < 0 ? -1n : BigInt(Array.from(text.slice(0, found)).length);
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  const characters = Array.from(text);
  if (from !== undefined) within(from, characters.length, "lastIndexOf");
  const before = from === undefined ? text.length : characters.slice(0, Number(from)).join("").length;
  const found = text.lastIndexOf(part, before);
  return found < 0 ? -1n : BigInt(Array.from(text.slice(0, found)).length);
}

function replace(text: string, from: string, to: string, times: bigint): string {
  if (times === 0n) return text;
  const parts = from === "" ? ["", ...Array.from(text), ""] : text.split(from);
  const count = times < 0n ? parts.length - 1 : Math.min(Number(times), parts.length - 1);
  if (text.length + count * to.length > maxLength) throw new CelError("The text gets too long");
  const [first = "", ...rest] = parts;
  return rest.reduce((made, part, index) => `${made}${index < count ? to : from}${part}`, first);
}

function split(text: string, by: string, limit: bigint): readonly string[] {
  if (limit === 0n) return [];
  const parts = by === "" ? Array.from(text) : text.split(by);
  if (limit < 0n || BigInt(parts.length) <= limit) return parts;
  const last = Number(limit) - 1;
  return [...parts.slice(0, last), parts.slice(last).join(by)];
}

function substring(text: string, from: bigint, to?: bigint): string {
  const characters = Array.from(text);
  const end = to ?? BigInt(characters.length);
  within(from, characters.length, "substring");
  within(end, characters.length, "substring");
  if (from > end) throw new CelError(`substring(${from}, ${end}) ends before it begins`);
  return characters.slice(Number(from), Number(end)).join("");
}

/** Without what Unicode calls white space, on both ends. */
function trim(text: string): string {
  return text.replaceAll(/^\p{White_Space}+|\p{White_Space}+$/gu, "");
}

function join(list: readonly Value[], by: string): string {
  const texts = list.map((item) => {
    if (typeof item === "string") return item;
    throw new CelError(`join() takes texts, not a ${typeNameOf(item)}`);
  });
  return texts.join(by);
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["\u0007", String.raw`\a`],
  ["\b", String.raw`\b`],
  ["\f", String.raw`\f`],
  ["\n", String.raw`\n`],
  ["\r", String.raw`\r`],
  ["\t", String.raw`\t`],
  ["\v", String.raw`\v`],
  ["\\", String.raw`\\`],
  ['"', String.raw`\"`],
]);

function quote(text: string): string {
  const characters = Array.from(text.toWellFormed(), (character) => escapes.get(character) ?? character);
  return `"${characters.join("")}"`;
}
