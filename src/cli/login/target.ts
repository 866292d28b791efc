/** Pure. Which server `plinth login` signs in to, and which context keeps the sign-in. */
import { isLoopbackHost } from "../../platform/config/rules/loopback.ts";
import type { Context, Contexts } from "../contexts/context-file.ts";
import { defaultUrl, unknownContext } from "../contexts/resolve.ts";
import { inputFailure } from "../exit-codes.ts";
import { otherWays } from "./failures.ts";

export interface Target {
  name: string;
  url: string;
  /** As it is now. */
  context: Context | undefined;
}

export interface GivenTarget {
  url?: string | undefined;
  context?: string | undefined;
}

/** A context that is named, else the one of the address, else a new one with the name of the host. */
export function chooseTarget(
  given: GivenTarget,
  env: Readonly<Record<string, string | undefined>>,
  contexts: Contexts,
): Target {
  const named = given.context ?? (given.url === undefined ? env["PLINTH_CONTEXT"] || undefined : undefined);
  const address = given.url ?? (given.context === undefined ? env["PLINTH_URL"] || undefined : undefined);
  const own = (name: string): Context | undefined =>
    Object.hasOwn(contexts.contexts, name) ? contexts.contexts[name] : undefined;
  if (named !== undefined && (given.context !== undefined || address === undefined)) {
    const context = own(named);
    const url = address ?? context?.url;
    if (url === undefined)
      throw unknownContext(named, contexts, given.context === undefined ? "PLINTH_CONTEXT" : "--context");
    return { name: named, url, context };
  }
  if (address === undefined && contexts.current !== undefined) {
    const context = own(contexts.current);
    if (context !== undefined) return { name: contexts.current, url: context.url, context };
  }
  const url = address ?? defaultUrl;
  const known = contextOf(contexts, url);
  const name = known ?? hostName(url);
  return { name, url, context: own(name) };
}

const addressOf = (url: string): string => (URL.canParse(url) ? new URL(url).href.replace(/\/+$/, "") : url);

/** The current context comes first where several have the address. */
function contextOf({ current, contexts }: Contexts, url: string): string | undefined {
  const names = Object.keys(contexts).filter((name) => addressOf(contexts[name]!.url) === addressOf(url));
  return names.find((name) => name === current) ?? names[0];
}

const hostName = (url: string): string =>
  (URL.canParse(url) ? new URL(url).host : "")
    .replace(/[^A-Za-z0-9.-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 64) || "default";

/** Without TLS anybody between could say where to sign in, and read the token. */
export function refuseUnsafe({ url }: Target): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || isLoopbackHost(hostname)) return;
  throw inputFailure("A sign-in needs a server at an address of https, or one on this machine.", {
    where: url,
    solutions: ["Give the address of https with --url.", ...otherWays],
  });
}
