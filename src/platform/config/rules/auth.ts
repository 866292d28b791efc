import { oldEnvironmentDefault } from "../renames.ts";
import type { Mode } from "../schema/schema.ts";
import type { AuthSettings, GuestSettings, OidcSettings, ServiceSettings } from "../schema/schema-auth.ts";
import { isLoopbackHost } from "./loopback.ts";
import type { Path } from "../source/located.ts";
import type { Report } from "./report.ts";

export interface ActiveProviders {
  guest?: GuestSettings;
  service?: ServiceSettings;
  /** In the order of the configuration. */
  people: PeopleProvider[];
}

/** An identity provider. */
export interface PeopleProvider {
  name: string;
  settings: OidcSettings;
}

/** Every other provider is one of OpenID Connect, whatever its name. */
const ownKinds: ReadonlySet<string> = new Set(["guest", "service"]);

export interface AuthSituation {
  mode: Mode;
  /** Whether the server listens on a loopback address only. */
  loopbackOnly: boolean;
  /** `server.baseUrl`. */
  baseUrl?: string | undefined;
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
  const configured = Object.keys(auth.providers).filter((name) => environmentsOf(auth, name).length > 0);
  if (configured.length === 0) return withoutProviders(auth, situation, report);
  const active: ActiveProviders = { people: peopleProviders(auth) };
  const reported = reportOldDefault(auth, { configured, situation, report });
  reportUndescribed(auth, configured, report);
  for (const name of configured) {
    const settings = ownKey(auth, name, auth.environment);
    if (settings && ownKinds.has(name)) Object.assign(active, { [name]: settings });
  }
  if (!active.guest && !active.service && active.people.length === 0 && !reported) {
    const found = [...new Set(configured.flatMap((name) => environmentsOf(auth, name)))];
    report.problem(["auth", "environment"], {
      message: `is ${auth.environment}, but no provider has settings for it; there are settings for ${found.join(", ")}`,
      solution: `Set auth.environment to one of these, or add auth.providers.<provider>.${auth.environment}.`,
    });
  }
  if (situation.entriesAreValid === false) return active;
  checkGuest(active, { auth, situation, report });
  checkService(active, auth, report);
  checkSignIn(active, auth, report);
  checkBrowser(active, { auth, situation, report });
  return active;
}

/** The identity providers with settings for `auth.environment`. */
export const peopleProviders = (auth: AuthSettings): PeopleProvider[] =>
  Object.keys(auth.providers).flatMap((name) => {
    const settings = ownKinds.has(name) ? undefined : ownKey(auth, name, auth.environment);
    return settings === undefined ? [] : [{ name, settings: settings as OidcSettings }];
  });

const keysOf = (auth: AuthSettings, name: string): Record<string, object> => {
  const providers = auth.providers as Record<string, Record<string, object> | undefined>;
  return (Object.hasOwn(providers, name) ? providers[name] : undefined) ?? {};
};

const environmentsOf = (auth: AuthSettings, name: string): string[] => Object.keys(keysOf(auth, name));

const ownKey = (auth: AuthSettings, name: string, environment: string): object | undefined => {
  const keys = keysOf(auth, name);
  return Object.hasOwn(keys, environment) ? keys[environment] : undefined;
};

/** Whether the settings of an OpenID Connect provider name neither its issuer nor its metadata. */
export const isUndescribed = (name: string, settings: object): boolean =>
  !ownKinds.has(name) && !("issuer" in settings) && !("metadataUrl" in settings);

function reportUndescribed(auth: AuthSettings, configured: readonly string[], report: Report): void {
  for (const name of configured) {
    for (const [environment, settings] of Object.entries(keysOf(auth, name))) {
      if (!isUndescribed(name, settings)) continue;
      report.problem(["auth", "providers", name, environment], {
        message: "has neither issuer nor metadataUrl, so it is not an OpenID Connect provider",
        solution:
          "Give one of them, and audience. Providers without them are guest (no credentials) and service (other programs).",
      });
    }
  }
}

function withoutProviders(auth: AuthSettings, situation: AuthSituation, report: Report): ActiveProviders {
  if (situation.environmentIsSet) {
    report.warning(["auth", "environment"], {
      message: "has no effect, because no provider is configured",
      solution: `Add auth.providers.<provider>.${auth.environment}.`,
    });
  }
  if (situation.mode === "development" && situation.loopbackOnly) return { guest: builtInGuest, people: [] };
  const why =
    situation.mode === "production"
      ? "in production"
      : "when the server listens on more than a loopback address";
  report.problem(["auth", "providers"], {
    message: `must name at least one provider ${why}`,
    solution: `Add auth.providers.service.${auth.environment} or auth.providers.oidc.${auth.environment}.`,
  });
  return { people: [] };
}

interface Context {
  auth: AuthSettings;
  situation: AuthSituation;
  report: Report;
}

/** Up to 2.1 the default of `auth.environment` was development; an installation that relied on it must choose. */
function reportOldDefault(
  auth: AuthSettings,
  { configured, situation, report }: Omit<Context, "auth"> & { configured: readonly string[] },
): boolean {
  if (situation.environmentIsSet) return false;
  let reported = false;
  for (const name of configured) {
    const { old, now, message, solution } = oldEnvironmentDefault;
    if (!ownKey(auth, name, old)) continue;
    const path: Path = ["auth", "providers", name, old];
    if (ownKey(auth, name, now)) {
      report.warning(path, {
        message: "is not used: auth.environment is not set, so auth.providers." + name + ".default applies",
        solution: "Set auth.environment to say which one you want.",
      });
      continue;
    }
    reported = true;
    report.problem(path, { message, solution: solution(name) });
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
    if (active.service || active.people.length > 0) report.warning(path, remark);
    else report.problem(path, remark);
  }
}

/** This server stands in for one provider at most, and only where it has a client id to stand in with. */
function checkSignIn({ people }: ActiveProviders, auth: AuthSettings, report: Report): void {
  let first: string | undefined;
  for (const { name, settings } of people) {
    const { signIn } = settings;
    if (signIn === undefined) continue;
    const path: Path = ["auth", "providers", name, auth.environment, "signIn"];
    if (signIn.clientId === undefined) {
      for (const key of ["redirectUris", "parameters"] as const) {
        if (Object.keys(signIn[key] ?? {}).length === 0) continue;
        report.problem([...path, key], {
          message: "has no effect without clientId",
          solution:
            "Give the id of a public client, or take it out: clients then talk to the provider alone.",
        });
      }
    } else if (first === undefined) first = name;
    else {
      report.problem([...path, "clientId"], {
        message: `can't be given for a second provider: auth.providers.${first} has one`,
        solution: "Leave one of them.",
      });
    }
    for (const [index, uri] of signIn.redirectUris.entries()) {
      if (URL.canParse(uri) && !uri.includes("#")) continue;
      report.problem([...path, "redirectUris", index], { message: "is no address without a fragment" });
    }
  }
}

/** The provider leads browsers back to an address of this server, and the cookie of a session must not pass unencrypted. */
function checkBrowser({ people }: ActiveProviders, { auth, situation, report }: Context): void {
  for (const { name, settings } of people) {
    if (settings.browser === undefined) continue;
    const path: Path = ["auth", "providers", name, auth.environment, "browser"];
    if (!settings.browser.scopes.includes("openid"))
      report.problem([...path, "scopes"], {
        message: "lacks openid, without which nobody is signed in",
        solution: "Add it.",
      });
    const { baseUrl, loopbackOnly } = situation;
    if (baseUrl === undefined ? loopbackOnly : isSafeAddress(new URL(baseUrl))) continue;
    report.problem(path, {
      message: "needs an https address in server.baseUrl, because the server is reached from other machines",
      solution: "Set server.baseUrl to the https address under which browsers reach this server.",
    });
  }
}

const isSafeAddress = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || isLoopbackHost(hostname);

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
