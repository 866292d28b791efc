/** Policies that guard the data contracts of an adapter's components, and their registration with governance. */
import type { Db } from "../../platform/db/database.ts";
import { isRecord } from "../../platform/lib/is-record.ts";
import type { RequestContext } from "../../platform/lib/request-context.ts";
import type { GuardianPolicy, PolicyGuardians } from "../ports.ts";
import { markGuardiansRegistered, readUnregisteredGuardians } from "./store.ts";

/** Those with an id, from the properties of a deployment. */
export function guardianPoliciesOf(properties: Record<string, unknown> | null): GuardianPolicy[] {
  const guardian = properties?.["dataContractGuardian"];
  const listed = isRecord(guardian) ? guardian["policies"] : undefined;
  return (Array.isArray(listed) ? listed.filter(isRecord) : []).flatMap((policy) => {
    const spec = isRecord(policy["spec"]) ? policy["spec"] : {};
    const id = textOf(policy["id"] ?? spec["id"]);
    if (id === undefined) return [];
    return [
      {
        id,
        resourceType: textOf(policy["resourceType"]),
        name: textOf(spec["name"]),
        description: textOf(spec["description"]),
      },
    ];
  });
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** Deployments that are looked at in one round. */
const maxDeployments = 200;

/**
 * Registers what is not registered yet. Governance has a database of its own, so this follows the commit of the
 * deployment and is done again until it has succeeded.
 */
export async function registerGuardians(
  ctx: RequestContext,
  db: Db,
  guardians: PolicyGuardians,
): Promise<void> {
  for (const deployment of await readUnregisteredGuardians(db, maxDeployments)) {
    const policies = guardianPoliciesOf(deployment.properties);
    if (policies.length > 0) await guardians.register(ctx, policies);
    await markGuardiansRegistered(db, deployment, ctx.now());
  }
}
