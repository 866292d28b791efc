/** Reads what the configuration stored over HTTP limits in runs. */
import type { Db } from "../../platform/db/database.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import type { RunLimits, RunSettings } from "../settings.ts";
import { configKeys, limitsOf } from "./config-keys.ts";
import { readConfigs } from "./config-store.ts";

/** A value that can't be read, such as one of an older program, limits nothing; the log says so. */
export async function readLimits(
  { db, log }: { db: Db; log: Logger },
  settings: RunSettings,
): Promise<RunLimits> {
  const { limits, invalid } = limitsOf(await readConfigs(db, Object.keys(configKeys)), settings);
  for (const key of invalid) {
    log.warn(
      { key },
      "a value of the assistant's configuration is not valid and has no effect; set it again",
    );
  }
  return limits;
}
