/** The sources of the index (the assistant's own records, the shipped pages, the feeds of other areas), and how one is compared. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../platform/db/database.ts";
import { yieldToEventLoop } from "../../platform/lib/files/small-files.ts";
import type { RecordFeed } from "../ports.ts";
import {
  descriptorRecord,
  entityRecord,
  type KnowledgeRecord,
  type KnowledgeSource,
  pagePassages,
  skillRecord,
  toolRecord,
} from "./passages.ts";
import {
  type DocumentRow,
  readIndexed,
  readSkillSources,
  readSkillVersions,
  readToolSources,
  readToolVersions,
  writeBatch,
} from "./index-store.ts";
import { phrasesVersion } from "./phrases/asked-as.ts";
import { searchable } from "./words.ts";

export interface SourceOptions {
  database: Database;
  entities: RecordFeed;
  descriptors: RecordFeed;
  /** A folder with `guides`, `reference` and `glossary.md`; the product's own by default. */
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
    tables: ["assistant_skills"],
    versions: async () => withPhrases(await readSkillVersions(db)),
    read: async (keys) => (await readSkillSources(db, keys)).map(skillRecord),
  },
  {
    kind: "tool",
    tables: ["mcp_tools"],
    versions: async () => withPhrases(await readToolVersions(db)),
    read: async (keys) => (await readToolSources(db, keys)).map(toolRecord),
  },
  {
    kind: "entity",
    tables: entities.tables,
    versions: () => entities.versions(),
    read: async (keys) => (await entities.read(keys)).map(({ key, value }) => entityRecord(key, value)),
  },
  {
    kind: "descriptor",
    tables: descriptors.tables,
    versions: () => descriptors.versions(),
    read: async (keys) =>
      (await descriptors.read(keys)).map(({ key, id = key, value }) => descriptorRecord(key, id, value)),
  },
  pageSource(pagesFolder),
];

/** Skills and tools are read again when a release brings other phrases. */
const withPhrases = (versions: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...versions].map(([key, version]) => [key, `${version} ${phrasesVersion()}`]));

const shippedPages = join(import.meta.dirname, "../../../docs");
const pageFolders = ["guides", "reference"];
const singlePages = ["glossary.md"];
/** Fewer than of other records: a page has up to a hundred kilobytes. */
const pagesOfBatch = 4;

/** Without the folder there are no pages. */
function pageSource(folder: string): KnowledgeSource {
  return {
    kind: "page",
    tables: null,
    batchSize: pagesOfBatch,
    async versions() {
      const found = [...(await readPages(folder))];
      return new Map(
        found.map(([path, text]) => [
          path,
          createHash("sha256").update(text).update(phrasesVersion()).digest("base64url"),
        ]),
      );
    },
    async read(keys) {
      const records = keys.map(async (key) => {
        const text = await readFile(join(folder, key.slice("docs/".length)), "utf8");
        return { key, names: [key], passages: pagePassages(key, text) };
      });
      return (await Promise.all(records)).filter(({ passages }) => passages.length > 0);
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
  for (const name of singlePages) {
    const text = await readFile(join(folder, name), "utf8").catch(() => null);
    if (text !== null) pages.set(`docs/${name}`, text);
  }
  return pages;
}

// Brings the documents of one source up to date: reads changed records and deletes those that are gone.

const usualBatchSize = 50;

export interface CompareOptions {
  database: Database;
  at: Date;
  /** Called before each batch; false stops there, and the rest is done next time. */
  mayContinue: () => Promise<boolean>;
}

/** Returns whether all was compared, and how many rows have changed. */
export async function compareSource(
  source: KnowledgeSource,
  { database, at, mayContinue }: CompareOptions,
): Promise<{ isComplete: boolean; changed: number }> {
  const { kind } = source;
  const versions = await source.versions();
  const indexed = await readIndexed(database.db, kind);
  const changedKeys = [...versions].flatMap(([key, version]) => (indexed.get(key) === version ? [] : [key]));
  const goneKeys = [...indexed.keys()].filter((key) => !versions.has(key));
  let changed = 0;
  for (const keys of batchesOf([...goneKeys, ...changedKeys], source.batchSize ?? usualBatchSize)) {
    if (!(await mayContinue())) return { isComplete: false, changed };
    const present = keys.filter((key) => versions.has(key));
    const records = present.length === 0 ? [] : await source.read(present);
    // A record that was deleted after its version was listed is not among them, so its documents are deleted too.
    const there = new Set(records.map(({ key }) => key));
    const { written, deleted } = await writeBatch(database, {
      kind,
      at,
      versions: new Map(keys.map((key) => [key, there.has(key) ? (versions.get(key) ?? "") : null])),
      rows: await rowsOf(records),
    });
    changed += written + deleted;
  }
  return { isComplete: true, changed };
}

/** The words of the shipped pages alone take 60 ms and more: requests have their turns meanwhile. */
async function rowsOf(records: readonly KnowledgeRecord[]): Promise<DocumentRow[]> {
  const rows: DocumentRow[] = [];
  for (const record of records) {
    rows.push(...documentRows(record));
    await yieldToEventLoop();
  }
  return rows;
}

function* batchesOf(keys: readonly string[], size: number): Generator<string[]> {
  for (let start = 0; start < keys.length; start += size) yield keys.slice(start, start + size);
}

const clean = (text: string): string => text.replaceAll("\0", " ").toWellFormed();

/** Of "Page › Section" the section is what the passage is about, and the page where it stands. */
const titlePart = " › ";

export const documentRows = ({ key, names, passages }: KnowledgeRecord): DocumentRow[] =>
  passages.map((passage, part) => {
    const title = clean(passage.title);
    const body = clean(passage.text);
    const reference = clean(passage.reference);
    const lead = clean(passage.lead ?? "");
    const titles = title.split(titlePart);
    const titleWords = searchable(titles.at(-1) ?? "");
    const nameWords = searchable([...titles.slice(0, -1), ...names].join(" "));
    const leadWords = searchable(lead);
    const askedWords = searchable((passage.asked ?? []).join(" "));
    const hash = createHash("sha256")
      .update(JSON.stringify([title, body, reference, lead, nameWords, askedWords]))
      .digest("base64url");
    return {
      key,
      part,
      title,
      body,
      reference,
      hash,
      titleWords,
      nameWords,
      leadWords,
      askedWords,
      bodyWords: searchable(body),
    };
  });
