/** Wire shapes of a unit in all environments, and of the facets of the list of units. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../../platform/http/schema.ts";
import { unitFailure, unitFilters, unitStatusWord } from "../schema.ts";

const text = Nullable(Type.String());
const time = Type.String({ format: "date-time" });
const operationStatus = Type.Enum([
  "SCHEDULED",
  "RUNNING",
  "SUCCEEDED",
  "FAILED",
  "TERMINATING",
  "TERMINATED",
]);
const driftWord = Type.Enum(["NO_DRIFT", "DRIFTED", "UNKNOWN"]);

const activeOperation = Type.Object({
  operationId: Type.String(),
  executionPlanId: Type.String({ description: "Token of its plan." }),
  provisioningAction: Type.Enum(["DEPLOY", "UNDEPLOY"]),
  status: operationStatus,
  originatorUri: Type.String(),
  startTime: time,
});

const drift = Type.Object(
  {
    driftCheckId: Type.String(),
    result: driftWord,
    checkedAt: time,
    isOutdated: Type.Boolean({ description: "The unit has been changed since." }),
  },
  { description: "The last drift check that has ended; null where none has." },
);

const unitInEnvironment = Type.Object({
  environment: Type.String(),
  known: Type.Boolean({ description: "False where no operation was ever started on the unit there." }),
  status: unitStatusWord,
  descriptorVersion: Type.String(),
  since: Nullable(Type.String({ format: "date-time", description: "Since when it has this status." })),
  executionPlanId: Nullable(Type.String({ description: "Token of its last plan." })),
  executionPlanStatus: text,
  active: Nullable(activeOperation),
  queuedOperations: Type.Integer({ description: "Operations that wait for their turn." }),
  drift: Nullable(drift),
  failure: Nullable(unitFailure),
});

const componentInEnvironment = Type.Object({
  environment: Type.String(),
  status: unitStatusWord,
  descriptorVersion: Type.String(),
  since: Nullable(Type.String({ format: "date-time", description: "Null for one that was never changed." })),
  executionPlanId: Nullable(Type.String({ description: "Token of the plan that changed it last." })),
  drift: Nullable(driftWord),
  failure: Nullable(unitFailure),
});

export const unitEnvironments = Type.Object({
  deploymentUnitId: Type.String(),
  name: text,
  kind: text,
  owner: text,
  domain: text,
  environments: Type.Array(unitInEnvironment, {
    description: "Every configured environment, in the order of the configuration.",
  }),
  components: Type.Array(
    Type.Object({
      componentId: Type.String(),
      environments: Type.Array(componentInEnvironment, {
        description: "Those in which it is known, in the same order.",
      }),
    }),
    { description: "Every component of the unit in any environment." },
  ),
});
export type UnitEnvironments = Static<typeof unitEnvironments>;

export const unitFacetsQuery = Type.Object({
  ...unitFilters,
  limit: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 50,
    description: "Values of each facet, the most frequent first.",
  }),
});
export type UnitFacetsRequest = Static<typeof unitFacetsQuery>;

const facet = Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }));

export const unitFacets = Type.Object({
  total: Type.Integer({ description: "Units that match all filters." }),
  facets: Type.Object(
    { status: facet, environment: facet, owner: facet, domain: facet, kind: facet },
    { description: "Each is counted with all filters but its own. Units without a value are not in it." },
  ),
});
