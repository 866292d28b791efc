/** The device authorization grant (RFC 8628): a code that a person confirms in any browser, while the command asks for the tokens. */
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../../platform/errors/failure.ts";
import { otherWays, signInFailure } from "./failures.ts";
import type { Endpoints } from "./metadata.ts";
import { plainText, safeAddress, userCodeOf } from "./plain-text.ts";
import { callProvider, type ProviderAnswer } from "./provider-call.ts";
import { readTokens, type ProviderTokens } from "./provider-tokens.ts";

const grantType = "urn:ietf:params:oauth:grant-type:device_code";
const usualIntervalSeconds = 5;
const slowerBySeconds = 5;
const maxIntervalSeconds = 60;
const maxSeconds = 3_600;

export interface DeviceClient {
  issuer: string;
  clientId: string;
  scopes: readonly string[];
  /** What else the provider wants; never in place of what the grant itself sends. */
  parameters: Readonly<Record<string, string>>;
  endpoints: Endpoints & { device: URL };
  signal: AbortSignal;
}

export interface DeviceCode {
  code: string;
  userCode: string;
  /** Where the code is typed. */
  verification: string;
  /** The same with the code in it, where the provider has such an address. */
  complete: string | null;
  intervalSeconds: number;
  expiresInSeconds: number;
}

export async function beginDeviceFlow(client: DeviceClient): Promise<DeviceCode> {
  const { issuer, clientId, scopes, parameters, endpoints, signal } = client;
  const form = { ...parameters, client_id: clientId, ...(scopes.length > 0 && { scope: scopes.join(" ") }) };
  const { status, body } = await callProvider({ issuer, url: endpoints.device, form, signal });
  if (status !== 200) throw refusedBy(issuer, "does not begin a sign-in", { status, body });
  const reach = { loopback: endpoints.device.protocol === "http:" };
  // Google's name for it, from before the standard.
  const verification = safeAddress(body["verification_uri"] ?? body["verification_url"], reach);
  const userCode = userCodeOf(body["user_code"]);
  const code = body["device_code"];
  const seconds = body["expires_in"];
  if (verification === null || userCode === null || typeof code !== "string" || !isPositive(seconds))
    throw signInFailure(
      `What the identity provider ${issuer} answers can't be used: its address or code is not one to show.`,
    );
  return {
    code,
    userCode,
    verification: verification.href,
    complete: safeAddress(body["verification_uri_complete"], reach)?.href ?? null,
    intervalSeconds: isPositive(body["interval"])
      ? Math.min(body["interval"], maxIntervalSeconds)
      : usualIntervalSeconds,
    expiresInSeconds: Math.min(seconds, maxSeconds),
  };
}

const isPositive = (value: unknown): value is number => typeof value === "number" && value > 0;

/** Asks until the person has decided, or the code has expired. */
export async function pollForTokens(
  client: DeviceClient,
  device: DeviceCode,
  now: () => number,
): Promise<ProviderTokens> {
  const { issuer, clientId, parameters, endpoints, signal } = client;
  const form = {
    ...resourceOf(parameters),
    grant_type: grantType,
    device_code: device.code,
    client_id: clientId,
  };
  const endsAt = now() + device.expiresInSeconds * 1_000;
  for (let intervalSeconds = device.intervalSeconds; ;) {
    await wait(intervalSeconds * 1_000, undefined, { signal });
    if (now() > endsAt) throw expired();
    const answer = await callProvider({ issuer, url: endpoints.token, form, signal }).catch(
      (error: unknown) => {
        if (error instanceof Failure && error.kind === "unavailable") return null;
        throw error;
      },
    );
    if (answer?.status === 200) return readTokens(issuer, answer.body);
    if (answer?.body["error"] === "authorization_pending") continue;
    if (answer?.body["error"] === "slow_down") intervalSeconds += slowerBySeconds;
    // The provider is away or overloaded for a moment: asked again, ever more slowly.
    else if (answer === null || answer.status >= 500 || answer.status === 429) intervalSeconds *= 2;
    else throw endedBy(issuer, answer);
    intervalSeconds = Math.min(intervalSeconds, maxIntervalSeconds);
  }
}

/** What the tokens are to be for is said again where they are issued (RFC 8707). */
export const resourceOf = ({ resource }: Readonly<Record<string, string>>): Record<string, string> =>
  resource === undefined ? {} : { resource };

const expired = (): Failure =>
  signInFailure("The code has expired before the sign-in was confirmed.", ["Run `plinth login` again."]);

function endedBy(issuer: string, answer: ProviderAnswer): Failure {
  switch (answer.body["error"]) {
    case "expired_token":
      return expired();
    case "access_denied":
      return signInFailure("The sign-in was denied in the browser.", [
        "Run `plinth login` again to sign in after all.",
      ]);
    default:
      return refusedBy(issuer, "refuses the sign-in", answer);
  }
}

function refusedBy(issuer: string, what: string, { status, body }: ProviderAnswer): Failure {
  const error = plainText(body["error"]);
  const description = plainText(body["error_description"]);
  const why = [error, description].filter((text) => text !== "").join(": ") || `it answered ${status}`;
  const isClient = error === "unauthorized_client" || error === "invalid_client";
  return signInFailure(`The identity provider ${issuer} ${what}: ${why}.`, [
    isClient
      ? "Ask an operator to allow the client of auth.providers.<name>.<environment>.commandLine the device authorization grant."
      : "Ask an operator to look at auth.providers.<name>.<environment>.commandLine.",
    ...otherWays,
  ]);
}
