import type { Mode } from "../schema.ts";
import type { AuthSettings, GuestSettings, OidcSettings, ServiceSettings } from "../schema-auth.ts";
import type { Path } from "../source/located.ts";
import type { Report } from "./report.ts";

export interface ActiveProviders {
  guest?: GuestSettings;
  service?: ServiceSettings;
  oidc?: OidcSettings;
}

const providerNames = ["guest", "service", "oidc"] as const;
type ProviderName = (typeof providerNames)[number];

export interface AuthSituation {
  mode: Mode;
  /** Whether the server listens on a loopback address only. */
  loopbackOnly: boolean;
  /** Whether somebody wrote `auth.environment`; its default is not the same as choosing `default`. */
  environmentIsSet: boolean;
  /** False when the schema found something wrong inside a provider: then only the keys are looked at. */
  entriesAreValid?: boolean;
}

const builtInGuest: GuestSettings = {
  dangerouslyAllowInProduction: false,
  userEntityRef: "user:default/guest",
  roles: ["admin"],
};

/**
 * Which providers apply: those with a key that equals `auth.environment`. Nothing falls back to another key, and
 * the built-in guest steps in only when no provider is configured at all, never when keys do not match.
 */
export function chooseProviders(
  auth: AuthSettings,
  situation: AuthSituation,
  report: Report,
): ActiveProviders {
  const configured = providerNames.filter((name) => Object.keys(auth.providers[name] ?? {}).length > 0);
  if (configured.length === 0) return withoutProviders(auth, situation, report);
  const active: ActiveProviders = {};
  const reported = reportOldDefault(auth, { configured, situation, report });
  for (const name of configured) {
    const settings = ownKey(auth, name, auth.environment);
    if (settings) Object.assign(active, { [name]: settings });
  }
  if (Object.keys(active).length === 0 && !reported) {
    const found = [...new Set(configured.flatMap((name) => Object.keys(auth.providers[name] ?? {})))];
    report.problem(["auth", "environment"], {
      message: `is ${auth.environment}, but no provider has settings for it; there are settings for ${found.join(", ")}`,
      solution: `Set auth.environment to one of these, or add auth.providers.<provider>.${auth.environment}.`,
    });
  }
  if (situation.entriesAreValid === false) return active;
  checkGuest(active, { auth, situation, report });
  checkService(active, auth, report);
  return active;
}

const ownKey = (auth: AuthSettings, name: ProviderName, environment: string): object | undefined => {
  const keys: Record<string, object> = auth.providers[name] ?? {};
  return Object.hasOwn(keys, environment) ? keys[environment] : undefined;
};

function withoutProviders(auth: AuthSettings, situation: AuthSituation, report: Report): ActiveProviders {
  if (situation.environmentIsSet) {
    report.warning(["auth", "environment"], {
      message: "has no effect, because no provider is configured",
      solution: `Add auth.providers.<provider>.${auth.environment}.`,
    });
  }
  if (situation.mode === "development" && situation.loopbackOnly) return { guest: builtInGuest };
  const why =
    situation.mode === "production"
      ? "in production"
      : "when the server listens on more than a loopback address";
  report.problem(["auth", "providers"], {
    message: `must name at least one provider ${why}`,
    solution: `Add auth.providers.service.${auth.environment} or auth.providers.oidc.${auth.environment}.`,
  });
  return {};
}

interface Context {
  auth: AuthSettings;
  situation: AuthSituation;
  report: Report;
}

/** Up to 2.1 the default of `auth.environment` was development; an installation that relied on it must choose. */
function reportOldDefault(
  auth: AuthSettings,
  { configured, situation, report }: Omit<Context, "auth"> & { configured: readonly ProviderName[] },
): boolean {
  if (situation.environmentIsSet) return false;
  let reported = false;
  for (const name of configured) {
    if (!ownKey(auth, name, "development")) continue;
    const path: Path = ["auth", "providers", name, "development"];
    if (ownKey(auth, name, "default")) {
      report.warning(path, {
        message: "is not used: auth.environment is not set, so auth.providers." + name + ".default applies",
        solution: "Set auth.environment to say which one you want.",
      });
      continue;
    }
    reported = true;
    report.problem(path, {
      message:
        "is not used: auth.environment is not set and its default is now default, no longer development",
      solution: `Set auth.environment to development, or rename this key to auth.providers.${name}.default.`,
    });
  }
  return reported;
}

function checkGuest(active: ActiveProviders, { auth, situation, report }: Context): void {
  if (!active.guest || active.guest.dangerouslyAllowInProduction) return;
  const path: Path = ["auth", "providers", "guest", auth.environment];
  if (situation.mode === "production") {
    report.problem(path, {
      message: "lets everybody in without credentials, which is refused in production",
      solution: "Remove it; or, knowing what it means, set dangerouslyAllowInProduction: true.",
    });
  } else if (!situation.loopbackOnly) {
    const remark = {
      message: "works only when the server listens on a loopback address",
      solution: "Set server.host to 127.0.0.1, or configure the service or oidc provider.",
    };
    if (active.service || active.oidc) report.warning(path, remark);
    else report.problem(path, remark);
  }
}

function checkService(active: ActiveProviders, auth: AuthSettings, report: Report): void {
  if (!active.service) return;
  const path: Path = ["auth", "providers", "service", auth.environment];
  const { tokens, hmac, jwks } = active.service;
  if (!tokens?.length && !hmac && !jwks) {
    report.problem(path, { message: "has neither tokens nor hmac nor jwks, so it lets nobody in" });
  }
  const names = new Set<string>();
  const secrets = new Set<string>();
  for (const [index, token] of (tokens ?? []).entries()) {
    const tokenPath = [...path, "tokens", index];
    if (names.has(token.name))
      report.problem([...tokenPath, "name"], { message: "is the name of another token" });
    if (secrets.has(token.secret)) {
      report.problem([...tokenPath, "secret"], { message: "is the secret of another token" });
    }
    names.add(token.name);
    secrets.add(token.secret);
  }
}
