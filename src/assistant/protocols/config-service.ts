/** Keys that hold any JSON value, for consoles and extensions; the assistant itself does not use them. */
import { isAllowed } from "../../platform/auth/policy.ts";
import { writeAudit } from "../../platform/db/audit.ts";
import { inTransaction } from "../../platform/db/database.ts";
import type { AssistantContext } from "../context.ts";
import { assistantFailure } from "../error-codes.ts";
import { bodyProblem, refuseProblems, jsonProblems } from "../body-problems.ts";
import { mask, unmasked, maskTexts } from "../masked-values.ts";
import { lockConfig, readConfig, upsertConfig } from "./config-store.ts";
import { isSecretName } from "../../platform/lib/secrets/secret-names.ts";

export interface ConfigEntry {
  key: string;
  value: unknown;
}

export async function setConfig(ctx: AssistantContext, { key, value }: ConfigEntry): Promise<ConfigEntry> {
  refuseProblems(jsonProblems(value, ["value"]));
  return inTransaction(ctx.assistant.database, async (tx) => {
    const stored = await lockConfig(tx, key);
    const whole = unmasked(value, stored?.value);
    const message = "is a mask without a stored value";
    refuseProblems(whole.unknown.map((place) => bodyProblem(["value", ...place], message, mask)));
    await upsertConfig(tx, { key, value: whole.value, by: ctx.actor.ref, at: ctx.now() });
    await writeAudit(tx, ctx, { operation: "setConfig", subject: `config:${key}` });
    return { key, value: viewFor(ctx, { key, value: whole.value }) };
  });
}

export async function getConfig(ctx: AssistantContext, key: string): Promise<ConfigEntry> {
  const found = await readConfig(ctx.assistant.database.db, key);
  if (found) return { key, value: viewFor(ctx, { key, value: found.value }) };
  throw assistantFailure("ASSISTANT_UNKNOWN_CONFIG_KEY", { message: `The key ${key} has not been set.` });
}

/** Whoever may set a key sees its value as it is; for all others secrets in it are masked. */
const viewFor = (ctx: AssistantContext, entry: ConfigEntry): unknown =>
  isAllowed(ctx.actor, "writeAssistantConfig") ? entry.value : maskConfig(entry);

/** Masks values under names of secrets, and all of the value where the key itself has such a name. */
const maskConfig = ({ key, value }: { key: string; value: unknown }): unknown =>
  maskTexts(value, isSecretName(key) ? "below" : "named", isSecretName);
