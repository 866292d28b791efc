/** Looks for secrets where they must not be. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Database } from "../../src/platform/db/database.ts";

/** The forms of a secret in JSON, in a URL, in base64 and in a binary column. */
const formsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  Buffer.from(secret).toString("hex"),
];

/** Fails with the form that was found, and what stands around it. */
export function expectNone(text: string, secrets: readonly string[], where = ""): void {
  for (const form of secrets.flatMap(formsOf)) {
    const at = text.indexOf(form);
    const found = at < 0 ? null : text.slice(Math.max(at - 120, 0), at + form.length + 40);
    expect(found, `${form} ${where}`).toBeNull();
  }
}

/** All rows as text, of all tables or of those with the names. */
export async function dumpDatabase({ pool }: Database, tables?: readonly string[]): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
       and ($1::text[] is null or table_name = any($1))`,
    [tables ?? null],
  );
  const texts: string[] = [];
  for (const { name } of rows) {
    const table = await pool.query<{ text: string }>(`select t::text as text from ${name} t`);
    texts.push(...table.rows.map(({ text }) => text));
  }
  return texts.join("\n");
}

/** The contents of all files below a folder, but those that are named. */
export async function dumpFiles(folder: string, but: readonly string[] = []): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const contents = entries
    .filter((entry) => entry.isFile() && !but.includes(entry.name))
    .map((entry) => readFile(join(entry.parentPath, entry.name), "latin1"));
  return (await Promise.all(contents)).join("\n");
}
