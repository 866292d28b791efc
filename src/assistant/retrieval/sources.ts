/** The sources of the index: the assistant's own records, the shipped pages, and the feeds of other areas. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../platform/db/database.ts";
import { readTableMark } from "../../platform/db/table-mark.ts";
import type { RecordFeed } from "../ports.ts";
import { type KnowledgeSource, pagePassages } from "./passages.ts";
import { readSkillSources, readSkillVersions, readToolSources, readToolVersions } from "./index-store.ts";
import { descriptorRecord, entityRecord, skillRecord, toolRecord } from "./records.ts";

export interface SourceOptions {
  database: Database;
  entities: RecordFeed;
  descriptors: RecordFeed;
  /** A folder with `guides` and `reference`; the product's own by default. */
  pagesFolder?: string;
}

export const createSources = ({
  database: { db },
  entities,
  descriptors,
  pagesFolder = shippedPages,
}: SourceOptions): KnowledgeSource[] => [
  {
    kind: "skill",
    mark: () => readTableMark(db, ["assistant_skills"]),
    versions: () => readSkillVersions(db),
    read: async (keys) => (await readSkillSources(db, keys)).map(skillRecord),
  },
  {
    kind: "tool",
    mark: () => readTableMark(db, ["mcp_tools"]),
    versions: () => readToolVersions(db),
    read: async (keys) => (await readToolSources(db, keys)).map(toolRecord),
  },
  {
    kind: "entity",
    mark: () => entities.mark(),
    versions: () => entities.versions(),
    read: async (keys) => (await entities.read(keys)).map(({ key, value }) => entityRecord(key, value)),
  },
  {
    kind: "descriptor",
    mark: () => descriptors.mark(),
    versions: () => descriptors.versions(),
    read: async (keys) =>
      (await descriptors.read(keys)).map(({ key, id = key, value }) => descriptorRecord(key, id, value)),
  },
  pageSource(pagesFolder),
];

const shippedPages = join(import.meta.dirname, "../../../docs");
const pageFolders = ["guides", "reference"];

/** Without the folder there are no pages. */
function pageSource(folder: string): KnowledgeSource {
  let read: Promise<Map<string, string>> | undefined;
  const pages = (): Promise<Map<string, string>> => (read ??= readPages(folder));
  return {
    kind: "page",
    mark: async () => null,
    async versions() {
      const found = [...(await pages())];
      return new Map(
        found.map(([path, text]) => [path, createHash("sha256").update(text).digest("base64url")]),
      );
    },
    async read(keys) {
      const known = await pages();
      return keys.flatMap((key) => {
        const passages = pagePassages(key, known.get(key) ?? "");
        return passages.length === 0 ? [] : [{ key, names: [key], passages }];
      });
    },
  };
}

async function readPages(folder: string): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const part of pageFolders) {
    const names = await readdir(join(folder, part)).catch(() => []);
    for (const name of names.filter((each) => each.endsWith(".md")).sort()) {
      pages.set(`docs/${part}/${name}`, await readFile(join(folder, part, name), "utf8"));
    }
  }
  return pages;
}
