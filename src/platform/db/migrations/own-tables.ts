/** Pure. Which tables migrations leave behind, read from their statements. */

const statements =
  /\b(?:create\s+table\s+(?:if\s+not\s+exists\s+)?(?<made>\w+)|drop\s+table\s+(?:if\s+exists\s+)?(?<gone>\w+(?:\s*,\s*\w+)*)|alter\s+table\s+(?<old>\w+)\s+rename\s+to\s+(?<now>\w+))/gi;

/** The names of the tables after these migrations, with the table of migrations itself. */
export function tablesOf(texts: readonly string[]): Set<string> {
  const tables = new Set(["schema_migrations"]);
  for (const text of texts) {
    for (const { groups = {} } of text.replaceAll(/--[^\n]*/g, "").matchAll(statements)) {
      if (groups["made"]) tables.add(groups["made"]);
      for (const name of groups["gone"]?.split(/\s*,\s*/) ?? []) tables.delete(name);
      if (groups["old"] && groups["now"] && tables.delete(groups["old"])) tables.add(groups["now"]);
    }
  }
  return tables;
}
