import type { GuestSettings } from "../config/schema/schema-auth.ts";
import { isLoopbackHost } from "../config/rules/loopback.ts";
import type { Actor } from "../lib/actor.ts";

export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface Remote {
  /** Whether the connection comes from this machine. */
  loopback: boolean;
}

export interface GuestAccess {
  actor: Actor;
  /** Why this request is not admitted as a guest, or undefined. */
  refusal(headers: RequestHeaders, remote: Remote): string | undefined;
}

/**
 * Requests without credentials. A connection from this machine is not enough: a web page that is open in a
 * browser here can send requests too, directly or by a name of its own that leads to 127.0.0.1, and a proxy on
 * this machine passes on requests of others. All of these show in headers.
 */
export function createGuestAccess(settings: GuestSettings): GuestAccess {
  const actor: Actor = Object.freeze({
    ref: settings.userEntityRef,
    roles: Object.freeze([...settings.roles]),
    provider: "guest",
    ...(settings.domains === undefined ? {} : { domains: Object.freeze([...settings.domains]) }),
  });
  if (settings.dangerouslyAllowInProduction) return { actor, refusal: () => undefined };
  return { actor, refusal };
}

function refusal(headers: RequestHeaders, remote: Remote): string | undefined {
  if (!remote.loopback) return "Guest access works only from the machine of the server.";
  if (headers["x-forwarded-for"] !== undefined || headers["forwarded"] !== undefined) {
    return "Guest access does not work through a proxy.";
  }
  const { host, origin } = headers;
  if (host !== undefined && !(typeof host === "string" && isLoopbackHost(withoutPort(host)))) {
    return "Guest access works only under a loopback address such as localhost.";
  }
  const foreign =
    headers["sec-fetch-site"] === "cross-site" || (origin !== undefined && !isLoopbackOrigin(origin));
  return foreign ? "Guest access does not work from pages of other sites." : undefined;
}

const withoutPort = (host: string): string => host.replace(/:\d{1,5}$/, "");

const isLoopbackOrigin = (origin: string | string[]): boolean =>
  typeof origin === "string" && URL.canParse(origin) && isLoopbackHost(new URL(origin).hostname);
