/** A server that lets in nobody without sign-in, and the identity provider at which people sign in. */
import { freePort } from "../../support/http-peer.ts";
import { startIdentityProvider } from "../../support/identity-provider/server.ts";
import { clientId, oidcSettings } from "../../auth/browser/console-server.ts";
import { callerOf } from "./caller.ts";
import { startConsoleServer, type ConsoleServer } from "./server.ts";

const adminToken = "token-of-an-administrator-in-the-stories";

/**
 * Whoever signs in has the roles that are answered at that moment. `guest` is a program here, an administrator: nobody is let in
 * as a guest.
 */
export async function startSignInServer(
  roles: () => readonly string[] = () => ["developer"],
): Promise<ConsoleServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const provider = await startIdentityProvider({
    registration: false,
    roles: () => [...roles()],
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
      const tokens = config.auth.providers.service?.[environment]?.tokens ?? [];
      const administrator = { name: "administrator", secret: adminToken, roles: ["admin" as const] };
      config.auth.providers.service = { [environment]: { tokens: [...tokens, administrator] } };
      config.auth.providers.oidc = { [environment]: oidcSettings(provider) };
    },
  });
  return {
    ...server,
    guest: callerOf(server.url, adminToken),
    async close() {
      await server.close();
      await provider.close();
    },
  };
}
