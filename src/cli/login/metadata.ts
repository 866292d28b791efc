/** Where an identity provider's endpoints are: read from its metadata, which has to be that of the issuer. */
import { isLoopbackHost } from "../../platform/config/rules/loopback.ts";
import { callProvider } from "./provider-call.ts";
import { otherWays, signInFailure } from "./failures.ts";
import { plainText, safeAddress, type Reach } from "./plain-text.ts";

export interface Provider {
  issuer: string;
  metadataUrl: string;
  clientId: string;
}

export interface Endpoints {
  token: URL;
  /** Null where the provider has none. */
  device: URL | null;
  revocation: URL | null;
}

/** Addresses of this machine are a matter of servers that are on it too. */
export const reachFrom = (serverUrl: string): Reach => ({
  loopback: isLoopbackHost(new URL(serverUrl).hostname),
});

/** A provider without TLS is on this machine, and so is everything that it names. */
export async function readEndpoints(
  provider: Provider,
  reach: Reach,
  signal: AbortSignal,
): Promise<Endpoints> {
  const { issuer } = provider;
  const shown = plainText(issuer);
  const root = safeAddress(issuer, reach);
  const url = safeAddress(provider.metadataUrl, reach);
  if (root === null || url === null)
    throw signInFailure(`The identity provider ${shown} is not at an address of https.`, [
      "Ask an operator to correct auth.providers; without TLS only a provider on this machine is used, by a server on it.",
    ]);
  const inside: Reach = { loopback: root.protocol === "http:" };
  const { status, body } = await callProvider({ issuer: shown, url, signal });
  if (status !== 200)
    throw signInFailure(
      `The identity provider ${shown} has no metadata at ${url.href}: it answered ${status}.`,
      ["Ask an operator to correct auth.providers."],
    );
  if (body["issuer"] !== issuer)
    throw signInFailure(
      `The metadata at ${url.href} are those of another issuer: ${plainText(body["issuer"]) || "they name none"}.`,
      [`The server says that its people sign in at ${shown}. Ask an operator to correct auth.providers.`],
    );
  const endpoint = (name: string): URL | null => {
    if (body[name] === undefined) return null;
    const address = safeAddress(body[name], inside);
    if (address !== null) return address;
    throw signInFailure(
      `The metadata of ${shown} name an address that is not used: ${name} is not of https.`,
    );
  };
  const token = endpoint("token_endpoint");
  if (token === null) throw signInFailure(`The metadata of ${shown} name no token_endpoint.`);
  return {
    token,
    device: endpoint("device_authorization_endpoint"),
    revocation: endpoint("revocation_endpoint"),
  };
}

export const noDeviceEndpoint = (issuer: string) =>
  signInFailure(
    `The identity provider ${plainText(issuer)} offers no sign-in on a command line: it has no device_authorization_endpoint.`,
    ["Ask an operator to allow the device authorization grant (RFC 8628) at the provider.", ...otherWays],
  );
