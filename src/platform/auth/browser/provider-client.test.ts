import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { OutboundRequest, OutboundResponse } from "../../outbound/outbound.ts";
import { createProviderClient, type ProviderClient } from "./provider-client.ts";

const issuer = "https://id.example";

let keys: string;
let idToken: string;
beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: "k", alg: "RS256", use: "sig" }] });
  idToken = await new SignJWT({ iss: issuer, aud: "console", sub: "ada", nonce: "n" })
    .setProtectedHeader({ alg: "RS256", kid: "k" })
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(privateKey);
});
afterEach(() => void vi.useRealTimers());

const answer = (body: string, status = 200): OutboundResponse => ({
  status,
  headers: { "content-type": "application/json" },
  body: Buffer.from(body),
});

const metadata = () =>
  answer(
    JSON.stringify({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ["RS256"],
    }),
  );
const tokens = () =>
  answer(
    JSON.stringify({
      access_token: "opaque",
      token_type: "bearer",
      id_token: idToken,
      refresh_token: "next",
    }),
  );

type Answers = Partial<
  Record<string, (request: OutboundRequest) => OutboundResponse | Promise<OutboundResponse>>
>;

/** A client whose provider answers these paths, and the paths that it was asked. */
function clientOf(answers: Answers): { client: ProviderClient; asked: string[] } {
  const asked: string[] = [];
  const client = createProviderClient({
    provider: {
      name: "oidc",
      settings: {
        issuer,
        audience: "console",
        rolesClaim: "roles",
        defaultRoles: [],
        browser: { clientId: "console", scopes: ["openid"] },
      },
    },
    clientSecret: () => undefined,
    outbound: {
      async request(request) {
        const { pathname } = new URL(request.url);
        asked.push(pathname);
        return (await answers[pathname]?.(request)) ?? answer("{}", 404);
      },
    },
    now: () => new Date(),
  });
  return { client, asked };
}

const document = "/.well-known/openid-configuration";

it.each([
  ["answers 503", () => answer("", 503)],
  ["times out", () => Promise.reject(Object.assign(new Error("timed out"), { name: "OutboundError" }))],
])("a renewal has the new refresh token though the address of the keys %s", async (_how, keysAnswer) => {
  const { client } = clientOf({ [document]: metadata, "/token": tokens, "/keys": keysAnswer });
  expect(await client.renew("former")).toEqual({ candidates: [idToken], refreshToken: "next" });
});

it("a sign-in checks the signature of the ID token", async () => {
  const { client, asked } = clientOf({
    [document]: metadata,
    "/token": tokens,
    "/keys": () => answer(keys),
  });
  const checks = { state: "s", nonce: "n", verifier: "v".repeat(43) };
  const redirect = await client.authorizationUrl(checks, `${issuer}/callback`);
  expect(redirect).toBeInstanceOf(URL);
  const issued = await client.exchange(new URL("https://plinth.example/callback?code=c&state=s"), checks);
  expect(issued).toEqual({ candidates: [idToken], refreshToken: "next" });
  expect(asked).toEqual([document, "/token", "/keys"]);
});

it("a renewal sends no refresh token when the provider was found too late for an answer within its time", async () => {
  vi.useFakeTimers();
  const late = Promise.withResolvers<OutboundResponse>();
  const { client, asked } = clientOf({ [document]: () => late.promise, "/token": tokens });
  const renewal = client.renew("former");
  await vi.advanceTimersByTimeAsync(5_000);
  await expect(renewal).resolves.toMatchObject({ refusal: "unavailable" });
  late.resolve(metadata());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual([document]);
  // What was found late serves the next one.
  await expect(client.renew("former")).resolves.toMatchObject({ refreshToken: "next" });
  expect(asked).toEqual([document, "/token"]);
});
