/**
 * Pure. Whether the page that sent a request is one of this server. Browsers add the headers by themselves and no page can change
 * them; programs send neither, so their requests come from no page.
 */
import type { RequestHeaders } from "../guest.ts";

/** The header that scripts of the console send. No form can, and other sites may not send it without being asked for. */
export const consoleHeader = "x-plinth-console";

export type RequestOrigin = "own" | "foreign" | "unknown";

/** @param ownOrigin of `server.baseUrl`; the `Host` that the browser has called counts as well. */
export function requestOrigin(headers: RequestHeaders, ownOrigin: string | undefined): RequestOrigin {
  const site = headers["sec-fetch-site"];
  if (site === "same-origin") return "own";
  // A page of the same site is not ours: another port of this machine, another name of the company.
  if (site !== undefined && site !== "none") return "foreign";
  const { origin, host } = headers;
  if (origin === undefined) return "unknown";
  if (typeof origin !== "string" || !URL.canParse(origin)) return "foreign";
  return origin === ownOrigin || isHost(new URL(origin), host) ? "own" : "foreign";
}

/** Compared as addresses, in which the usual port of a scheme is left out. */
function isHost({ protocol, host }: URL, header: string | string[] | undefined): boolean {
  const text = typeof header === "string" ? `${protocol}//${header}` : "";
  return URL.canParse(text) && new URL(text).host === host;
}
