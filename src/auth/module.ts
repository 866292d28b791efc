/** Tokens and who the caller is: served by every process that serves an area. */
import { prefixOf } from "../platform/http/public-address.ts";
import type { SealedPlace } from "../platform/runtime/keys/sealed-place.ts";
import type { AreaModule, Platform } from "../platform/runtime/platform.ts";
import type { AuthDeps } from "./context.ts";
import type { ReadGroups } from "./ports.ts";
import { sealedSessions } from "./sessions/browser-store.ts";
import { signInProviders } from "./sign-in.ts";

export interface AuthParts {
  readGroups: ReadGroups;
  /** Of the program. */
  version: string;
  /** Where the process listens; null where it does not. */
  url: string | null;
}

export function createAuth(
  { config, database, tokens, sessions, secrets, now }: Platform,
  { readGroups, version, url }: AuthParts,
): AreaModule {
  const { server, mode, mesh } = config;
  const deps: AuthDeps = {
    database,
    tokens,
    settings: config.accessTokens,
    signIn: signInProviders(config.auth),
    readGroups,
    sessions,
    secrets,
    baseUrl: server.baseUrl,
    prefix: prefixOf(server.baseUrl),
    listensAt: url ?? `http://${server.host}:${server.port}`,
    mode,
    version,
    environments: mesh.builder.environments
      .toSorted((one, other) => one.priority - other.priority)
      .map(({ name }) => name),
  };
  return {
    async area() {
      const { authArea } = await import("./area.ts");
      return authArea(deps);
    },
    registerMetrics: async () => undefined,
    async retentionRules() {
      const { authRetention } = await import("./retention.ts");
      return authRetention(config, database.db);
    },
    async checks() {
      const { authChecks } = await import("./checks.ts");
      return authChecks(database.db, () => now().getTime());
    },
    start: async () => undefined,
    close: async () => undefined,
  };
}

/** What the area has sealed. */
export const sealedPlaces: readonly SealedPlace[] = [sealedSessions];
