/** Valid values of a schema, and the ways to make one invalid, both chosen by the random numbers that are passed in. */
import type { Random } from "../crash/random.ts";
import type { ApiDocument, Schema } from "./document.ts";

export const pick = <T>(random: Random, choices: readonly T[]): T =>
  choices[Math.floor(random() * choices.length)]!;

export const chance = (random: Random, part: number): boolean => random() < part;

/** What is known to fit a property or parameter of that name: seeded ids, and what earlier answers have shown. */
export type Known = (name: string) => readonly unknown[];

interface Drawing {
  random: Random;
  document: ApiDocument;
  known: Known;
}

/** A value that fits the schema as far as its keywords are understood; the validator has the last word. */
export function drawValue(drawing: Drawing, schema: Schema, name = "", depth = 0): unknown {
  const { random, document, known } = drawing;
  const own = document.resolve(schema);
  const fitting = known(name);
  if (fitting.length > 0 && chance(random, 0.9)) return structuredClone(pick(random, fitting));
  if (own["const"] !== undefined) return own["const"];
  if (own["enum"]) return pick(random, own["enum"] as unknown[]);
  const variants = (own["anyOf"] ?? own["oneOf"]) as Schema[] | undefined;
  if (variants) return drawValue(drawing, pick(random, variants), name, depth);
  if (own["allOf"])
    return Object.assign({}, ...own["allOf"].map((each: Schema) => drawValue(drawing, each, name, depth)));
  const type: unknown = Array.isArray(own["type"]) ? pick(random, own["type"] as string[]) : own["type"];
  switch (type) {
    case "object":
      return drawObject(drawing, own, depth);
    case "array": {
      const length = Math.max(own["minItems"] ?? 0, depth > 4 ? 0 : Math.floor(random() * 3));
      return Array.from({ length: Math.min(length, own["maxItems"] ?? length) }, () =>
        drawValue(drawing, own["items"] ?? {}, name, depth + 1),
      );
    }
    case "integer":
    case "number":
      return drawNumber(random, own);
    case "boolean":
      return chance(random, 0.5);
    case "null":
      return null;
    case "string":
      return drawString(random, own);
    default:
      return pick<unknown>(random, ["text", 1, true, null, {}, []]);
  }
}

function drawObject(drawing: Drawing, schema: Schema, depth: number): object {
  const { random } = drawing;
  const required = new Set<string>(schema["required"] ?? []);
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries<Schema>(schema["properties"] ?? {})) {
    // Nothing fits a property that is only named to be refused.
    if (property["not"]) continue;
    if (required.has(name) || (depth < 5 && chance(random, 0.6)))
      value[name] = drawValue(drawing, property, name, depth + 1);
  }
  const free = schema["additionalProperties"];
  if (free && chance(random, 0.3))
    value["anything"] = drawValue(drawing, free === true ? {} : free, "", depth + 1);
  return value;
}

function drawNumber(random: Random, schema: Schema): number {
  const least =
    schema["minimum"] ?? (schema["exclusiveMinimum"] === undefined ? 0 : schema["exclusiveMinimum"] + 1);
  const most = Math.min(schema["maximum"] ?? least + 1_000, Number.MAX_SAFE_INTEGER);
  return pick(random, [least, most, Math.floor(least + random() * Math.min(most - least, 100))]);
}

const words = [
  "alpha",
  "Beta-2",
  "船",
  "urn:dmb:cmp:sea:ships:0:hull",
  "a b",
  "%",
  "x'y",
  "user:ada_lovelace",
  "é😀",
];

function drawString(random: Random, schema: Schema): string {
  const formatted: Record<string, string[]> = {
    "date-time": ["2026-11-21T10:00:00Z", "2000-01-01T00:00:00+02:00"],
    date: ["2026-11-21"],
    uri: ["http://127.0.0.1:9", "https://example.test/a?b=c"],
    uuid: ["0e2f4c1e-5f0b-4a53-9c0e-1d2b3c4d5e6f"],
    email: ["ada@example.test"],
  };
  const format = formatted[schema["format"]];
  if (format) return pick(random, format);
  const least: number = schema["minLength"] ?? 0;
  const most: number = schema["maxLength"] ?? 200;
  const candidates = [...words, "x".repeat(Math.min(most, 600)), "y".repeat(least), "1", "0-a_b.c"];
  const pattern = schema["pattern"] === undefined ? null : new RegExp(schema["pattern"], "u");
  const fits = (text: string): boolean => {
    const { length } = Array.from(text);
    return length >= least && length <= most && (pattern === null || pattern.test(text));
  };
  const fitting = candidates.filter(fits);
  return fitting.length > 0 ? pick(random, fitting) : "y".repeat(least);
}

/** Values that belong nowhere; none of them is text that no JSON layer takes. */
const junk: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  1e308,
  true,
  false,
  "",
  " ",
  "DEPLOYED",
  "deployed",
  [],
  {},
  [[[]]],
  { a: { b: [1] } },
  "x".repeat(600),
  "船".repeat(400),
  "1".repeat(400),
  "a=b",
  "%",
  "../..",
  "'; drop table units; --",
  "${jndi:ldap://x}",
  "\u202e",
  "\ud83d\ude00",
  2 ** 53,
  -0.1,
  ["x", "x"],
  "9".repeat(30_000),
];

interface Place {
  owner: object;
  key: string;
}

/** Spoils a value in one place: takes out, exchanges, adds, empties, repeats. In place; the value it becomes. */
export function spoil(random: Random, value: unknown): unknown {
  const places = placesOf(value);
  const place = places.length === 0 || chance(random, 0.05) ? null : pick(random, places);
  if (!place) return structuredClone(pick(random, junk));
  const { owner, key } = place;
  const old: unknown = Reflect.get(owner, key);
  const kind = pick(random, ["remove", "exchange", "exchange", "add", "longer", "twice", "recase", "wrap"]);
  if (kind === "remove" && !Array.isArray(owner)) Reflect.deleteProperty(owner, key);
  else if (kind === "add")
    Reflect.set(
      owner,
      Array.isArray(owner) ? String(owner.length) : "added",
      structuredClone(pick(random, junk)),
    );
  else if (kind === "longer" && typeof old === "string")
    Reflect.set(owner, key, old + "é".repeat(pick(random, [1, 300, 2_000])));
  else if (kind === "longer" && typeof old === "number") Reflect.set(owner, key, old * 1_000 + 0.5);
  else if (kind === "twice" && Array.isArray(old))
    Reflect.set(owner, key, [...(old as unknown[]), ...(old as unknown[])]);
  else if (kind === "recase" && typeof old === "string")
    Reflect.set(owner, key, old === old.toUpperCase() ? old.toLowerCase() : old.toUpperCase());
  else if (kind === "wrap")
    Reflect.set(owner, key, pick(random, [[old], { value: old }, JSON.stringify(old)]));
  else Reflect.set(owner, key, structuredClone(pick(random, junk)));
  return value;
}

function placesOf(value: unknown, depth = 0): Place[] {
  if (typeof value !== "object" || value === null || depth > 6) return [];
  return Object.entries(value).flatMap(([key, child]) => [
    { owner: value, key },
    ...placesOf(child, depth + 1),
  ]);
}
