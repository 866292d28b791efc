/** Keys that runs read (config-keys.ts), and any others with any JSON value, for consoles and extensions. */
import { isAllowed } from "../../platform/auth/policy.ts";
import { inTransaction } from "../../platform/db/database.ts";
import { writeAudit, type AssistantContext } from "../context.ts";
import { assistantFailure } from "../error-codes.ts";
import { bodyProblem, refuseProblems, jsonProblems } from "../body-problems.ts";
import { mask, unmasked, maskTexts } from "../masked-values.ts";
import { configKeyOf, configProblems } from "./config-keys.ts";
import { lockConfig, readConfig, upsertConfig } from "./config-store.ts";
import { isSecretName } from "../../platform/lib/secrets/secret-names.ts";

export interface ConfigEntry {
  key: string;
  value: unknown;
}

export async function setConfig(ctx: AssistantContext, { key, value }: ConfigEntry): Promise<ConfigEntry> {
  refuseProblems(jsonProblems(value, ["value"]));
  const known = configKeyOf(key);
  if (known !== null) refuseProblems(configProblems(known, value, ctx.assistant.settings.runs));
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
  if (found || configKeyOf(key)) return { key, value: viewFor(ctx, { key, value: found?.value ?? null }) };
  throw assistantFailure("ASSISTANT_UNKNOWN_CONFIG_KEY", { message: `The key ${key} has not been set.` });
}

/**
 * Whoever may set a key sees its value as it is; for all others secrets in it are masked. Keys that runs read hold none, and show
 * what holds when they are not set.
 */
function viewFor(ctx: AssistantContext, entry: ConfigEntry): unknown {
  const known = configKeyOf(entry.key);
  if (known !== null) return entry.value ?? known.fallback(ctx.assistant.settings.runs);
  return isAllowed(ctx.actor, "writeAssistantConfig") ? entry.value : maskConfig(entry);
}

/** Masks values under names of secrets, and all of the value where the key itself has such a name. */
const maskConfig = ({ key, value }: { key: string; value: unknown }): unknown =>
  maskTexts(value, isSecretName(key) ? "below" : "named", isSecretName);
