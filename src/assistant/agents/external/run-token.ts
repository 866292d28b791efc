/** Short-lived tokens that tell external agents who the user is; the published key verifies them. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { rightsOf, type Actor } from "../../../platform/lib/actor.ts";
import { newId } from "../../../platform/lib/ids.ts";

export interface TokenSigner {
  /** Valid for one audience only; this platform itself accepts none of them. */
  sign(actor: Actor, audience: string): Promise<string>;
  /** As JWKS. */
  keys(): { keys: Record<string, string>[] };
}

/** The bytes before the 32 bytes of an Ed25519 key in PKCS #8. */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

const lifetimeSeconds = 300;

interface SignerOptions {
  /**
   * Of 32 bytes each, the same in all processes of an installation. The first one signs; the others are those of before, or
   * of after, which other processes may sign with.
   */
  seeds: () => Buffer[];
  issuer: string;
  now: () => Date;
}

export function createTokenSigner({ seeds, issuer, now }: SignerOptions): TokenSigner {
  let known = new Map<string, SigningKey>();
  const keysNow = (): SigningKey[] => {
    const wanted = seeds().map((seed) => [seed.toString("hex"), seed] as const);
    known = new Map(wanted.map(([name, seed]) => [name, known.get(name) ?? signingKey(seed)]));
    return [...known.values()];
  };
  return {
    keys: () => ({ keys: keysNow().map(({ published }) => published) }),
    async sign(actor, audience) {
      // Loaded on demand: most installations have no external agents.
      const { SignJWT } = await import("jose");
      const { key, kid } = keysNow()[0]!;
      const at = Math.floor(now().getTime() / 1_000);
      return new SignJWT(rightsOf(actor))
        .setProtectedHeader({ alg: "EdDSA", typ: "JWT", kid })
        .setIssuer(issuer)
        .setSubject(actor.ref)
        .setAudience(audience)
        .setJti(newId())
        .setIssuedAt(at)
        .setExpirationTime(at + lifetimeSeconds)
        .sign(key);
    },
  };
}

interface SigningKey {
  key: KeyObject;
  kid: string;
  published: Record<string, string>;
}

function signingKey(seed: Buffer): SigningKey {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: "der", type: "pkcs8" });
  const { kty = "", crv = "", x = "" } = createPublicKey(key).export({ format: "jwk" });
  const kid = createHash("sha256").update(x).digest("base64url").slice(0, 16);
  return { key, kid, published: { kty, crv, x, kid, alg: "EdDSA", use: "sig" } };
}
