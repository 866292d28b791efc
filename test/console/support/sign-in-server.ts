/** A server that lets in nobody without sign-in, and the identity provider at which people sign in. */
import { freePort } from "../../support/http-peer.ts";
import { startIdentityProvider } from "../../support/identity-provider/server.ts";
import { clientId, oidcSettings } from "../../auth/browser/console-server.ts";
import { startConsoleServer, type ConsoleServer } from "./server.ts";

/** Whoever signs in has those roles. */
export async function startSignInServer(roles: readonly string[] = ["developer"]): Promise<ConsoleServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const provider = await startIdentityProvider({
    registration: false,
    roles: () => [...roles],
    client: {
      id: clientId,
      redirectUri: `${url}/api/auth/v1/browser/callback`,
      afterSignOut: `${url}/sign-in`,
    },
  });
  const server = await startConsoleServer({
    port,
    seeded: "nothing",
    configure(config) {
      const { environment } = config.auth;
      config.auth.providers.guest = undefined;
      config.auth.providers.oidc = { [environment]: oidcSettings(provider) };
    },
  });
  return {
    ...server,
    async close() {
      await server.close();
      await provider.close();
    },
  };
}
