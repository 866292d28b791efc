/** Operations that guides name by method and path are in the documents of the interfaces; an image has one name in its guide. */
import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (path: string): string => readFileSync(path, "utf8");

/** A guide may leave out `/api/<area>/<version>` and name parameters in its own way. */
const shapeOf = (path: string): string =>
  path
    .replaceAll(/\{[^}]*\}|<[^>]*>/g, "{}")
    .replace(/[?#].*$/, "")
    .replace(/\/$/, "");

/** Those that belong to no interface, then those of all interfaces: each also without its first words. */
const operations: string[][] = ["metrics", "healthz", "readyz"].map((name) => ["GET", name]);
for (const file of globSync("openapi/*.json")) {
  const { paths } = JSON.parse(read(file)) as { paths: Record<string, object> };
  for (const [path, methods] of Object.entries(paths)) {
    const words = shapeOf(path).split("/");
    for (const method of Object.keys(methods))
      for (const from of [1, 2, 3, 4]) operations.push([method.toUpperCase(), ...words.slice(from)]);
  }
}

const isOperation = (words: readonly string[]): boolean =>
  operations.some(
    (known) =>
      known.length === words.length && known.every((word, index) => word === words[index] || word === "{}"),
  );

function unknownOperations(text: string): string[] {
  const named = [...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^\s`]*)/g)];
  return named
    .map(([, method = "", path = ""]) => [method, ...shapeOf(path).split("/").slice(1)])
    .filter((words) => !isOperation(words))
    .map(([method, ...words]) => `${method} /${words.join("/")}`);
}

it.each(globSync("docs/guides/*.md"))("%s names operations that there are", (path) => {
  expect(unknownOperations(read(path))).toEqual([]);
});

describe("the check", () => {
  it("finds an operation that is not there", () => {
    expect(
      unknownOperations("`GET /api/builder/templates/tasks/{id}/logs` and `GET /v1/waiting?limit=1`"),
    ).toEqual(["GET /api/builder/templates/tasks/{}/logs"]);
  });
});

it("the guide of the image builds, loads and runs one image", () => {
  const names = [...read("docs/guides/image.md").matchAll(/(?:--tag |^ +)(\S*plinth:\S+)/gm)].map(
    ([, name]) => name,
  );
  expect(names.length).toBeGreaterThan(1);
  expect([...new Set(names)]).toHaveLength(1);
});

it("the guide says how a failed task of a template goes on, and not that a new run would", () => {
  const [, section = ""] =
    /## A template's task failed\n([^]*?)\n## /.exec(read("docs/guides/troubleshooting.md")) ?? [];
  expect(section).toContain("`POST /api/builder/templates/tasks/{taskId}/retry`");
  expect(section).not.toMatch(/template run` shows/);
});
