/** The documentation leads where it says: links, anchors, the index of decisions, the glossary. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const listed = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));
const guides = listed("docs/guides");
const decisions = listed("docs/decisions").filter((path) => !path.endsWith("README.md"));
const pages = [".", "docs", "docs/guides", "docs/reference", "docs/decisions"].flatMap(listed);
const read = (path: string): string => readFileSync(join(root, path), "utf8");

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, "");

/** The anchors that git hosts make of headings. */
const anchorsOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );

/** Links of a page to files or headings that are not there. */
function brokenLinks(path: string, text: string): string[] {
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file = "", anchor] = link.split("#");
    const target = normalize(join(dirname(path), file));
    if (file !== "" && !existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(file === "" ? text : read(target)).includes(anchor);
  });
}

/** Files that a page links, without the anchors; a folder stands for its README. */
const linkedFrom = (path: string, text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link.split("#")[0] ?? "")
    .filter((file) => file !== "" && !/^[a-z]+:/.test(file))
    .map((file) => normalize(join(dirname(path), file)).replace(/\/$/, ""))
    .map((file) => (/\.\w+$/.test(file) ? file : join(file, "README.md")));

/** Pages that nobody finds who begins at the README. */
function orphans(all: readonly string[], textOf: (path: string) => string): string[] {
  const found = new Set<string>();
  const open = ["README.md"];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next) || !all.includes(next)) continue;
    found.add(next);
    open.push(...linkedFrom(next, textOf(next)));
  }
  return all.filter((path) => !found.has(path));
}

it("every page is found from the README", () => {
  const packages = ["packages/client", "examples/adapter"].map((folder) => join(folder, "README.md"));
  expect(orphans([...pages, ...packages], read)).toEqual([]);
});

it("finds a page that no other page links, also where it links itself", () => {
  const texts: Record<string, string> = {
    "README.md": "[a](docs/a.md) [tool](tools/x)",
    "docs/a.md": "```\n[d](d.md)\n```\n[b](b.md#there)",
    "docs/b.md": "",
    "docs/c.md": "[c](c.md) [d](d.md)",
    "docs/d.md": "",
    "tools/x/README.md": "",
  };
  expect(orphans(Object.keys(texts), (path) => texts[path] ?? "")).toEqual(["docs/c.md", "docs/d.md"]);
});

/** Releases of the platform that Plinth is compatible with, which could be taken for versions of Plinth. */
const otherRelease = /\b(?:release|before|up to|plinth) 2\.[12]\b|\b2\.[12]\.0\b/i;
const saysWhatTheyAre = (text: string): boolean =>
  !otherRelease.test(withoutCode(text)) ||
  /glossary\.md#releases-and-versions|^## Releases and versions$/m.test(text);

it.each(pages)("%s says what release 2.1 or 2.2 is, where it speaks of one", (path) => {
  expect(saysWhatTheyAre(read(path))).toBe(true);
});

it.each([
  ["Release 2.2.0 renamed it.", false],
  ["Up to release 2.1 it was so.", false],
  ["Which Plinth 2.2 applied.", false],
  ["[Release 2.2.0](../glossary.md#releases-and-versions) renamed it.", true],
  ["OAuth 2.1, and 2.2x the CPU.", true],
])("judges %j", (text, isFine) => {
  expect(saysWhatTheyAre(text)).toBe(isFine);
});

it.each(pages)("%s links only what is there", (path) => {
  expect(brokenLinks(path, read(path))).toEqual([]);
});

it.each([
  ["[x](gone.md)", ["gone.md"]],
  ["[x](guides/scaling.md#gone)", ["guides/scaling.md#gone"]],
  ["# Here\n[x](#there)", ["#there"]],
  ["# Here `it` is\n[x](#here-it-is) [y](guides/scaling.md) [z](https://example.com)", []],
])("finds the broken links of %j", (text, broken) => {
  expect(brokenLinks("docs/page.md", text)).toEqual(broken);
});

it("the index of decisions has every decision once", () => {
  const rows = /^\| \d{4}-\d\d-\d\d \| \[[^\]]+\]\(([^)]+)\) /gm;
  const links = [...read("docs/decisions/README.md").matchAll(rows)];
  const indexed = links.map(([, name = ""]) => join("docs/decisions", name));
  expect(indexed.toSorted()).toEqual(decisions.toSorted());
});

it.each(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", ...guides])("%s links the glossary", (path) => {
  expect(read(path)).toMatch(/\]\([./\w]*glossary\.md[#\w-]*\)/);
});
