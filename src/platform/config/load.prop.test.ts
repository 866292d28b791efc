import * as fc from "fast-check";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { stringify } from "yaml";
import { Failure } from "../errors/failure.ts";
import { editDistance } from "./hints.ts";
import { inspectConfig, loadConfig } from "./load.ts";
import { settingsJson } from "./schema/schema.ts";
import { listSettings } from "./source/schema-paths.ts";
import { substitute } from "./source/substitute.ts";
import { folderWith } from "./testdata.ts";

let cwd = "";
beforeEach(() => (cwd = folderWith({})));
const load = (text: string, env: Record<string, string> = {}) => {
  writeFileSync(join(cwd, "plinth.yaml"), text);
  return loadConfig({ files: [], env, cwd });
};

/** Texts that look like configurations: known and unknown keys, instructions, YAML's own characters. */
const names =
  "server port mesh builder environments auth providers guest default database name priority".split(" ");
const instructions =
  "$env $file $include ${A:-${B}} ${ $${ &a *a !t << ? | > __proto__ --- ... { } [ ] , #".split(" ");
const values = [
  "1",
  "1.5",
  ".nan",
  "null",
  "~",
  "true",
  "'",
  '"',
  "%YAML 1.2",
  "é",
  "\u0000",
  "\uFEFF",
  "\ud800",
];
const breaks = [": ", "- ", "\n", "\n  ", "\n    ", "\t", " "];
const words = fc.constantFrom(...names, ...instructions, ...values, ...breaks, ...breaks);
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(words, { maxLength: 40 }).map((parts) => parts.join("")),
);

const settingNames = [...new Set(listSettings(settingsJson).flatMap(({ path }) => path))];
const { document } = fc.letrec<{ document: unknown }>((tie) => ({
  document: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.double()),
    fc.array(tie("document"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...settingNames), fc.string()), tie("document"), { maxKeys: 5 }),
  ),
}));

const onlyFailures = (act: () => unknown): void => {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.code).toBe("PLATFORM_CONFIG");
    expect(error.problems.length).toBeGreaterThan(0);
    for (const { where, message } of error.problems) {
      expect(where).toMatch(/^(.+:\d+:\d+|environment:.+)$/);
      expect(message).not.toBe("");
    }
  }
};

test("no text makes the loader throw anything but a Failure with places", () => {
  fc.assert(
    fc.property(anyText, (text) => onlyFailures(() => load(text))),
    { numRuns: 1500 },
  );
});

test("no document made of settings makes the loader throw anything but a Failure", () => {
  fc.assert(
    fc.property(document, (value) => onlyFailures(() => load(stringify(value)))),
    { numRuns: 700 },
  );
});

test("no environment makes the loader throw anything but a Failure", () => {
  const name = fc.oneof(
    fc.constantFrom(
      "PLINTH_SERVER_PORT",
      "COORDINATOR_DB_PORT",
      "SQL_HOST",
      "NODE_ENV",
      "PLINTH_MODE",
      "__proto__",
    ),
    fc.string().map((text) => `PLINTH_${text}`),
  );
  fc.assert(
    fc.property(fc.dictionary(name, fc.string()), (env) => onlyFailures(() => load("", env))),
    { numRuns: 300 },
  );
});

test("a word that stands for a secret never comes back in a problem", () => {
  const secret = "Zq9Zq9Zq9";
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.constant(`${secret} `)), { maxLength: 30 }), (parts) => {
      // A secret at the place of a key is shown: the key is what the problem is about.
      const text = `adapters:\n  secret: ${parts.join("")}`;
      writeFileSync(join(cwd, "plinth.yaml"), text);
      const { problems, warnings } = inspectConfig({ files: [], env: {}, cwd });
      const about = [...problems, ...warnings].filter(({ key }) => !key.includes(secret));
      // So is the name of a file, or of a variable, that is to give the value.
      const fileNames = about.filter(
        ({ message }) =>
          !/file .*(does not exist|cannot be opened)|needs the environment variable/.test(message),
      );
      expect(JSON.stringify(fileNames)).not.toContain(secret);
    }),
    { numRuns: 500 },
  );
});

test("substitute is the identity on texts without ${, and never throws", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!text.includes("${"));
      expect(substitute(text, {})).toEqual({ text, problems: [] });
    }),
  );
  const piece = fc.constantFrom("${", "}", ":-", "A", "B", "$", "$${", "x");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const { text, problems } = substitute(pieces.join(""), { A: "1" });
      expect(typeof text).toBe("string");
      expect(Array.isArray(problems)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("editDistance is symmetric and obeys the bounds of a distance", () => {
  const short = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(short, short, (a, b) => {
      const distance = editDistance(a, b);
      expect(distance).toBe(editDistance(b, a));
      expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
      expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      expect(distance === 0).toBe(a === b);
    }),
  );
});
