/** The only way to read files of locations: decides what may be read, from where, and within which limits. */
import type { BuilderDeps } from "../../context.ts";
import { hostKindOf } from "../../git/integrations.ts";
import { openFileSource } from "./file-source.ts";
import { openGitSource } from "./git-source.ts";
import { unreadable, type LocationSource } from "./source.ts";
import { parseTarget, type LocationTarget } from "./target.ts";
import { openUrlSource } from "./url-source.ts";

export type SourceDeps = Pick<BuilderDeps, "outbound" | "settings">;

/**
 * Opens a location; the caller closes it. Throws a Failure (BUILDER_INVALID_LOCATION) for a target that is
 * invalid, not allowed or does not exist. Repositories that this server publishes are read from its disk.
 */
export async function openLocation(
  deps: SourceDeps,
  target: LocationTarget,
  signal: AbortSignal,
): Promise<LocationSource> {
  const { settings, outbound } = deps;
  const parsed = parseTarget(target, {
    ownUrl: settings.baseUrl,
    hostKind: (host) => hostKindOf(settings.integrations, host),
  });
  const timeoutMs = settings.catalogue.readTimeoutMs;
  switch (parsed.kind) {
    case "refused":
      throw unreadable("/target", parsed.reason, parsed.solution);
    case "file":
      return openFileSource(parsed.path, settings.catalogue.folders);
    case "url":
      return openUrlSource(parsed.url, { outbound: outbound.locations, timeoutMs, signal });
    default:
      return openGitSource(parsed, { deps, timeoutMs, signal });
  }
}
