/** The context of every operation, and the failures for declarations that cannot be fulfilled. */
import type { Failure } from "../../../platform/errors/failure.ts";
import { invalid } from "../../kit/descriptor.ts";
import type { CallContext, JsonObject } from "../../kit/protocol.ts";
import type { Address, Session } from "../session.ts";
import type { RelationName } from "../descriptor/identifiers.ts";
import { showRelation } from "../descriptor/identifiers.ts";
import type { LiveRelation } from "../live-schema.ts";

export interface Work {
  session: Session;
  address: Address;
  log: CallContext["log"];
  /** Names the component of the unit that declares a relation which the acting component does not depend on. */
  declarer?: (relation: RelationName) => string | undefined;
}

/** The advice for a missing source. */
export const missingSource = ({ declarer }: Work, relation: RelationName): string => {
  const component = declarer?.(relation);
  return component === undefined
    ? "Name an existing table or view, or depend on the component that makes it."
    : `Add ${component}, which declares it, to dependsOn.`;
};

export const refuse = (where: string, message: string, solution?: string): Failure =>
  invalid("The component cannot be deployed as described.", [
    { where, message, ...(solution === undefined ? {} : { solution }) },
  ]);

export const refuseBlocked = (relation: RelationName, where: string, dependants: LiveRelation[]): Failure => {
  const names = dependants.map((each) => `${each.kind} ${showRelation(each)}`).join(", ");
  return invalid("Other objects of the database depend on the component's.", [
    {
      where,
      message: `${showRelation(relation)} is read by ${names}`,
      solution: "Undeploy the components that these belong to, or drop them yourself, then try again.",
    },
  ]);
};

/** The location of an object in the public info. */
export function placeOf({ address }: Work, relation: RelationName, key: "table" | "view"): JsonObject {
  return {
    host: address.host,
    port: address.port,
    database: address.database,
    schema: relation.schema,
    [key]: relation.name,
  };
}

export const countInfo = ({ rows, atLeast }: { rows: number; atLeast: boolean }): JsonObject =>
  atLeast ? { rowCount: rows, rowCountIsLowerBound: true } : { rowCount: rows };
