/** A server at whose identity provider people sign in with a browser, and a browser with its cookies. */
import type { Config } from "../../../src/platform/config/schema/schema.ts";
import { freePort } from "../../support/http-peer.ts";
import { signIn } from "../../support/identity-provider/browser.ts";
import {
  startIdentityProvider,
  type IdentityProvider,
  type IdentityProviderOptions,
} from "../../support/identity-provider/server.ts";
import { startWholeServer, type WholeServer } from "../../support/server.ts";

export const clientId = "plinth-console";
const resource = "urn:plinth";

export interface ConsoleServer {
  url: string;
  server: WholeServer;
  provider: IdentityProvider;
  /** What the provider says of everybody from now on. */
  roles(roles: string[]): void;
  close(): Promise<void>;
}

export interface ConsoleServerOptions {
  provider?: Partial<IdentityProviderOptions>;
  scopes?: string[];
  clientSecret?: string;
  configure?: (config: Config) => void;
}

export async function startConsoleServer(options: ConsoleServerOptions = {}): Promise<ConsoleServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { clientSecret: secret } = options;
  let roles = ["developer"];
  const provider = await startIdentityProvider({
    registration: false,
    client: {
      id: clientId,
      redirectUri: `${url}/api/auth/v1/browser/callback`,
      afterSignOut: `${url}/sign-in`,
      ...(secret !== undefined && { secret }),
    },
    roles: () => roles,
    ...options.provider,
  });
  const server = await startWholeServer({
    workers: "off",
    configure(config) {
      config.server.port = port;
      config.auth.providers = {
        ...config.auth.providers,
        oidc: { default: oidcSettings(provider, options) },
      };
      options.configure?.(config);
    },
  });
  return {
    url,
    server,
    provider,
    roles: (next) => void (roles = next),
    async close() {
      await server.close();
      await provider.close();
    },
  };
}

export const oidcSettings = (
  provider: IdentityProvider,
  {
    scopes = ["openid", "platform"],
    clientSecret,
  }: Pick<ConsoleServerOptions, "scopes" | "clientSecret"> = {},
) => ({
  issuer: provider.issuer,
  audience: resource,
  rolesClaim: "roles",
  defaultRoles: [],
  browser: {
    clientId,
    scopes,
    parameters: { resource },
    ...(clientSecret !== undefined && { clientSecret }),
  },
});

export const bodyOf = (answer: Response): Promise<any> => answer.json();

export interface Browser {
  cookies: Map<string, string>;
  /** What was set last by that name, with its attributes. */
  lines: Map<string, string>;
  /** As a script of a page of that server calls it. */
  call(method: string, path: string, headers?: Record<string, string>): Promise<Response>;
  /** Opens an address and does not follow where it leads. */
  open(url: string | URL): Promise<Response>;
  /** Begins a sign-in, and resolves to where the provider leads the browser, which is not opened. */
  toCallback(as: string, returnTo?: string): Promise<URL>;
  /** Signs in, and resolves to where the browser is led in the end. */
  signIn(as: string, returnTo?: string): Promise<string | null>;
  session(): Promise<any>;
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
}

/** Opens nothing yet. `server` is where its pages are from. */
export function newBrowser(server: string): Browser {
  const cookies = new Map<string, string>();
  const lines = new Map<string, string>();
  const send = async (url: string | URL, init: Sent = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      ...init,
      headers: { ...(cookie !== "" && { cookie }), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      lines.set(name, line);
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const browser: Browser = {
    cookies,
    lines,
    call: (method, path, headers = {}) =>
      send(server + path, {
        method,
        headers: { "x-plinth-console": "1", origin: server, "sec-fetch-site": "same-origin", ...headers },
      }),
    open: (url) => send(url),
    async toCallback(as, returnTo) {
      const query = returnTo === undefined ? "" : `&returnTo=${encodeURIComponent(returnTo)}`;
      const begun = await send(`${server}/api/auth/v1/browser/sign-in?provider=oidc${query}`);
      const location = begun.headers.get("location");
      if (begun.status !== 302 || location === null) throw new Error(`The sign-in answered ${begun.status}.`);
      return signIn(new URL(location), { as, until: `${server}/api/auth/v1/browser/callback` });
    },
    async signIn(as, returnTo) {
      const ended = await send(await browser.toCallback(as, returnTo));
      return ended.headers.get("location");
    },
    session: async () => bodyOf(await browser.call("GET", "/api/auth/v1/browser/session")),
  };
  return browser;
}
