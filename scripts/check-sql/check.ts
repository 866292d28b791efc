/** The check as a whole: every statement of the sources against the migrated schema. */
import type pg from "pg";
import { withBookkeeping } from "../../src/adapters/postgres/bookkeeping.ts";
import type { Database as AdapterDatabase } from "../../src/adapters/postgres/session.ts";
import type { Allowances } from "./allowances.ts";
import { compareRow, type Mismatch } from "./compare.ts";
import { createDescriber, type Describer } from "./describe.ts";
import type { Project } from "./sources.ts";
import { readStatements, type Statement, type Unreadable } from "./statements.ts";

export interface Findings {
  /** `src/x/store.ts:12 what is wrong` */
  problems: string[];
  statements: number;
  /** Texts that were prepared: conditions of the program make several of one statement. */
  texts: number;
  /** Statements whose rows have a type. */
  typed: number;
}

const fileOf = (place: string): string => place.replace(/:\d+$/, "");

/** The connection's database has the migrated schema as its search path, and belongs to the check alone. */
export async function checkSql(client: pg.Client, project: Project, allowed: Allowances): Promise<Findings> {
  await makeAdapterTables(client);
  const { statements, unreadable } = readStatements(project);
  const describer = await createDescriber(client);
  const problems = new Set(unreadableProblems(unreadable, allowed.unread));
  const unused = new Set(allowed.neverNull);
  const isAllowed = (place: string, { is, column }: Mismatch): boolean => {
    const found = allowed.neverNull.find((each) => each.path === fileOf(place) && each.column === column);
    if (is !== "null" || found === undefined) return false;
    unused.delete(found);
    return true;
  };
  for (const statement of statements) {
    const { refused, mismatches } = await checkStatement(describer, project, statement);
    for (const message of refused) problems.add(`${statement.place} PostgreSQL refuses it: ${message}`);
    for (const mismatch of mismatches)
      if (!isAllowed(statement.place, mismatch)) problems.add(`${statement.place} ${mismatch.message}`);
  }
  for (const { path, column } of unused)
    problems.add(`${path} "${column}" is not needed in allowances.ts any more.`);
  return {
    problems: [...problems],
    statements: statements.length,
    texts: statements.reduce((sum, { variants }) => sum + variants.length, 0),
    typed: statements.filter(({ claim }) => claim !== null).length,
  };
}

async function checkStatement(
  describer: Describer,
  project: Project,
  { claim, variants }: Statement,
): Promise<{ refused: string[]; mismatches: Mismatch[] }> {
  const refused: string[] = [];
  const mismatches: Mismatch[] = [];
  for (const text of variants) {
    const description = await describer.describe(text, { withColumns: claim !== null });
    if (description.is === "refused") refused.push(`${description.message}\n${text}`);
    else if (claim !== null && description.is === "columns") {
      mismatches.push(...compareRow(project, claim, description.columns));
    }
  }
  return { refused, mismatches };
}

/** What can't be read has to be allowed by its file, with how much of it there is. */
function unreadableProblems(unreadable: readonly Unreadable[], allowed: Allowances["unread"]): string[] {
  const byFile = Map.groupBy(unreadable, ({ place }) => fileOf(place));
  const files = new Set([...byFile.keys(), ...allowed.map(({ path }) => path)]);
  return [...files].flatMap((path) => {
    const found = byFile.get(path) ?? [];
    const count = allowed.find((each) => each.path === path)?.count ?? 0;
    if (found.length === count) return [];
    if (found.length > count)
      return found.map(({ place, text }) => `${place} This SQL can't be read: ${text}`);
    return [
      `${path} Only ${found.length} of ${count} statements are unreadable now: lower it in allowances.ts.`,
    ];
  });
}

/** The adapter for PostgreSQL keeps tables of its own in the database that it works in. */
async function makeAdapterTables(client: pg.Client): Promise<void> {
  const session = {
    query: async (text: string, values?: unknown[]) => (await client.query(text, values)).rows,
    lock: () => Promise.resolve(),
  };
  const database = { transaction: (_options: object, run: (own: typeof session) => unknown) => run(session) };
  await withBookkeeping(database as unknown as AdapterDatabase, {}, () => Promise.resolve());
}
