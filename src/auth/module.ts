/** Tokens and who the caller is: served by every process that serves an area. */
import type { AreaModule, Platform } from "../platform/runtime/platform.ts";
import type { AuthDeps } from "./context.ts";
import type { ReadGroups } from "./ports.ts";
import { signInProviders } from "./sign-in.ts";

export interface AuthParts {
  readGroups: ReadGroups;
}

export function createAuth(
  { config, database, tokens, now }: Platform,
  { readGroups }: AuthParts,
): AreaModule {
  const settings = config.accessTokens;
  const deps: AuthDeps = { database, tokens, settings, signIn: signInProviders(config.auth), readGroups };
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
