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
