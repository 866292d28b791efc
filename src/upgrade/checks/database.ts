/** Pure. What the facts of the databases mean for the upgrade. */
import type { DatabaseFacts } from "../database/facts.ts";
import type { Finding } from "../finding.ts";

export const checkDatabases = (databases: readonly DatabaseFacts[]): Finding[] => {
  if (databases.length === 0)
    return [
      {
        severity: "info",
        item: "database",
        where: "database",
        message: "no database was looked at",
        solution: "Give its variables (COORDINATOR_DB_HOST, …), or --data-dir for the embedded one.",
      },
    ];
  return databases.flatMap((facts) => [
    ...checkSchema(facts),
    ...checkMigrations(facts),
    ...checkOthers(facts),
    ...checkAccess(facts),
  ]);
};

const whereOf = ({ schema }: DatabaseFacts): string => `database:${schema}`;

/** What must stop everything that would write to the database. */
export const mayWrite = (databases: readonly DatabaseFacts[]): boolean =>
  databases.every(
    ({ state, changed, unknown }) =>
      state !== "elsewhere" && state !== "foreign" && changed.length === 0 && unknown.length === 0,
  );

function checkSchema(facts: DatabaseFacts): Finding[] {
  const { state, schema, dbname, elsewhere, variables, refusal } = facts;
  const at = { severity: "breaking", where: whereOf(facts) } as const;
  if (state === "elsewhere")
    return [
      {
        ...at,
        item: "database-variables",
        message: `the schema ${schema} of the database ${dbname} is empty, while ${elsewhere.join(", ")} holds the tables of this service`,
        solution: elsewhere.map((name) => `Set ${variables}_SCHEMA=${name}.`).join(" Or: "),
      },
    ];
  if (state !== "foreign") return [];
  return [
    {
      ...at,
      item: "database",
      message: (refusal ?? "the schema belongs to another service").replace(/^The/, "the").replace(/\.$/, ""),
      solution: `Set ${variables}_SCHEMA to a schema of its own.`,
    },
  ];
}

function checkMigrations(facts: DatabaseFacts): Finding[] {
  const { state, service, open, changed, unknown } = facts;
  const at = {
    item: service === "governance" ? "governance-database" : "database",
    where: whereOf(facts),
  } as const;
  const found: Finding[] = [
    ...changed.map((name): Finding => ({
      ...at,
      severity: "breaking",
      message: `the migration ${name} was applied with another text`,
      solution: "Restore the file as it was.",
    })),
    ...unknown.map((name): Finding => ({
      ...at,
      severity: "breaking",
      message: `the migration ${name} is newer than this program`,
      solution: "Use the newer program.",
    })),
  ];
  if (state !== "ours" && state !== "missing") return found;
  if (open.length === 0) return found;
  const first = open[0]?.slice(0, 4);
  const last = open.at(-1)?.slice(0, 4);
  const how =
    state === "missing"
      ? "the schema is made"
      : `${open.length} migrations are applied (${first} to ${last})`;
  return [
    ...found,
    {
      ...at,
      severity: state === "missing" ? "info" : "warning",
      message: `${how} by apply, or by the first start, which can take minutes and is not ready meanwhile`,
      solution: "Back the database up first.",
      automatic: true,
    },
  ];
}

function checkOthers(facts: DatabaseFacts): Finding[] {
  const { others } = facts;
  if (others.length === 0 || facts.state === "foreign") return [];
  const shown = others.slice(0, 20).join(", ");
  return [
    {
      severity: "info",
      item: "database",
      where: whereOf(facts),
      message: `tables that are not ours are left alone, and are in no backup taken here: ${shown}${others.length > 20 ? ", …" : ""}`,
    },
  ];
}

function checkAccess(facts: DatabaseFacts): Finding[] {
  const { access } = facts;
  if (access === null) return [];
  const at = { item: "access", where: whereOf(facts) } as const;
  const found: Finding[] = [];
  if (access.toMove !== null && access.toMove > 0)
    found.push({
      ...at,
      severity: "warning",
      message: `${access.toMove} rows of access are on components that do not say that they are consumable; they move to their consumable subcomponents`,
      solution: "Afterwards send what changed to the infrastructure: upgrade apply --sync-access.",
      automatic: true,
    });
  for (const { environment, componentId, identities } of access.unresolved ?? [])
    found.push({
      ...at,
      severity: "breaking",
      message: `access of ${identities} ${identities === 1 ? "identity" : "identities"} to ${componentId} in ${environment} has no consumable part to go to`,
      solution:
        "Give access where it is due, then delete these rows: upgrade apply --delete-unresolved-access.",
    });
  for (const { environment, componentId, identities } of access.toSync)
    found.push({
      ...at,
      severity: "warning",
      message: `access to ${componentId} in ${environment} was moved, and the infrastructure does not know: ${identities.length} have access now`,
      solution: "Send it: upgrade apply --sync-access.",
    });
  return found;
}
