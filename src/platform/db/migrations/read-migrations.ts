/** The migrations that this program brings, and what each asks of the programs that run on the schema afterwards. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Migration {
  /** Name of the file: four digits, then the subject. */
  name: string;
  number: number;
  text: string;
  checksum: string;
  /**
   * The oldest program that may run on the schema afterwards, named by the newest migration that such a program knows.
   * From the header `-- compatible_from: <number>`; without one only programs that know the migration itself may.
   */
  compatibleFrom: number;
}

/** Reads the migrations in the order in which they are applied. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, name), "utf8");
      const checksum = createHash("sha256").update(text).digest("hex");
      const number = numberOf(name);
      return { name, number, text, checksum, compatibleFrom: declaredOldest(text) ?? number };
    }),
  );
}

export const numberOf = (name: string): number => Number.parseInt(name, 10);

/** The number as in file names: four digits. */
export const shownNumber = (number: number): string => String(number).padStart(4, "0");

/** What the header says, null where there is none. */
export function declaredOldest(text: string): number | null {
  const digits = /^-- compatible_from: (\d{4})$/m.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** The product's version for messages; null where package.json is missing. */
export async function productVersion(): Promise<string | null> {
  try {
    const text = await readFile(join(import.meta.dirname, "../../../../package.json"), "utf8");
    return (JSON.parse(text) as { version: string }).version;
  } catch {
    return null;
  }
}
