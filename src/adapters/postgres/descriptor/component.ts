/**
 * Parses a component of a descriptor into what it declares in PostgreSQL, with every problem of its text.
 * Pure.
 */
import type { Problem } from "../../../platform/errors/failure.ts";
import { listComponents } from "../../kit/descriptor.ts";
import type { JsonObject } from "../../kit/protocol.ts";
import { postgresLimits } from "../limits.ts";
import {
  identifierProblems,
  relationNameProblems,
  sameRelation,
  schemaNameProblems,
  showRelation,
} from "./identifiers.ts";
import type { RelationName } from "./identifiers.ts";
import { insertTarget, readWorkloadSql } from "./sql-text.ts";
import type { WorkloadSql } from "./sql-text.ts";
import { readColumnType } from "./types.ts";
import type { Column } from "./types.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/** The owner of an object. The same component in another environment is another owner. */
export interface Owner {
  environment: string;
  unitId: string;
  componentId: string;
}

interface Common {
  owner: Owner;
  /** JSON pointer of the component inside the unit. */
  pointer: string;
  dependsOn: string[];
}

export interface Storage extends Common {
  kind: "storage";
  relation: RelationName;
  columns: Column[];
  description: string | undefined;
}

export interface OutputPort extends Common {
  kind: "outputport";
  relation: RelationName;
  source: RelationName;
  columns: Column[];
  description: string | undefined;
}

export interface Workload extends Common {
  kind: "workload";
  mode: "once" | "materialized-view";
  /** The table that is filled, or the materialised view. */
  relation: RelationName;
  sql: WorkloadSql;
  sqlText: string;
  /**
   * What happens to existing rows when the SQL of mode once changes; default: replace the workload's own
   * rows.
   */
  onChange: "replace" | "append" | undefined;
}

export type Declared = Storage | OutputPort | Workload;

interface Reading {
  component: JsonObject;
  specific: JsonObject;
  pointer: string;
  problems: Problem[];
}

export interface ReadOptions {
  /** The database that the adapter works in; a component may name it but not another. */
  database: string;
}

const kinds: Record<string, Declared["kind"]> = {
  storage: "storage",
  storagearea: "storage",
  workload: "workload",
  outputport: "outputport",
};

/** @returns what the component declares, or every problem of its text. */
export function readComponent(
  unit: JsonObject,
  found: { component: JsonObject; pointer: string },
  options: ReadOptions,
): { declared?: Declared; problems: Problem[] } {
  const { component, pointer } = found;
  const problems: Problem[] = [];
  const kind =
    kinds[
      String(component["kind"])
        .toLowerCase()
        .replaceAll(/[\s_-]/g, "")
    ];
  if (kind === undefined) {
    problems.push({ where: `${pointer}/kind`, message: "is not one of storage, workload, outputport" });
  }
  const specific = component["specific"];
  if (!isRecord(specific)) {
    problems.push({ where: `${pointer}/specific`, message: "must be an object" });
  }
  const common = readCommon(unit, component, { pointer, problems });
  if (kind === undefined || !isRecord(specific)) return { problems };
  const database = specific["database"] ?? options.database;
  if (database !== options.database) {
    const message = "names another database than the one that this adapter works in";
    problems.push({
      where: `${pointer}/specific/database`,
      message,
      solution: "Leave it out or use that one.",
    });
  }
  const reading: Reading = { component, specific, pointer, problems };
  const declared = readers[kind](reading, common);
  return problems.length > 0 || declared === undefined ? { problems } : { declared, problems };
}

const readers: Record<Declared["kind"], (reading: Reading, common: Common) => Declared | undefined> = {
  storage: readStorage,
  outputport: readOutputPort,
  workload: readWorkload,
};

function readCommon(
  unit: JsonObject,
  component: JsonObject,
  { pointer, problems }: { pointer: string; problems: Problem[] },
): Common {
  const text = (value: unknown, where: string): string => {
    if (typeof value === "string" && value !== "" && !value.includes("\0")) return value;
    problems.push({ where, message: "must be non-empty text" });
    return "";
  };
  const dependsOn = component["dependsOn"] ?? [];
  if (!Array.isArray(dependsOn) || dependsOn.some((id) => typeof id !== "string")) {
    problems.push({ where: `${pointer}/dependsOn`, message: "must be a list of component ids" });
  }
  return {
    owner: {
      environment: text(unit["environment"], "/environment"),
      unitId: text(unit["id"], "/id"),
      componentId: text(component["id"], `${pointer}/id`),
    },
    pointer,
    dependsOn: Array.isArray(dependsOn) ? dependsOn.filter((id) => typeof id === "string") : [],
  };
}

/**
 * Reads `specific.schema` and the relation's own name; returns the text even when wrong, so that parsing
 * continues.
 */
function readRelation({ specific, pointer, problems }: Reading, key: string): RelationName {
  const { schema, [key]: name } = specific;
  problems.push(
    ...schemaNameProblems(schema, `${pointer}/specific/schema`),
    ...relationNameProblems(name, `${pointer}/specific/${key}`),
  );
  return { schema: String(schema), name: String(name) };
}

const descriptionOf = ({ component }: Reading): string | undefined => {
  const { description } = component;
  return typeof description === "string" && description !== "" ? description.slice(0, 2000) : undefined;
};

function readStorage(reading: Reading, common: Common): Storage {
  const relation = readRelation(reading, "table");
  const columns = readColumns(reading);
  return { kind: "storage", ...common, relation, columns, description: descriptionOf(reading) };
}

function readOutputPort(reading: Reading, common: Common): OutputPort {
  const { specific, pointer, problems } = reading;
  const relation = readRelation(reading, "view");
  const columns = readColumns(reading);
  const source = isRecord(specific["source"]) ? specific["source"] : {};
  const schema = source["schema"] ?? specific["schema"];
  problems.push(
    ...(source["schema"] === undefined
      ? []
      : schemaNameProblems(schema, `${pointer}/specific/source/schema`)),
    ...identifierProblems(source["table"], `${pointer}/specific/source/table`),
  );
  const from = { schema: String(schema), name: String(source["table"]) };
  if (sameRelation(from, relation)) {
    problems.push({ where: `${pointer}/specific/source`, message: "is the view itself" });
  }
  return {
    kind: "outputport",
    ...common,
    relation,
    source: from,
    columns,
    description: descriptionOf(reading),
  };
}

function readWorkload(reading: Reading, common: Common): Workload | undefined {
  const { specific, pointer, problems } = reading;
  const relation = readRelation(reading, "target");
  const { mode, sql, onChange } = specific;
  if (mode !== "once" && mode !== "materialized-view") {
    problems.push({ where: `${pointer}/specific/mode`, message: "is not one of once, materialized-view" });
  }
  if (onChange !== undefined && onChange !== "replace" && onChange !== "append") {
    problems.push({ where: `${pointer}/specific/onChange`, message: "is not one of replace, append" });
  }
  const where = `${pointer}/specific/sql`;
  if (typeof sql !== "string" || sql.length > postgresLimits.sqlChars || sql.includes("\0")) {
    problems.push({ where, message: `must be text of at most ${postgresLimits.sqlChars} characters` });
    return undefined;
  }
  const read = readWorkloadSql(sql);
  if ("problem" in read) {
    problems.push({ where, message: read.problem });
    return undefined;
  }
  if (mode !== "once" && mode !== "materialized-view") return undefined;
  if (read.insert && mode === "materialized-view") {
    problems.push({ where, message: "must be a query, as a materialised view is filled by it" });
  } else if (read.insert && !sameRelation(insertTarget(read.insert, relation.schema), relation)) {
    problems.push({ where, message: `inserts into another table than the target ${showRelation(relation)}` });
  }
  const change = onChange === "replace" || onChange === "append" ? onChange : undefined;
  return { kind: "workload", ...common, mode, relation, sql: read, sqlText: sql, onChange: change };
}

function readColumns({ component, pointer, problems }: Reading): Column[] {
  const contract = component["dataContract"];
  const schema = isRecord(contract) ? contract["schema"] : undefined;
  const where = `${pointer}/dataContract/schema`;
  if (!Array.isArray(schema) || schema.length === 0) {
    problems.push({ where, message: "must list at least one column" });
    return [];
  }
  if (schema.length > postgresLimits.columns) {
    problems.push({ where, message: `lists more than ${postgresLimits.columns} columns` });
    return [];
  }
  const columns: Column[] = [];
  const seen = new Map<string, number>();
  schema.forEach((raw: unknown, index) => {
    const at = `${where}/${index}`;
    const name = isRecord(raw) ? raw["name"] : undefined;
    if (isRecord(raw)) problems.push(...identifierProblems(name, `${at}/name`));
    const read = readColumnType(raw, at);
    problems.push(...read.problems);
    if (typeof name === "string") {
      const first = seen.get(name);
      if (first === undefined) seen.set(name, index);
      else problems.push({ where: `${at}/name`, message: `repeats the name of column ${first}` });
    }
    if (read.column) columns.push(read.column);
  });
  return columns;
}

/**
 * The valid declarations of the other components of the unit that this adapter serves too, by id in lower
 * case. A component counts as served when its template is the acting component's or is named after postgres.
 */
export function readSiblings(
  unit: JsonObject,
  acting: JsonObject,
  options: ReadOptions,
): Map<string, Declared> {
  const siblings = new Map<string, Declared>();
  for (const found of listComponents(unit)) {
    const template = String(found.component["infrastructureTemplateId"]);
    const served = template === String(acting["infrastructureTemplateId"]) || /postgres/i.test(template);
    if (!served || found.component === acting) continue;
    const { declared } = readComponent(unit, found, options);
    if (declared) siblings.set(declared.owner.componentId.toLowerCase(), declared);
  }
  return siblings;
}
