/** Everything shipped has phrases in which people ask for it, and every phrase belongs to something that is indexed. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tools } from "../../tools/toolbox.ts";
import asked from "./asked-as.json" with { type: "json" };
import { pagePassages } from "../passages.ts";
import { wordsOf } from "../words.ts";

const root = join(import.meta.dirname, "../../../..");
const skillsFolder = join(import.meta.dirname, "../../agents/transfer/shipped/skills");
const fewest = 5;

async function referencesOf(part: string): Promise<string[]> {
  const names = (await readdir(join(root, "docs", part))).filter((name) => name.endsWith(".md"));
  const found = await Promise.all(names.map((name) => sectionsOf(`docs/${part}/${name}`)));
  return [...new Set(found.flat())];
}

async function sectionsOf(path: string): Promise<string[]> {
  const passages = pagePassages(path, await readFile(join(root, path), "utf8"));
  return [...new Set(passages.map(({ reference }) => reference))];
}

const phrases = new Map<string, readonly string[]>(Object.entries(asked));
const needed = async (): Promise<string[]> => [
  ...tools.map(({ name }) => `platform:${name}`),
  ...(await readdir(skillsFolder)),
  ...(await referencesOf("guides")),
  ...(await glossary()),
];
const glossary = (): Promise<string[]> => sectionsOf("docs/glossary.md");

it("every shipped tool, skill and section of a guide or of the glossary has some", async () => {
  const without = (await needed()).filter((reference) => (phrases.get(reference) ?? []).length < fewest);
  expect(without, "add phrases in which people ask for these to asked-as.json").toEqual([]);
});

it("every key is something that is indexed", async () => {
  const known = new Set([...(await needed()), ...(await referencesOf("reference"))]);
  expect(
    [...phrases.keys()].filter((key) => !known.has(key)),
    "rename or remove these in asked-as.json",
  ).toEqual([]);
});

it("phrases are short, say something, and are there once", () => {
  for (const [key, texts] of phrases) {
    expect(new Set(texts).size, key).toBe(texts.length);
    for (const text of texts) {
      expect(wordsOf(text).length, text).toBeGreaterThan(0);
      expect(wordsOf(text).length, text).toBeLessThanOrEqual(24);
    }
  }
});
