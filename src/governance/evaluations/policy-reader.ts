/** Reads the policies that are evaluated; those in force are cached until a policy or an exception is changed. */
import type { Database } from "../../platform/db/database.ts";
import type { PolicyRow } from "../policies/policy.ts";
import { readInForce, readPolicies } from "../policies/store.ts";
import { engineSpecOf } from "../policies/view.ts";
import { readApproved } from "../exceptions/store.ts";
import type { ApprovedException, EvaluatedPolicy } from "./policy.ts";

export interface InForce {
  policy: EvaluatedPolicy;
  timing: "deployment" | "runtime";
  trigger: "active" | "passive";
  schedule: string | null;
  updatedAt: Date;
}

export interface PolicyReader {
  /** In grace or enabled; as they are when this is called. */
  inForce(): Promise<readonly InForce[]>;
  /** Approved exceptions that have not ended. */
  approved(now: Date): Promise<readonly ApprovedException[]>;
  /** A policy of any status; null when there is none. */
  find(id: string): Promise<InForce | null>;
}

interface Cached {
  revision: string;
  policies: readonly InForce[];
  exceptions: readonly ApprovedException[];
}

/** Each change of policies or exceptions also changes the result of `readRevision`. */
export function createPolicyReader(
  { db }: Pick<Database, "db">,
  readRevision: () => Promise<string>,
): PolicyReader {
  let cached: Cached | null = null;
  const current = async (): Promise<Cached> => {
    // Read before the rest: what is changed in between is read again at the next call.
    const revision = await readRevision();
    if (cached?.revision === revision) return cached;
    const policies = (await readInForce(db)).map(inForceOf);
    cached = { revision, policies, exceptions: await readApproved(db, new Date(0)) };
    return cached;
  };
  return {
    inForce: async () => (await current()).policies,
    approved: async (now) => (await current()).exceptions.filter(({ until }) => until > now),
    async find(id) {
      const [row] = await readPolicies(db, [id]);
      return row ? inForceOf(row) : null;
    },
  };
}

function inForceOf(row: PolicyRow): InForce {
  const { content } = row;
  const { timing, trigger, schedule = null } = content;
  const policy = {
    ...contentPolicy(row.id, row.version, content),
    status: row.status,
    graceUntil: row.graceUntil,
  };
  return { policy, timing, trigger, schedule, updatedAt: row.updatedAt };
}

/** What an evaluation has to know of the content of a policy. */
export const contentPolicy = (
  id: string,
  version: number,
  content: PolicyRow["content"],
): Omit<EvaluatedPolicy, "status" | "graceUntil"> => ({
  id,
  version,
  kind: content.kind,
  name: content.name,
  advice: content.advice ?? null,
  context: content.context,
  resourceType: content.resourceType ?? null,
  environments: content.environments,
  select: content.select ?? null,
  spec: engineSpecOf(content),
  strategy: content.strategy,
  onError: content.onError,
  thresholds: content.thresholds,
});
