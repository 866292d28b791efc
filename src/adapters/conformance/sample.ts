/** The default unit of a check: one component without special requirements. */
import type { JsonObject } from "../kit/protocol.ts";

/** @param id makes the unit's ids unique to one run, so that they cannot match anything deployed. */
export function sampleUnit(id: string): JsonObject {
  const unitId = `urn:dmb:dp:conformance:check-${id}:0`;
  return {
    id: unitId,
    name: `check-${id}`,
    version: "0.1.0",
    environment: "development",
    components: [
      {
        id: `urn:dmb:cmp:conformance:check-${id}:0:sample`,
        name: "sample",
        kind: "storage",
        version: "0.1.0",
        infrastructureTemplateId: "urn:dmb:itm:sample:1",
        dependsOn: [],
        specific: {},
      },
    ],
  };
}
