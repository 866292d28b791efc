/** The one door to files of locations: what may be read, from where, and with which limits, is decided here. */
import { join } from "node:path";
import type { BuilderMeans } from "../../context.ts";
import { openFileSource } from "./file-source.ts";
import { openOwnRepository, openRepository } from "./git-source.ts";
import { unreadable } from "./refusal.ts";
import type { LocationSource } from "./source.ts";
import { parseTarget, type LocationTarget } from "./target.ts";
import { openUrlSource } from "./url-source.ts";

export type SourceMeans = Pick<BuilderMeans, "outbound" | "settings">;

/**
 * Opens a location; its owner closes it. Throws a Failure (BUILDER_INVALID_LOCATION) for a target that is not sound, is
 * not allowed or is not there. Repositories that this server publishes itself are read from its disk.
 */
export async function openLocation(
  means: SourceMeans,
  target: LocationTarget,
  signal: AbortSignal,
): Promise<LocationSource> {
  const { settings, outbound } = means;
  const parsed = parseTarget(target, settings.baseUrl);
  const timeoutMs = settings.catalogue.readTimeoutMs;
  const options = { outbound, workFolder: join(settings.dataDir, "fetched"), timeoutMs, signal };
  switch (parsed.kind) {
    case "refused":
      throw unreadable("/target", parsed.reason);
    case "file":
      return openFileSource(parsed.path, settings.catalogue.folders);
    case "url":
      return openUrlSource(parsed.url, { outbound, timeoutMs, signal });
    case "own-git":
      return openOwnRepository(parsed, join(settings.dataDir, "repositories", parsed.name), options);
    default:
      return openRepository(parsed, options);
  }
}
