/** Brings the documents of one source up to date: reads changed records and deletes those that are gone. */
import { createHash } from "node:crypto";
import type { Database } from "../../../platform/db/database.ts";
import type { KnowledgeRecord, KnowledgeSource } from "../knowledge.ts";
import { searchable } from "../words.ts";
import { readIndexed, writeBatch, type DocumentRow } from "./index-store.ts";

/** Records that are read and written together. */
const atATime = 50;

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
  const indexed = await readIndexed(database.kysely, kind);
  const changedKeys = [...versions].flatMap(([key, version]) => (indexed.get(key) === version ? [] : [key]));
  const goneKeys = [...indexed.keys()].filter((key) => !versions.has(key));
  let changed = 0;
  for (const keys of batchesOf([...goneKeys, ...changedKeys])) {
    if (!(await mayContinue())) return { isComplete: false, changed };
    const present = keys.filter((key) => versions.has(key));
    const records = present.length === 0 ? [] : await source.read(present);
    // A record that was deleted since is not read, so its documents are deleted here too.
    const there = new Set(records.map(({ key }) => key));
    const { written, deleted } = await writeBatch(database, {
      kind,
      at,
      versions: new Map(keys.map((key) => [key, there.has(key) ? (versions.get(key) ?? "") : null])),
      rows: records.flatMap(documentRows),
    });
    changed += written + deleted;
  }
  return { isComplete: true, changed };
}

function* batchesOf(keys: readonly string[]): Generator<string[]> {
  for (let start = 0; start < keys.length; start += atATime) yield keys.slice(start, start + atATime);
}

const clean = (text: string): string => text.replaceAll("\0", " ").toWellFormed();

export const documentRows = ({ key, names, passages }: KnowledgeRecord): DocumentRow[] =>
  passages.map((passage, part) => {
    const [title, body, reference] = [passage.title, passage.text, passage.reference].map(clean);
    const nameWords = searchable(names.join(" "));
    const hash = createHash("sha256")
      .update(JSON.stringify([title, body, reference, nameWords]))
      .digest("base64url");
    return {
      key,
      part,
      title: title ?? "",
      body: body ?? "",
      reference: reference ?? "",
      hash,
      titleWords: searchable(title ?? ""),
      nameWords,
      bodyWords: searchable(body ?? ""),
    };
  });
