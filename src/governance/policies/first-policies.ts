/** The policy that comes with the product, installed once, in grace. */
import { writeAudit } from "../context.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { Value } from "typebox/value";
import { inTransaction, type Database } from "../../platform/db/database.ts";
import type { RequestContext } from "../../platform/lib/request-context.ts";
import { newPolicyBody, type NewPolicyBody } from "./schema.ts";
import * as store from "./store.ts";

const file = join(import.meta.dirname, "../../../catalogue/policies/global-specification-compliance.yaml");
const graceDays = 90;
const dayMs = 24 * 3_600_000;

/** By the first process that asks; never again, whatever users do with the policy. */
export async function installFirstPolicies(ctx: RequestContext, database: Database): Promise<void> {
  const { id, ...content } = await readPolicyFile(file);
  await inTransaction(database, async (tx) => {
    const at = ctx.now();
    if (!(await store.markFirstStart(tx, "policies", at))) return;
    const change = { at, by: ctx.actor.ref };
    if (id === undefined || (await store.insertPolicy(tx, { id, content }, change)) === null) return;
    const graceUntil = new Date(at.getTime() + graceDays * dayMs);
    await store.updateStatus(tx, { id, from: "draft", to: "grace", graceUntil }, change);
    await store.raiseRevision(tx, "policies");
    const detail = { name: content.name, graceUntil: graceUntil.toISOString() };
    await writeAudit(tx, ctx, { operation: "installPolicy", subject: `policy:${id}`, detail });
  });
}

/** A file of ours, with the defaults of what it leaves out. */
async function readPolicyFile(path: string): Promise<NewPolicyBody> {
  const body: unknown = Value.Default(newPolicyBody, parse(await readFile(path, "utf8")));
  return Value.Parse(newPolicyBody, body);
}
