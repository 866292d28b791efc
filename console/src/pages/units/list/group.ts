import type { CoordinatorComponents } from "plinth-client";

export type UnitInEnvironment = CoordinatorComponents["schemas"]["Unit"];

export interface UnitRow {
  id: string;
  name: string | null;
  kind: string | null;
  owner: string | null;
  domain: string | null;
  updatedAt: string;
  environments: Map<string, UnitInEnvironment>;
}

/** One row for each unit, with all its environments: entries of a unit follow each other. */
export function rowsOf(entries: readonly UnitInEnvironment[]): UnitRow[] {
  const rows = new Map<string, UnitRow>();
  for (const entry of entries) {
    const { deploymentUnitId: id, name, kind, owner, domain, updatedAt } = entry;
    const row = rows.get(id);
    if (row === undefined) {
      rows.set(id, {
        id,
        name,
        kind,
        owner,
        domain,
        updatedAt,
        environments: new Map([[entry.environment, entry]]),
      });
      continue;
    }
    row.environments.set(entry.environment, entry);
    row.name ??= name;
    row.kind ??= kind;
    row.owner ??= owner;
    row.domain ??= domain;
    if (updatedAt > row.updatedAt) row.updatedAt = updatedAt;
  }
  return [...rows.values()];
}
