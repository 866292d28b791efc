import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { noFolderCircles, noImportCircles } from "./circle-rules.ts";
import { readSources, type SourceFile, type TidyRule } from "./source.ts";

/** Each with files that break the rule together, and others that do not. */
interface CircleCase {
  name: string;
  rule: TidyRule;
  broken: [string, Record<string, string>][];
  fine: [string, Record<string, string>][];
}

const cases: CircleCase[] = [
  {
    name: "no import circles, types included",
    rule: noImportCircles,
    broken: [
      ["two files", { "a.ts": 'import { b } from "./b.ts";', "b.ts": 'import { a } from "./a.ts";' }],
      ["types", { "a.ts": 'import type { B } from "./b.ts";', "b.ts": 'import type { A } from "./a.ts";' }],
      [
        "a type of an import",
        { "a.ts": 'type B = import("./b.ts").B;', "b.ts": 'import { a } from "./a.ts";' },
      ],
      ["an export", { "a.ts": 'export { b } from "./b.ts";', "b.ts": 'export type { A } from "./a.ts";' }],
      ["a late import", { "a.ts": 'await import("./b.ts");', "b.ts": 'import type { A } from "./a.ts";' }],
      ["itself", { "a.ts": 'import { a } from "./a.ts";' }],
      [
        "a long way over folders",
        {
          "x/a.ts": 'import { b } from "../y/b.ts";',
          "y/b.ts": 'import {\n  c,\n} from "./c.ts";',
          "y/c.ts": 'import { d } from "../d.ts";',
          "d.ts": 'import { a } from "./x/a.ts";\nimport { e } from "./e.ts";',
          "e.ts": "",
        },
      ],
      [
        "two ways in one group, once",
        {
          "a.ts": 'import { b } from "./b.ts";\nimport { c } from "./c.ts";',
          "b.ts": 'import { a } from "./a.ts";',
          "c.ts": 'import { a } from "./a.ts";',
        },
      ],
    ],
    fine: [
      [
        "two ways to one file",
        {
          "a.ts": 'import { b } from "./b.ts";\nimport { c } from "./c.ts";',
          "b.ts": 'import { c } from "./c.ts";',
          "c.ts": 'import { readFile } from "node:fs";\nimport pg from "pg";',
        },
      ],
      ["a comment", { "a.ts": 'import { b } from "./b.ts";', "b.ts": '// import { a } from "./a.ts";' }],
      ["a test", { "a.ts": "", "a.test.ts": 'import { a } from "./a.ts";' }],
    ],
  },
  {
    name: "no circles between folders",
    rule: noFolderCircles,
    broken: [
      [
        "two folders by other files",
        {
          "x/a.ts": 'import { b } from "../y/b.ts";',
          "y/b.ts": "",
          "y/c.ts": 'import type { D } from "../x/inner/d.ts";',
          "x/inner/d.ts": "",
        },
      ],
      [
        "three folders",
        {
          "x/a.ts": 'import { b } from "../y/b.ts";',
          "y/b.ts": 'import { c } from "../z/c.ts";',
          "z/c.ts": 'import { d } from "../x/d.ts";',
          "x/d.ts": "",
        },
      ],
    ],
    fine: [
      [
        "one direction",
        { "x/a.ts": 'import { b } from "../y/b.ts";', "x/c.ts": "", "y/b.ts": 'import { d } from "./d.ts";' },
      ],
      [
        "a folder and its own inner folder",
        { "x/a.ts": 'import { b } from "./inner/b.ts";', "x/inner/b.ts": 'import { c } from "../c.ts";' },
      ],
      [
        "a test",
        { "x/a.ts": 'import { b } from "../y/b.ts";', "y/b.test.ts": 'import { a } from "../x/a.ts";' },
      ],
    ],
  },
];

const repository = readSources(fileURLToPath(new URL("../..", import.meta.url)));
const below = (files: Record<string, string>): SourceFile[] =>
  Object.entries(files).map(([path, text]) => ({ path: `src/platform/${path}`, text }));

describe.each(cases)("$name", ({ rule, broken, fine }) => {
  it.each(broken)("sees %s", (_name, files) => expect(rule(below(files))).toHaveLength(1));

  it.each(fine)("lets pass %s", (_name, files) => expect(rule(below(files))).toEqual([]));

  it("holds in the repository", () => expect(rule(repository).map(({ message }) => message)).toEqual([]));
});

it("shows a way around", () => {
  const files = { "a.ts": 'import { b } from "./b.ts";', "b.ts": 'import { a } from "./a.ts";' };
  expect(noImportCircles(below(files))).toEqual([
    {
      path: "src/platform/a.ts",
      line: 1,
      message: "imports itself: src/platform/a.ts → src/platform/b.ts → src/platform/a.ts",
    },
  ]);
});
