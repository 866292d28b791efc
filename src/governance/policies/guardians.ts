/** Policies that adapters bring: they guard the data contracts of their components, and push what they find. */
import { writeAudit } from "../context.ts";
import { Value } from "typebox/value";
import { inTransaction, type Database, type Transaction } from "../../platform/db/database.ts";
import { isDatabaseAway } from "../../platform/db/failures.ts";
import type { RequestContext } from "../../platform/lib/request-context.ts";
import { storable } from "../../platform/lib/safe-json.ts";
import { policyId, type PolicyContent } from "./schema.ts";
import * as store from "./store.ts";

export interface Guardian {
  id: string;
  resourceType: string | undefined;
  name: string | undefined;
  description: string | undefined;
}

/** By this tag a policy is known as the record of an adapter; others with the same id belong to people. */
const tag = "data-contract-guardian";

/**
 * Passive and enabled. What adapters say anew is a new version; status and exceptions stay as people have set them. One that
 * cannot be registered is logged, and those after it are. Rejects while the database is away: they are registered later.
 */
export async function registerGuardians(
  ctx: RequestContext,
  database: Database,
  guardians: readonly Guardian[],
): Promise<void> {
  for (const guardian of guardians) {
    if (!Value.Check(policyId, guardian.id)) {
      ctx.log.warn({ policyId: guardian.id }, "a guardian has an id that no policy can have");
      continue;
    }
    await inTransaction(database, (tx) => registerOne(ctx, tx, guardian)).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      ctx.log.error({ error, policyId: guardian.id }, "a guardian could not be registered");
    });
  }
}

async function registerOne(ctx: RequestContext, tx: Transaction, guardian: Guardian): Promise<void> {
  const { id } = guardian;
  const change = { at: ctx.now(), by: ctx.actor.ref };
  const known = await store.readPolicy(tx, id);
  const content = contentOf(guardian);
  let version: number | null = null;
  if (known === null) {
    version = await store.insertPolicy(tx, { id, content }, change);
    // Another process was first.
    if (version === null) return;
    await store.updateStatus(tx, { id, from: "draft", to: "enabled", graceUntil: null }, change);
  } else {
    const isOurs = known.content.tags.includes(tag);
    if (!isOurs || isSame(known.content, content)) return;
    version = await store.raiseVersion(tx, { id, from: known.version }, change);
    if (version === null) return;
    await store.insertVersion(tx, { id, version, content: { ...known.content, ...said(guardian) } }, change);
  }
  await store.raiseRevision(tx, "policies");
  const detail = { name: content.name, version };
  await writeAudit(tx, ctx, { operation: "registerGuardian", subject: `policy:${id}`, detail });
}

const longestName = 255;
const longestText = 8_192;
const longestType = 128;

/** What the adapter says of it. */
const said = ({ id, name, description, resourceType }: Guardian) => ({
  name: storable((name?.trim() || id).slice(0, longestName)),
  ...(description === undefined ? {} : { description: storable(description.slice(0, longestText)) }),
  ...(resourceType === undefined ? {} : { resourceType: storable(resourceType.slice(0, longestType)) }),
});

const contentOf = (guardian: Guardian): PolicyContent => ({
  ...said(guardian),
  kind: "policy",
  tags: [tag],
  severity: "error",
  context: "local",
  environments: [],
  // Never evaluated here: its results are pushed.
  engine: "cel",
  spec: { assert: "true" },
  strategy: "none",
  timing: "runtime",
  trigger: "passive",
  thresholds: [],
  onError: "warn",
});

const isSame = (before: PolicyContent, now: PolicyContent): boolean =>
  before.name === now.name &&
  before.description === (now.description ?? before.description) &&
  before.resourceType === (now.resourceType ?? before.resourceType);
