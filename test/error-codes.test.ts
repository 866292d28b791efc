/** Every code that the source can throw is in a table, every code of a table is thrown, and the page has them all. */
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const pattern =
  /"((?:PLATFORM|AUTH|BUILDER|ASSISTANT|COORD|CGP|GRAPHQL|DATA_LAYER|PERSISTED_QUERY|CLI|UPGRADE)_[A-Z][A-Z_]*|(?:model|run)_[a-z_]+|context_too_long|content_filtered)"/g;
/** Environment variables, channels, a type of problems and a code of OpenAI that look like codes. */
const noCode =
  /^PLATFORM_DB_|^CGP_DB$|^CGP_SQL_HOST$|^AUTH_SECRET$|^PLATFORM_SERVICES$|^model_attributes_type$|^model_not_found$/;

const source = new Map(
  globSync("src/**/*.ts")
    .filter((path) => !path.endsWith(".test.ts"))
    .map((path) => [path, readFileSync(path, "utf8")]),
);
const used = new Map<string, string>();
for (const [path, text] of source) {
  for (const [, code = ""] of text.matchAll(pattern)) if (!noCode.test(code)) used.set(code, path);
}
const page = readFileSync("docs/reference/errors.md", "utf8");
const listed = new Set([...page.matchAll(/^\| `([A-Za-z_]+)` \|/gm)].map(([, code = ""]) => code));

it("lists every code that is thrown", () => {
  expect(used.size).toBeGreaterThan(40);
  expect([...used].filter(([code]) => !listed.has(code))).toEqual([]);
});

it("lists no code that nothing throws", () => {
  const text = [...source.values()].join("\n");
  const orphans = [...listed].filter((code) => !used.has(code) && !text.includes(`httpErrors.${code}`));
  expect(orphans).toEqual([]);
});
