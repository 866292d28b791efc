/** Policies, an exception, a report and a result, and what names them. */
import { hullId, unitId } from "../coordinator/ships.ts";
import type { WholeServer } from "../support/server.ts";
import type { Operation } from "./document.ts";

const spec = { assert: "has(resource.name)" };
const passive = { timing: "runtime", trigger: "passive", strategy: "none" };

export async function fillGovernance(
  server: WholeServer,
): Promise<(operation: Operation, name: string) => readonly unknown[] | null> {
  const post = async (path: string, body: object, as: "admin" | "developer" = "admin"): Promise<any> => {
    const { status, body: answer, text } = await server.governance({ method: "POST", path, body, as });
    if (status >= 300) throw new Error(`${path} answered ${status} ${text}`);
    return answer;
  };
  for (const more of [{ id: "named" }, { id: "in-force" }, { id: "pushed", ...passive }])
    await post("/policies", { name: "Named", engine: "cel", spec, ...more });
  for (const id of ["in-force", "pushed"])
    await post(`/policies/${id}/status`, { status: "enabled", reason: "Drawn." });
  const exceptions: string[] = [];
  for (const reason of ["one", "two", "three"]) {
    const body = { policyId: "named", resourceIds: [hullId], reason, until: "2999-01-01T00:00:00Z" };
    exceptions.push((await post("/exceptions", body, "developer")).id);
  }
  const descriptor = { id: unitId, name: "Ships", components: [] };
  const evaluation = { id: unitId, environment: "development", resourceType: "dataproduct", descriptor };
  const { reportId } = await post("/evaluate", evaluation);
  const ids = (path: string): unknown[] =>
    path.includes("/exceptions")
      ? [...exceptions, "none"]
      : path.includes("/evaluation-reports")
        ? [reportId, "none"]
        : path.includes("/units/")
          ? [unitId]
          : ["named", "in-force", "none"];
  const known: Record<string, readonly unknown[]> = {
    environment: ["development", "development", "moon"],
    environments: [[], ["development"]],
    descriptor: [descriptor, "name: ships"],
    previous: [descriptor],
    engine: ["cel"],
    spec: [spec, spec, { assert: "((" }],
    select: ["true"],
    kind: ["policy"],
    timing: ["deployment"],
    trigger: ["active"],
    strategy: ["default"],
    thresholds: [[]],
    everything: [false],
    version: [1],
    policy: ["named"],
    resource: [hullId],
    resourceIds: [[hullId]],
    resourceType: ["dataproduct"],
    dataProduct: [unitId, "urn:dmb:dp:sea:none:0"],
    until: ["2999-01-01T00:00:00Z"],
    outcome: [["ok"], ["error", "failed"]],
    offset: [0],
    limit: [1, 100],
  };
  const byOperation: Record<string, Record<string, readonly unknown[]>> = {
    pushResult: {
      policyId: ["pushed"],
      resourceId: [hullId],
      outcome: ["ok"],
      at: ["2026-11-22T09:30:00Z"],
      errors: [[]],
    },
    testPolicy: { policyId: ["named", "none"] },
    requestException: { policyId: ["named", "none"] },
    startEvaluation: { id: [unitId] },
    createPolicy: { id: ["drawn-1", "drawn-2", "drawn-3", "drawn-4"] },
  };
  return (operation, name) => {
    const { id, path } = operation;
    if (!path.includes("computational-governance") && !path.includes("/api/governance")) return null;
    const own = byOperation[id]?.[name];
    if (own !== undefined) return own;
    if (name === "id") return ids(path);
    return known[name] ?? null;
  };
}
