/** Rules on one file at a time. */
import { isTest, violationsOf, withoutComments, type SourceFile, type TidyRule } from "./source.ts";

const maxLines = 500;

const isScript = ({ path }: SourceFile): boolean => path.startsWith("scripts/") || path.startsWith("bench/");

/** A rule on the code of each chosen file, comments left out. */
export const codeRule =
  (isChosen: (file: SourceFile) => boolean, finding: { pattern: RegExp; message: string }): TidyRule =>
  (files) =>
    files
      .filter((file) => /\.(?:ts|tsx|mjs)$/.test(file.path) && isChosen(file))
      .flatMap(({ path, text }) => violationsOf(path, withoutComments(text), finding));

export const filesAreShort: TidyRule = (files) =>
  files.flatMap(({ path, text }) => {
    const count = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    return count > maxLines ? [{ path, line: maxLines, message: `${count} lines, at most ${maxLines}` }] : [];
  });

export const filesAreKebabCase: TidyRule = (files) =>
  files.flatMap(({ path }) => {
    const name = path.split("/").at(-1) ?? "";
    return /^[a-z0-9]+(?:[-.][a-z0-9]+)*\.(?:ts|tsx|mjs|sql)$/.test(name) || path.startsWith("migrations/")
      ? []
      : [{ path, line: 1, message: "file names are kebab-case" }];
  });

export const noCatchAllFolders: TidyRule = (files) =>
  files.flatMap(({ path }) =>
    /(?:^|\/)(?:utils?|helpers?|common|misc|shared)(?:\/|\.ts$)/.test(path)
      ? [{ path, line: 1, message: "split by meaning, not into utils, helpers or common" }]
      : [],
  );

export const noBarrels: TidyRule = (files) =>
  files.flatMap(({ path }) =>
    path.endsWith("/index.ts") ? [{ path, line: 1, message: "no barrels: import from the file itself" }] : [],
  );

export const noDefaultExports: TidyRule = codeRule(({ path }) => !path.endsWith(".config.ts"), {
  pattern: /^\s*export\s+default\b|\bas\s+default\b/gm,
  message: "no default exports",
});

export const environmentOnlyInConfig: TidyRule = codeRule(
  (file) =>
    !file.path.startsWith("src/platform/config/") &&
    // The last passes it on to the program that it becomes.
    !/^(?:src\/adapters\/[^/]+\/main|examples\/(?:story|[^/]+\/main)|console\/vite\.config)\.ts$|^src\/cli\/plinth\.mjs$/.test(
      file.path,
    ) &&
    !isTest(file) &&
    !isScript(file),
  {
    pattern: /\bprocess\s*(?:\.env\b|\[\s*["']env["']\s*\])|\benv\s*\}\s*=\s*process\b/g,
    message: "the environment is read in platform/config",
  },
);

const mayHoldSql = ({ path }: SourceFile): boolean =>
  /(?:^|[/-])store\.ts$/.test(path) ||
  /^src\/(?:platform\/(?:backup|db|jobs|events)|adapters)\//.test(path) ||
  path.startsWith("migrations/") ||
  // The demo looks at the data product that it has made, as its consumer would.
  path.startsWith("src/cli/demo/");

/** A statement at the beginning of a string or of a line of one, or a query builder's verb. */
export const sqlOnlyInStores: TidyRule = codeRule(
  (file) => file.path.startsWith("src/") && !mayHoldSql(file) && !isTest(file),
  {
    pattern:
      /\bsql(?:<[^`]*>)?`|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|["'`\n]\s*(?:(?:SELECT|select)\s+(?:\*|distinct\b|[\w."]+\s*(?:,|\(|\b(?:from|FROM|as|AS)\b))|(?:INSERT INTO|insert into|DELETE FROM|delete from)\s+["\w]|(?:UPDATE|update)\s+["\w.]+\s+(?:SET|set)\b|(?:CREATE|create|ALTER|alter|DROP|drop)\s+(?:TABLE|table|INDEX|index|VIEW|view|SCHEMA|schema)\s+["\w])/g,
    message: "only stores hold SQL",
  },
);

/** In an area the clock and ids come with the context, or nothing could be tested at a given moment. */
export const areasHaveNoClock: TidyRule = codeRule(
  (file) =>
    /^src\/(?:builder|assistant|coordinator|governance|data-layer|upgrade)\//.test(file.path) &&
    !isTest(file),
  {
    pattern: /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(/g,
    message: "the clock and ids come from the context and platform/lib",
  },
);

export const everyTestRuns: TidyRule = codeRule(isTest, {
  pattern:
    /\b(?:it|test|describe|suite|bench)(?:\.\w+)*\.(?:skip|only|todo|fails)\b(?!If)|\b(?:xit|xdescribe|fit|fdescribe)\(/g,
  message: "no test is skipped, singled out or left to do",
});

const markers = ["TO", "FIX", "XX", "HA"].map((start, index) => start + ["DO", "ME", "X", "CK"][index]);

export const nothingIsLeftToDo: TidyRule = (files) =>
  files.flatMap(({ path, text }) =>
    violationsOf(path, text, {
      pattern: new RegExp(String.raw`\b(?:${markers.join("|")})\b`, "g"),
      message: "do it or write an issue",
    }),
  );
