/** What an identity provider says of somebody with a JWT: the basis of sessions. */
import { SignJWT } from "jose";
import { expect, it } from "vitest";
import { silentLogger } from "../lib/logger.ts";
import { openAuthenticator } from "./authenticator.ts";
import { bearer, fetchJson, makeSigner, startKeyServer } from "./testdata.ts";
import type { StoredTokens, TokenUse } from "./tokens/stored-tokens.ts";

async function open() {
  const provider = await startKeyServer();
  const { privateKey, jwk } = await makeSigner("k");
  provider.keys = [jwk];
  const uses: TokenUse[] = [];
  const signedIn: (number | null)[] = [];
  const tokens = {
    isOwn: () => false,
    use: (by: TokenUse) => void uses.push(by),
    signedIn: (_actor: unknown, atMs: number | null) => void signedIn.push(atMs),
  } as unknown as StoredTokens;
  const oidc = {
    issuer: provider.url,
    audience: "plinth",
    rolesClaim: "roles",
    defaultRoles: ["viewer" as const],
  };
  const { authenticate } = openAuthenticator({
    auth: { environment: "default", providers: { oidc: { default: oidc } } },
    mode: "production",
    loopbackOnly: false,
    log: silentLogger,
    fetchJson,
    tokens,
  });
  const sign = (claims: object): Promise<string> =>
    new SignJWT({ iss: provider.url, aud: "plinth", sub: "ada", ...claims })
      .setProtectedHeader({ alg: "ES256", kid: "k" })
      .setExpirationTime("5m")
      .sign(privateKey);
  return { vouch: (token: string) => uses[0]!.vouch("oidc", token), authenticate, sign, signedIn };
}

const iat = Math.floor(Date.now() / 1_000) - 60;

it("a JWT vouches from when it was issued", async () => {
  const { vouch, sign } = await open();
  expect(await vouch(await sign({ iat }))).toMatchObject({
    actor: { ref: "user:default/ada" },
    issuedAtMs: iat * 1_000,
  });
});

it("a JWT that does not say when it was issued vouches for nobody, and says what is missing", async () => {
  const { vouch, sign } = await open();
  expect(await vouch(await sign({}))).toMatchObject({
    kind: "unauthenticated",
    code: "PLATFORM_TOKEN_INVALID",
    message: "The token lacks the claim iat, without which no session can begin.",
  });
});

it("a request with it is answered, and what it shows has no time", async () => {
  const { authenticate, sign, signedIn } = await open();
  for (const claims of [{ iat }, {}])
    expect(await authenticate(bearer(await sign(claims)), { loopback: false })).toMatchObject({
      ref: "user:default/ada",
    });
  expect(signedIn).toEqual([iat * 1_000, null]);
});
