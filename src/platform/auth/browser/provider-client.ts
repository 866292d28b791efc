/**
 * What this server asks an identity provider when people sign in by browser: authorization code with PKCE and nonce, renewal,
 * revocation. The protocol is openid-client's; every call goes through the outbound client, so that its limits hold.
 */
import type * as OpenIdClient from "openid-client";
import type { Configuration, CustomFetch, TokenEndpointResponse } from "openid-client";
import type { OidcSettings } from "../../config/schema/schema-auth.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import { addressesOf } from "../oidc.ts";

type Library = typeof OpenIdClient;

/** An identity provider with a client for browsers. */
export interface BrowserProvider {
  name: string;
  settings: OidcSettings & { browser: NonNullable<OidcSettings["browser"]> };
}

/** What the provider has issued. */
export interface IssuedTokens {
  /** JWTs that may be good for this server, the likelier one first. */
  candidates: string[];
  refreshToken: string | null;
}

/**
 * Why it has issued none: the person has refused or is needed there, the provider does not accept the code or token, it can't be
 * reached, or it has answered something else. `why` is for the log.
 */
export interface ProviderRefusal {
  refusal: "denied" | "not-accepted" | "unavailable" | "provider";
  why: string;
}

/** What a sign-in is checked against that comes back. */
export interface SignInChecks {
  state: string;
  nonce: string;
  verifier: string;
}

export interface ProviderClient {
  /** Where the person is sent. */
  authorizationUrl(checks: SignInChecks, redirectUri: string): Promise<URL | ProviderRefusal>;
  /** @param answer the address that the person came back to. */
  exchange(answer: URL, checks: SignInChecks): Promise<IssuedTokens | ProviderRefusal>;
  renew(refreshToken: string): Promise<IssuedTokens | ProviderRefusal>;
  /** Where the provider ends its own session; null where it has no such page. */
  endSessionUrl(returnTo: string): Promise<string | null>;
  /** Does nothing where the provider does not take it. */
  revoke(refreshToken: string): Promise<void>;
}

export interface ProviderClientOptions {
  provider: BrowserProvider;
  /** Of the client; a reload may change it. */
  clientSecret: () => string | undefined;
  outbound: Pick<Outbound, "request">;
  now: () => Date;
}

const timeoutMs = 10_000;
/** How long a renewal waits until the provider's metadata are read. */
const metadataWaitMs = 5_000;
/** From its beginning until the new refresh token is known; nothing is sent that could be answered later. */
export const longestRenewalMs = metadataWaitMs + timeoutMs;
/** The metadata of a provider are read again after this time, so that moved addresses are noticed. */
const metadataMs = 3_600_000;

export function createProviderClient(options: ProviderClientOptions): ProviderClient {
  const { provider, outbound, now } = options;
  const { browser } = provider.settings;
  let known: { client: Promise<Client>; secret: string | undefined; untilMs: number } | undefined;
  const open = (): Promise<Client> => {
    const nowMs = now().getTime();
    const secret = options.clientSecret();
    if (known !== undefined && known.untilMs > nowMs && known.secret === secret) return known.client;
    const client = discover(provider, secret, outbound);
    const opening = { client, secret, untilMs: nowMs + metadataMs };
    known = opening;
    opening.client.catch(() => {
      if (known === opening) known = undefined; // the next sign-in tries again
    });
    return opening.client;
  };
  /** The resource that tokens are for, which some providers want to hear at each request. */
  const { resource } = browser.parameters ?? {};
  const more: Record<string, string> = resource === undefined ? {} : { resource };
  const asking = async <T>(
    ask: (client: Client) => Promise<T>,
    opening: () => Promise<Client> = open,
  ): Promise<T | ProviderRefusal> => {
    try {
      return await ask(await opening());
    } catch (error) {
      return refusalOf(error);
    }
  };
  return {
    authorizationUrl: ({ state, nonce, verifier }, redirectUri) =>
      asking(async ({ library, config }) =>
        library.buildAuthorizationUrl(config, {
          ...browser.parameters,
          redirect_uri: redirectUri,
          scope: browser.scopes.join(" "),
          state,
          nonce,
          code_challenge: await library.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        }),
      ),
    exchange: (answer, { state, nonce, verifier }) =>
      asking(async ({ library, config }) => {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
        return issued(await library.authorizationCodeGrant(config, answer, checks, more));
      }),
    renew: (refreshToken) =>
      asking(
        async ({ library, renewing }) =>
          issued(await library.refreshTokenGrant(renewing, refreshToken, more)),
        () => within(open(), metadataWaitMs),
      ),
    async endSessionUrl(returnTo) {
      const built = await asking(async ({ library, config }) =>
        config.serverMetadata().end_session_endpoint === undefined
          ? null
          : // Without the ID token as a hint: it would pass through the page's script.
            library.buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo }).href,
      );
      return typeof built === "string" ? built : null;
    },
    async revoke(refreshToken) {
      await asking(async ({ library, config }) => {
        if (config.serverMetadata().revocation_endpoint === undefined) return;
        await library.tokenRevocation(config, refreshToken, { token_type_hint: "refresh_token" });
      });
    },
  };
}

interface Client {
  library: Library;
  config: Configuration;
  /**
   * Does not verify signatures, which would fetch the provider's keys: if they could not be fetched, the new refresh token in the answer
   * would be lost. The caller verifies the tokens.
   */
  renewing: Configuration;
}

/** Rejects after that time; the work goes on for whoever waits for it next. */
async function within<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new DOMException("the provider's metadata were not read in time", "TimeoutError")),
    ms,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Loaded with the first sign-in: most processes never need it. */
async function discover(
  { settings }: BrowserProvider,
  clientSecret: string | undefined,
  outbound: Pick<Outbound, "request">,
): Promise<Client> {
  const library = await import("openid-client");
  const { issuer, document } = addressesOf(settings);
  const { clientId } = settings.browser;
  const fetchThrough = throughOutbound(outbound);
  const insecure = [issuer, document].some((address) => address.startsWith("http:"));
  const execute = insecure ? [library.allowInsecureRequests] : [];
  const options = { execute, timeout: timeoutMs / 1_000, [library.customFetch]: fetchThrough };
  const found = await library.discovery(new URL(document), clientId, undefined, library.None(), options);
  const metadata = found.serverMetadata();
  if (metadata.issuer !== issuer) throw new Error("the discovery document is of another issuer");
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const authentication =
    clientSecret === undefined
      ? library.None()
      : methods.includes("client_secret_basic")
        ? library.ClientSecretBasic(clientSecret)
        : library.ClientSecretPost(clientSecret);
  const configure = (...extensions: ((config: Configuration) => void)[]): Configuration => {
    const config = new library.Configuration(metadata, clientId, undefined, authentication);
    config[library.customFetch] = fetchThrough;
    config.timeout = timeoutMs / 1_000;
    for (const extension of [...execute, ...extensions]) extension(config);
    return config;
  };
  return { library, config: configure(library.enableNonRepudiationChecks), renewing: configure() };
}

const throughOutbound =
  (outbound: Pick<Outbound, "request">): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const text = body === undefined || body === null ? undefined : bodyText(body);
    const answer = await outbound.request({
      method: method === "POST" ? "POST" : "GET",
      url,
      headers,
      timeoutMs,
      ...(text === undefined ? {} : { body: text }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (answer.status >= 500 || answer.status === 429) throw new Error(awayText + answer.status);
    const isEmpty = answer.status === 204 || answer.status === 304;
    return new Response(isEmpty ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: answer.headers,
    });
  };

const awayText = "the provider answered ";

function bodyText(body: object | string): string {
  if (typeof body === "string") return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error("A request to an identity provider has a form as its body.");
}

function issued({
  access_token: access,
  id_token: id,
  refresh_token: refresh,
}: TokenEndpointResponse): IssuedTokens {
  const candidates = [access, id].filter((token): token is string => isJwt(token));
  return { candidates, refreshToken: refresh === undefined || refresh === "" ? null : refresh };
}

const isJwt = (token: unknown): boolean =>
  typeof token === "string" && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);

/** The provider's own code of an error, or the name of the class; no text of its answer, which may hold anything. */
function refusalOf(error: unknown): ProviderRefusal {
  const chain = causesOf(error);
  const named = (name: string): boolean => chain.some((each) => each.name === name);
  const [first] = chain;
  const why = first?.message ?? "unknown";
  const away =
    ["OutboundError", "TimeoutError"].some(named) || chain.some((each) => each.message.startsWith(awayText));
  if (away) return { refusal: "unavailable", why };
  const code =
    chain.map((each) => ("error" in each ? String(each.error) : "")).find((text) => text !== "") ?? "";
  if (needsPerson.has(code)) return { refusal: "denied", why: code };
  if (code === "invalid_grant") return { refusal: "not-accepted", why: code };
  if (code === "temporarily_unavailable" || code === "server_error")
    return { refusal: "unavailable", why: code };
  return { refusal: "provider", why: code === "" ? why : code };
}

/** The person has said no, or has to do something at the provider first. */
const needsPerson: ReadonlySet<string> = new Set([
  "access_denied",
  "account_selection_required",
  "consent_required",
  "interaction_required",
  "login_required",
]);

function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < 5; each = each.cause) chain.push(each);
  return chain;
}
