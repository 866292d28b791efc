/** Keys that hold any JSON value, for consoles and extensions; the assistant itself gives them no meaning. */
import { writeAudit } from "../../platform/db/audit.ts";
import { inTransaction } from "../../platform/db/database.ts";
import type { AssistantContext } from "../context.ts";
import { assistantFailure } from "../error-codes.ts";
import { refuseProblems } from "../input-problem.ts";
import { jsonProblems } from "../json-value.ts";
import { readConfig, upsertConfig } from "./store.ts";

export interface ConfigEntry {
  key: string;
  value: unknown;
}

export async function setConfig(ctx: AssistantContext, { key, value }: ConfigEntry): Promise<ConfigEntry> {
  refuseProblems(jsonProblems(value, ["value"]));
  await inTransaction(ctx.assistant.database, async (tx) => {
    await upsertConfig(tx, { key, value, by: ctx.actor.ref, at: ctx.now() });
    await writeAudit(tx, ctx, { operation: "setConfig", subject: `config:${key}` });
  });
  return { key, value };
}

export async function getConfig(ctx: AssistantContext, key: string): Promise<ConfigEntry> {
  const found = await readConfig(ctx.assistant.database.kysely, key);
  if (found) return { key, value: found.value };
  throw assistantFailure("ASSISTANT_UNKNOWN_CONFIG_KEY", { message: `The key ${key} has not been set.` });
}
