/** Reverse provisioning: the live columns of a table or view as a data contract. Reads only. */
import type { Problem } from "../../../platform/errors/failure.ts";
import { invalid } from "../../kit/descriptor.ts";
import type { JsonObject, ReverseCall, ReverseOutcome } from "../../kit/protocol.ts";
import { findRelation, readColumns } from "../live-schema.ts";
import type { LiveColumn } from "../live-schema.ts";
import { identifierProblems, schemaNameProblems, showRelation } from "../descriptor/identifiers.ts";
import { contractTypeOf } from "../descriptor/types.ts";
import type { Work } from "./work.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/**
 * @returns `updates` keyed by the fields of the entity: `spec.mesh.dataContract.schema`, and `spec.mesh.specific.*`
 * for where it was read from. `params` names `schema` and `table` (or `view`); without them the entity's own
 * `spec.mesh.specific` does.
 */
export async function reverseProvision(work: Work, call: ReverseCall): Promise<ReverseOutcome> {
  const { session, log } = work;
  const { schema, name, key } = readPlace(call);
  const live = await findRelation(session, { schema, name });
  if (!live || live.kind === "other") {
    throw invalid("There is nothing to read.", [
      {
        where: `/params/${key}`,
        message: `no table or view ${showRelation({ schema, name })} exists`,
        solution: "Name an existing schema and table or view.",
      },
    ]);
  }
  const columns = await readColumns(session, live.oid);
  for (const { name: column, type } of columns) {
    if (!contractTypeOf(type).exact)
      log("WARNING", `${column} is ${type}, which the contract cannot say; STRING stands in.`);
  }
  log("INFO", `${columns.length} columns of the ${live.kind} ${showRelation(live)} were read.`);
  const updates: JsonObject = {
    "spec.mesh.dataContract.schema": columns.map(contractColumn),
    "spec.mesh.specific.schema": schema,
  };
  if (key === "table" || key === "view") updates[`spec.mesh.specific.${key}`] = name;
  return { updates };
}

function contractColumn(column: LiveColumn): JsonObject {
  const constraint = constraintOf(column);
  return {
    name: column.name,
    ...contractTypeOf(column.type).column,
    ...(constraint === undefined ? {} : { constraint }),
    ...(column.description === null ? {} : { description: column.description }),
  };
}

function constraintOf(column: LiveColumn): string | undefined {
  if (column.primaryKey) return "PRIMARY_KEY";
  if (column.unique) return "UNIQUE";
  return column.notNull ? "NOT_NULL" : undefined;
}

function readPlace({ params, catalogInfo }: ReverseCall): { schema: string; name: string; key: string } {
  const given = params["schema"] === undefined ? specificOf(catalogInfo) : params;
  const key = ["table", "view", "target"].find((each) => given[each] !== undefined) ?? "table";
  const { schema, [key]: name } = given;
  const problems: Problem[] = [
    ...schemaNameProblems(schema, "/params/schema"),
    ...identifierProblems(name, `/params/${key}`),
  ];
  if (problems.length > 0 || typeof schema !== "string" || typeof name !== "string") {
    throw invalid("The parameters do not say what to read.", problems);
  }
  return { schema, name, key };
}

function specificOf(catalogInfo: JsonObject | undefined): JsonObject {
  let node: unknown = catalogInfo;
  for (const key of ["spec", "mesh", "specific"]) node = isRecord(node) ? node[key] : undefined;
  return isRecord(node) ? node : {};
}
