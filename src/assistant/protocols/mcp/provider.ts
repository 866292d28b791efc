/** The identity provider that this server stands in for, since clients can't register there. */
import { isRecord } from "../../../platform/lib/is-record.ts";
import type { AssistantContext } from "../../context.ts";
import { assistantFailure } from "../../error-codes.ts";
import type { SignInProvider } from "../../settings.ts";

/** The provider with the addresses that it publishes. */
export interface KnownProvider extends SignInProvider {
  clientId: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
}

const timeoutMs = 10_000;
const maxDocumentBytes = 262_144;
const maxAgeMs = 600_000;

/** Its document as it was last read; it is read again when it is old, and after each failure. */
export interface ProviderCache {
  known?: { provider: KnownProvider; atMs: number };
}

export const standInFor = ({ assistant }: AssistantContext): SignInProvider & { clientId: string } => {
  for (const provider of assistant.settings.providers) {
    const { clientId } = provider.signIn;
    if (clientId !== undefined) return { ...provider, clientId };
  }
  throw assistantFailure("ASSISTANT_NO_SIGN_IN", {
    message: "Clients sign in at their provider itself; this server does not stand in for one.",
  });
};

export async function readProvider(ctx: AssistantContext, cache: ProviderCache): Promise<KnownProvider> {
  const { known } = cache;
  const nowMs = ctx.now().getTime();
  if (known !== undefined && nowMs - known.atMs < maxAgeMs) return known.provider;
  const wanted = standInFor(ctx);
  const document = await fetchDocument(ctx, wanted.document);
  const named = (name: string): string => {
    const address = document[name];
    if (typeof address === "string" && isSafe(address, wanted.issuer)) return address;
    throw unusable(`its discovery document names no usable ${name}`);
  };
  if (document["issuer"] !== wanted.issuer) throw unusable("its discovery document is of another issuer");
  const provider = {
    ...wanted,
    authorizationEndpoint: named("authorization_endpoint"),
    tokenEndpoint: named("token_endpoint"),
  };
  cache.known = { provider, atMs: nowMs };
  return provider;
}

async function fetchDocument(ctx: AssistantContext, url: string): Promise<Record<string, unknown>> {
  const headers = { accept: "application/json" };
  const request = { method: "GET", url, headers, timeoutMs, maxResponseBytes: maxDocumentBytes } as const;
  const answer = await ctx.assistant.issuerOutbound.request(request).catch((error: unknown) => {
    throw unusable("it does not answer", error);
  });
  if (answer.status !== 200) throw unusable(`it answered ${answer.status} for its discovery document`);
  return objectIn(answer.body) ?? {};
}

/** The JSON object that an answer holds; null for anything else. */
export function objectIn(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** A provider at a safe address never leads to a less safe one. */
const isSafe = (address: string, issuer: string): boolean =>
  URL.canParse(address) &&
  (new URL(address).protocol === "https:" ||
    (new URL(address).protocol === "http:" && issuer.startsWith("http:")));

export const unusable = (why: string, cause?: unknown) =>
  assistantFailure("ASSISTANT_SIGN_IN_UNAVAILABLE", {
    message: `The identity provider can't be used now: ${why}.`,
    retryAfterSeconds: 5,
    ...(cause === undefined ? {} : { cause }),
  });
