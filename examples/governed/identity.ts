/** A stand-in for the identity provider of a company: its keys over HTTP, and a token for each person. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

export interface IdentityProvider {
  /** What the platform is told of it, below `auth.providers.oidc.default`. */
  settings: object;
  tokenOf(person: string, role: string): Promise<string>;
}

const audience = "plinth";

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const keys = [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256", use: "sig" }];
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify({ keys }));
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  // The example ends when its steps have ended.
  server.unref();
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: { issuer, audience, jwksUrl: `${issuer}/keys` },
    tokenOf: (person, role) =>
      new SignJWT({ roles: [role] })
        .setProtectedHeader({ alg: "ES256", kid: "one" })
        .setSubject(person)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime("1h")
        .sign(privateKey),
  };
}
