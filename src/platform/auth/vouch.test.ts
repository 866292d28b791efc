/** What an identity provider says of somebody with a JWT: the basis of sessions. */
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { silentLogger } from "../lib/logger.ts";
import { openAuthenticator } from "./authenticator.ts";
import { firstGood } from "./browser/renewal.ts";
import type { Failure } from "../errors/failure.ts";
import {
  bearer,
  failureOf,
  fetchJson,
  local,
  makeSigner,
  sign as signWith,
  startKeyServer,
} from "./testdata.ts";
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
  let offsetMs = 0;
  const { authenticate } = openAuthenticator({
    auth: { environment: "default", providers: { oidc: { default: oidc } } },
    mode: "production",
    loopbackOnly: false,
    log: silentLogger,
    fetchJson,
    tokens,
    now: () => new Date(Date.now() + offsetMs),
  });
  const sign = (claims: object): Promise<string> =>
    new SignJWT({ iss: provider.url, aud: "plinth", sub: "ada", ...claims })
      .setProtectedHeader({ alg: "ES256", kid: "k" })
      .setExpirationTime("5m")
      .sign(privateKey);
  const vouch = (token: string) => uses[0]!.vouch("oidc", token);
  const pass = (ms: number): void => void (offsetMs += ms);
  return { vouch, authenticate, sign, signedIn, provider, pass };
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

describe("an identity provider that changes its key at once", () => {
  /** A server that has just read the keys for a token of somebody unknown, which are others a moment later. */
  async function changed() {
    const opened = await open();
    const { vouch, authenticate, sign: signOld, provider } = opened;
    expect(await vouch(await signOld({ iat }))).toMatchObject(ada);
    opened.pass(30_001);
    const claims = { iss: provider.url, aud: "plinth" };
    const signBy = async (kid: string, isPublished: boolean): Promise<string> => {
      const { privateKey, jwk } = await makeSigner(kid);
      if (isPublished) provider.keys = [jwk];
      return signWith(privateKey, { header: { kid }, claims });
    };
    const worthless = await signBy("unknown", false);
    await failureOf(() => authenticate(bearer(worthless), local));
    provider.requests.length = 0;
    return { ...opened, signBy, reads: () => provider.requests.filter((path) => path === "/keys").length };
  }
  const ada = { actor: { ref: "user:default/ada" } };
  const unpublished = {
    code: "PLATFORM_TOKEN_INVALID",
    message: "The token is signed with a key that its issuer does not publish.",
  };

  it("vouches with the new one, though somebody unknown has had the keys read just before", async () => {
    const { vouch, signBy, reads } = await changed();
    const renewed = [await signBy("next", true)];
    const answers = await Promise.all([...renewed, ...renewed].map((token) => vouch(token)));
    expect(answers).toMatchObject([ada, ada]);
    expect(reads()).toBe(1);
  });

  it("is asked again later where it changes the key twice, and nothing is decided before", async () => {
    const { vouch, signBy, reads, pass } = await changed();
    await vouch(await signBy("next", true));
    pass(10_000);
    const token = await signBy("after", true);
    const failure = await vouch(token);
    expect(failure).toMatchObject({ kind: "unavailable", code: "PLATFORM_AUTH_UNAVAILABLE" });
    expect((failure as Failure).retryAfterSeconds).toBeGreaterThan(15);
    expect((failure as Failure).retryAfterSeconds).toBeLessThanOrEqual(20);
    expect(reads()).toBe(1);
    pass(20_001);
    expect(await vouch(token)).toMatchObject(ada);
  });

  it("vouches for nobody with a key that a fresh list does not have", async () => {
    const { vouch, signBy, reads } = await changed();
    expect(await vouch(await signBy("unpublished", false))).toMatchObject(unpublished);
    expect(reads()).toBe(1);
  });

  it("decides nothing while its keys can't be read, and is asked again as soon as they can", async () => {
    const { vouch, signBy, provider, pass } = await changed();
    const token = await signBy("next", true);
    provider.status = 503;
    expect(await vouch(token)).toMatchObject({ kind: "unavailable", retryAfterSeconds: 5 });
    provider.status = undefined;
    pass(5_001);
    expect(await vouch(token)).toMatchObject(ada);
  });
});

describe("an identity provider that does not publish the keys of its access tokens", () => {
  async function signIns() {
    const { vouch, sign, provider, pass } = await open();
    const { privateKey } = await makeSigner("never");
    const claims = { iss: provider.url, aud: "plinth" };
    const access = () => signWith(privateKey, { header: { kid: "never" }, claims });
    const signIn = async (idClaims: object = { iat }) =>
      firstGood({ vouch: (_provider, token) => vouch(token) }, "oidc", [
        await access(),
        await sign(idClaims),
      ]);
    return { signIn, pass };
  }

  it("vouches with its ID tokens, at each of several sign-ins in a short time", async () => {
    const { signIn, pass } = await signIns();
    for (const waitMs of [0, 1_000, 10_000, 30_000]) {
      pass(waitMs);
      expect(await signIn()).toMatchObject({ actor: { ref: "user:default/ada" } });
    }
  });

  it("decides nothing where the ID token is no good, until the keys say that there is no other", async () => {
    const { signIn, pass } = await signIns();
    const other = { iat, aud: "other" };
    expect(await signIn(other)).toMatchObject({ kind: "unauthenticated" });
    expect(await signIn(other)).toMatchObject({ kind: "unavailable" });
    pass(30_001);
    expect(await signIn(other)).toMatchObject({ kind: "unauthenticated" });
  });
});
