/**
 * The rules of the repository as tests. Each rule is tried on planted files first, one that breaks it and one that does
 * not, so that a rule that finds nothing any more is noticed; then it is run on the repository.
 */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { functionsStandOnce, recordsAreCheckedOnce } from "./tidy/copies.ts";
import { foldersAreFew, foldersAreSmall } from "./tidy/folders.ts";
import { importsPointDown, importsFollowTheLayers, pureFilesTouchNothing } from "./tidy/import-rules.ts";
import { testsFitTheirLane, testsLeaveTheirProcess } from "./tidy/lane-rules.ts";
import { namesArePlain } from "./tidy/plain-words.ts";
import { queriesHaveTheirOwnKeys } from "./tidy/query-keys.ts";
import { readSources, type SourceFile, type TidyRule } from "./tidy/source.ts";
import { noModuleState, unusedAllowances } from "./tidy/module-state.ts";
import * as text from "./tidy/text-rules.ts";

interface RuleCase {
  name: string;
  rule: TidyRule;
  /** Path and text of files that break the rule, each on its own. */
  broken: [string, string][];
  fine: [string, string][];
}

const longText = "x\n".repeat(501);
/** Written apart, so that the rules do not find them here. */
const marker = ["TO", "DO"].join("");
const skipped = ["it.", "skip", '("x", () => {});'].join("");

/** A function that is long enough to be noticed as a copy. */
const shownFunction = (head: string, more: string): string =>
  `${head}(texts${head.startsWith("const") ? ") => " : ") "}{\n  ${more}const shown = texts.slice(0, 10).join(", ");\n` +
  "  return texts.length > 10 ? `${shown} and ${texts.length - 10} more` : shown;\n}";

const cases: RuleCase[] = [
  {
    name: "imports follow the layers",
    rule: importsFollowTheLayers,
    broken: [
      ["src/platform/errors/a.ts", 'import { b } from "../lib/b.ts";'],
      ["src/platform/http/a.ts", 'import { b } from "../db/b.ts";'],
      ["src/platform/http/a.ts", 'import type { b } from "../auth/b.ts";'],
      ["src/platform/lib/a.ts", 'export { b } from "../../builder/b.ts";'],
      ["src/platform/new-folder/a.ts", 'import { b } from "../lib/b.ts";'],
      ["src/builder/x/a.ts", 'import { b } from "../../coordinator/b.ts";'],
      ["src/builder/x/a.ts", 'const b = await import("../../coordinator/b.ts");'],
      ["src/builder/x/a.ts", 'import {\n  b,\n} from "../../assistant/b.ts";'],
      ["src/builder/x/a.ts", 'import { b } from "../../../test/support/b.ts";'],
      ["src/builder/x/a.ts", 'import { b } from "../../app.ts";'],
      ["src/adapters/mock/a.ts", 'import { b } from "../../platform/config/b.ts";'],
      ["src/adapters/mock/a.ts", 'import { b } from "../../coordinator/b.ts";'],
      ["src/odd/a.ts", 'import { b } from "../platform/lib/b.ts";'],
      ["src/reference/a.ts", 'import { b } from "../coordinator/b.ts";'],
      ["e2e/a.ts", 'import { b } from "../src/builder/b.ts";'],
      ["packages/client/src/a.ts", 'import { b } from "../../../src/builder/b.ts";'],
      ["console/src/api/a.ts", 'import { b } from "../../../src/builder/b.ts";'],
      ["console/src/pages/home/a.tsx", 'import { b } from "../units/b.ts";'],
      ["console/src/parts/a.tsx", 'import { b } from "../pages/units/b.ts";'],
    ],
    fine: [
      ["console/src/pages/home/a.tsx", 'import { b } from "../../parts/b.tsx";\nimport { c } from "./c.ts";'],
      ["src/platform/http/a.ts", 'import { b } from "../lib/b.ts";'],
      ["src/platform/jobs/a.ts", 'import { b } from "../events/b.ts";'],
      ["src/builder/x/a.ts", 'import { b } from "../y/b.ts";\nimport { c } from "../../platform/db/c.ts";'],
      ["src/builder/x/a.ts", '// import { b } from "../../coordinator/b.ts";'],
      ["src/builder/x/a.test.ts", 'import { b } from "../../../test/support/b.ts";'],
      ["src/adapters/mock/a.ts", 'import { b } from "../kit/b.ts";'],
      ["src/reference/a.ts", 'import type { b } from "../platform/http/b.ts";'],
      ["src/app.ts", 'import { b } from "./builder/b.ts";'],
      ["src/main.ts", 'import { b } from "./app.ts";'],
    ],
  },
  {
    name: "imports point from routes down to schema",
    rule: importsPointDown,
    broken: [
      ["src/builder/x/schema.ts", 'import { b } from "./store.ts";'],
      ["src/builder/x/store.ts", 'import { b } from "./service.ts";'],
      ["src/builder/x/service.ts", 'import { b } from "./routes.ts";'],
    ],
    fine: [
      ["src/builder/x/routes.ts", 'import { b } from "./service.ts";\nimport { c } from "./schema.ts";'],
    ],
  },
  {
    name: "pure files touch nothing",
    rule: pureFilesTouchNothing,
    broken: [
      ["src/coordinator/planning/a.ts", 'import { readFileSync } from "node:fs";'],
      ["src/coordinator/planning/a.ts", "const now = Date.now();"],
      ["src/coordinator/x/transitions.ts", 'import { b } from "./store.ts";'],
      ["src/builder/a.ts", "/** Pure: says so. */\nconst a = Math.random();"],
      ["src/builder/a.ts", '/** Pure. */\nimport { sql } from "../platform/db/sql.ts";'],
    ],
    fine: [
      ["src/coordinator/planning/a.ts", 'import { createHash } from "node:crypto";\nnew Date(0);'],
      ["src/builder/a.ts", "const now = Date.now();"],
    ],
  },
  {
    name: "files are short",
    rule: text.filesAreShort,
    broken: [["src/a.ts", longText]],
    fine: [["src/a.ts", longText.slice(2)]],
  },
  {
    name: "files are kebab-case",
    rule: text.filesAreKebabCase,
    broken: [
      ["src/fooBar.ts", ""],
      ["src/Foo.ts", ""],
      ["src/foo_bar.ts", ""],
    ],
    fine: [
      ["src/foo-bar.ts", ""],
      ["src/foo.db.test.ts", ""],
    ],
  },
  {
    name: "no catch-all folders",
    rule: text.noCatchAllFolders,
    broken: [
      ["src/builder/utils/a.ts", ""],
      ["src/builder/helpers.ts", ""],
      ["src/common/a.ts", ""],
    ],
    fine: [["src/builder/utilisation.ts", ""]],
  },
  {
    name: "no barrels",
    rule: text.noBarrels,
    broken: [["src/builder/index.ts", ""]],
    fine: [["src/builder/area.ts", ""]],
  },
  {
    name: "no default exports",
    rule: text.noDefaultExports,
    broken: [
      ["src/a.ts", "export default 1;"],
      ["src/a.ts", "export { a as default };"],
    ],
    fine: [
      ["vitest.config.ts", "export default {};"],
      ["src/a.ts", "export const defaults = 1;"],
    ],
  },
  {
    name: "the environment is read only in config",
    rule: text.environmentOnlyInConfig,
    broken: [
      ["src/builder/a.ts", 'const a = process.env["A"];'],
      ["src/main.ts", "const a = { ...process.env };"],
      ["src/cli/a.ts", 'const a = process["env"];'],
      ["src/cli/a.ts", "const { env } = process;"],
    ],
    fine: [
      ["src/platform/config/a.ts", "process.env"],
      ["src/adapters/mock/main.ts", "process.env"],
      ["scripts/a.ts", "process.env"],
      ["src/a.test.ts", "process.env"],
      ["src/a.ts", "// process.env"],
    ],
  },
  {
    name: "only stores hold SQL",
    rule: text.sqlOnlyInStores,
    broken: [
      ["src/builder/service.ts", "const a = sql`x`;"],
      ["src/builder/service.ts", "const a = sql<{ n: number }>`x`;"],
      ["src/builder/service.ts", 'db.selectFrom("a")'],
      ["src/builder/service.ts", 'query("select id from units")'],
      ["src/builder/service.ts", "query(`\n  INSERT INTO units VALUES (1)`)"],
      ["src/builder/service.ts", 'query("update units set a = 1")'],
      ["src/builder/service.ts", 'query("drop table units")'],
    ],
    fine: [
      ["src/builder/store.ts", "sql`x`"],
      ["src/builder/plan-store.ts", "sql`x`"],
      ["src/platform/jobs/a.ts", "sql`x`"],
      ["src/adapters/postgres/a.ts", "sql`x`"],
      ["src/builder/service.ts", 'say("select one adapter from the list")'],
      ["src/builder/service.ts", 'say("update the settings")'],
      ["src/builder/service.ts", "// select id from units"],
    ],
  },
  {
    name: "areas have no clock of their own",
    rule: text.areasHaveNoClock,
    broken: [
      ["src/builder/a.ts", "new Date()"],
      ["src/coordinator/a.ts", "Date.now()"],
      ["src/coordinator/a.ts", "randomUUID()"],
    ],
    fine: [
      ["src/builder/a.ts", "new Date(text)"],
      ["src/platform/db/a.ts", "Date.now()"],
    ],
  },
  {
    name: "tests fit their lane",
    rule: testsFitTheirLane,
    broken: [
      ["src/builder/a.test.ts", 'import { b } from "../../test/support/database.ts";'],
      ["src/builder/a.prop.test.ts", 'import { b } from "../../test/support/database.ts";'],
      ["src/builder/a.spawn.test.ts", 'import { b } from "../../test/support/database.ts";'],
      ["test/builder/a.test.ts", 'import { b } from "../crash/processes.ts";'],
      ["test/builder/a.spawn.test.ts", 'import { b } from "../crash/processes.ts";'],
      ["test/builder/a.db.test.ts", 'import "../support/database.ts";\nimport "../crash/processes.ts";'],
      ["test/builder/a.db.test.ts", 'import { b } from "./b.ts";'],
    ],
    fine: [
      ["src/builder/a.test.ts", 'import { b } from "./b.ts";'],
      ["src/builder/a.spawn.test.ts", 'import { b } from "./b.ts";'],
      ["src/builder/a.db.test.ts", 'import { b } from "../../test/support/database.ts";'],
      ["src/builder/a.prop.db.test.ts", 'import { b } from "../../test/support/database.ts";'],
      ["test/builder/a.slow.test.ts", 'import { b } from "../crash/processes.ts";'],
      ["test/builder/a.nightly.test.ts", 'import { b } from "../crash/processes.ts";'],
      ["test/builder/fixture.ts", 'import { b } from "../crash/processes.ts";'],
    ],
  },
  {
    name: "tests leave their process as it was",
    rule: testsLeaveTheirProcess,
    broken: [
      ["src/a.test.ts", 'vi.mock("./b.ts");'],
      ["test/a.ts", "vi.useFakeTimers();"],
      ["test/a.ts", 'process.chdir("/");'],
    ],
    fine: [
      ["src/a.ts", 'process.chdir("/");'],
      ["src/a.test.ts", "afterEach(() => vi.useRealTimers());\nvi.useFakeTimers();"],
    ],
  },
  {
    name: "modules keep no state",
    rule: noModuleState(),
    broken: [
      ["src/builder/a.ts", "let count = 0;"],
      ["src/builder/a.ts", "export let count: number;"],
      ["src/builder/a.ts", "const known = new Map<string, number>();"],
      ["src/builder/a.ts", "export const known: Map<string, number> = new Map();"],
      ["src/builder/a.ts", "const known = new Set();"],
      ["src/builder/a.ts", "const known = new WeakMap<object, string>();"],
      ["src/builder/a.ts", "const waiting: string[] = [];"],
      ["src/builder/a.ts", 'const known = new Set(["a"]);\nconst learn = () => known.add("b");'],
      ["src/builder/a.ts", "const running = { count: 0 };\nconst begin = () => {\n  running.count += 1;\n};"],
      ["src/builder/a.ts", "const last = { at: 0 };\nconst note = () => {\n  last.at = 1;\n};"],
      ["src/builder/a.ts", 'const texts = { a: "" };\nconst put = () => Object.assign(texts, { a: "b" });'],
      ["src/builder/a.ts", "const slots = [0];\nconst put = (n: number) => {\n  slots[n] = 1;\n};"],
      ["src/platform/lib/files/small-files.ts", "let other = 0;"],
    ],
    fine: [
      ["src/builder/a.ts", 'const known = new Set(["a", "b"]);\nconst has = (x: string) => known.has(x);'],
      ["src/builder/a.ts", "const none: readonly string[] = [];"],
      ["src/builder/a.ts", "const none: ReadonlyMap<string, string> = new Map();"],
      ["src/builder/a.ts", "function make() {\n  let count = 0;\n  const known = new Map();\n}"],
      ["src/builder/a.ts", "const limits = { most: 5 };\nconst same = limits.most === 5;"],
      ["src/builder/a.ts", "const limits = { most: 5 };\nconst over = (n: number) => limits.most <= n;"],
      ["src/builder/a.test.ts", "let server;"],
      ["src/builder/testdata.ts", "const made = new Map();"],
      ["src/platform/lib/files/small-files.ts", "let sliceBeganAt = 0;"],
    ],
  },
  {
    name: "names are plain",
    rule: namesArePlain,
    broken: [
      ["src/builder/a.ts", "const means = 1;"],
      ["src/builder/a.ts", "interface BuilderMeans {}"],
      ["src/builder/a.ts", "const a = { isTold: true };"],
      ["src/builder/a.test.ts", "function rouseAll() {}"],
      ["src/builder/open-door.ts", ""],
      ["test/faults/a.ts", "const errand = 1;"],
      ["bench/a.ts", "for (let turn = 0; ;) {}"],
      ["examples/replicas/main.ts", "function raise(house: object) {}"],
      ["scripts/a.ts", "const rooms = [];"],
    ],
    fine: [
      ["src/builder/a.ts", "// What it means is told here.\nconst deps = 1;"],
      ["src/builder/a.ts", 'const text = "told"; const pattern = /kept/; const other = `near ${text}`;'],
      ["src/builder/a.ts", "const nearest = 1; const heartbeat = 2; const meaning = 3;"],
      ["test/assistant/a.ts", "const turn = 1;"],
    ],
  },
  {
    name: "every test runs",
    rule: text.everyTestRuns,
    broken: [
      ["src/a.test.ts", skipped],
      ["src/a.test.ts", skipped.replace("skip", "only")],
      ["src/a.test.ts", skipped.replace("skip", "todo")],
      ["src/a.test.ts", skipped.replace("it.", "describe.")],
      ["src/a.test.ts", skipped.replace("it.", "test.concurrent.")],
    ],
    fine: [
      ["src/a.test.ts", skipped.replace("skip", "skipIf(!url)")],
      ["src/a.test.ts", 'it("x", () => {});'],
    ],
  },
  {
    name: "functions stand once",
    rule: functionsStandOnce,
    broken: [
      [
        "src/a.ts",
        `${shownFunction("function a", "")}\n\n${shownFunction("export function b", "// else\n  ")}\n`,
      ],
      ["src/a.ts", `${shownFunction("const a = ", "")}\n${shownFunction("const b = ", "")}\n`],
    ],
    fine: [
      ["src/a.ts", `${shownFunction("function a", "")}\n\n${shownFunction("function b", "void 0;")}\n`],
      ["src/a.test.ts", `${shownFunction("function a", "")}\n\n${shownFunction("function b", "")}\n`],
      ["src/a.ts", "const a = () => 1;\nconst b = () => 1;\n"],
    ],
  },
  {
    name: "records are checked once",
    rule: recordsAreCheckedOnce,
    broken: [
      ["src/a.ts", 'if (typeof a.b === "object" && a.b !== null && !Array.isArray(a.b)) c();'],
      ["src/a.ts", 'const is = (a) =>\n  typeof a === "object" &&\n  a !== null &&\n  !Array.isArray(a);'],
    ],
    fine: [
      ["src/platform/lib/is-record.ts", 'typeof a === "object" && a !== null && !Array.isArray(a);'],
      ["src/a.ts", 'typeof a === "object" && a !== null;'],
    ],
  },
  {
    name: "queries of the console have keys of their own",
    rule: queriesHaveTheirOwnKeys,
    broken: [
      [
        "console/src/a.ts",
        'f({ queryKey: [...keys.unit(id), "x", env],\n enabled: id !== "",\n queryFn: a });\n' +
          'f({ queryKey: [...keys.unit(unitId), "x", environment],\n queryFn: b });',
      ],
    ],
    fine: [
      [
        "console/src/a.ts",
        'f({ queryKey: [...keys.unit(id), "x", env],\n queryFn: a });\n' +
          'f({ queryKey: [...keys.unit(id), "y", env],\n queryFn: b });\n' +
          'invalidate({ queryKey: [...keys.unit(id), "x", env] });',
      ],
    ],
  },
  {
    name: "nothing is left to do",
    rule: text.nothingIsLeftToDo,
    broken: [
      ["src/a.ts", `// ${marker} later`],
      ["src/a.ts", `/* ${["FIX", "ME"].join("")} */`],
    ],
    fine: [["src/a.ts", `// ${marker.toLowerCase()}`]],
  },
];

const repository = readSources(fileURLToPath(new URL("..", import.meta.url)));

describe.each(cases)("$name", ({ rule, broken, fine }) => {
  it.each(broken)("sees what is planted in %s (%#)", (path, planted) => {
    expect(rule([{ path, text: planted }])).toHaveLength(1);
  });

  it.each(fine)("lets pass %s (%#)", (path, planted) => {
    expect(rule([{ path, text: planted }])).toEqual([]);
  });

  it("holds in the repository", () => {
    const found = rule(repository.filter(({ path }) => path !== "test/tidy.test.ts"));
    expect(found.map(({ path, line, message }) => `${path}:${line} ${message}`)).toEqual([]);
  });
});

it("sees a database behind another file of the tests", () => {
  const fixture: SourceFile = { path: "test/fixture.ts", text: 'import { b } from "./support/database.ts";' };
  const test: SourceFile = { path: "test/a.test.ts", text: 'import { fixture } from "./fixture.ts";' };
  expect(testsFitTheirLane([fixture, test])).toHaveLength(1);
});

it("reads the repository", () => {
  expect(repository.map(({ path }) => path)).toContain("src/platform/http/server.ts");
});

const folderOf = (count: number, folder: string): SourceFile[] =>
  Array.from({ length: count }, (_, index) => ({ path: `${folder}/file-${index}.ts`, text: "" }));

it("sees a folder of an area with many files, tests aside", () => {
  expect(foldersAreSmall(folderOf(13, "src/builder/x"))).toHaveLength(1);
  expect(
    foldersAreSmall([...folderOf(12, "src/builder/x"), { path: "src/builder/x/a.test.ts", text: "" }]),
  ).toEqual([]);
  expect(foldersAreSmall(repository)).toEqual([]);
});

it("sees that the areas have more folders, below them and in all", () => {
  const many = Array.from({ length: 90 }, (_, index) => folderOf(1, `src/builder/x${index}`)).flat();
  expect(foldersAreFew(many)).toHaveLength(2);
  expect(foldersAreFew(repository)).toEqual([]);
});

it("allows no state of modules that is not there", () => {
  expect(unusedAllowances(repository)).toEqual([]);
});
