/** Which requests of browsers are taken, though a browser sends its cookies with those of other sites too. */
import type { RequestHeaders } from "../guest.ts";
import { authFailure } from "../errors.ts";
import { cookieValues } from "./cookies.ts";
import { consoleHeader, requestOrigin } from "./request-origin.ts";

/** @param method null where it is only found out whether a request from before is still good. */
export const mayChange = (method: string | null): boolean =>
  method !== null && method !== "GET" && method !== "HEAD";

/** The value of the cookie; undefined where there is none. */
export function sessionValue({ cookie }: RequestHeaders, name: string): string | undefined {
  if (typeof cookie !== "string") return undefined;
  const [value, ...others] = cookieValues(cookie, name);
  // Another path or name of the site has set one of its own, and nobody can say which is right.
  if (others.some((other) => other !== value))
    throw authFailure("PLATFORM_SESSION_ENDED", "The browser has sent two sessions.");
  return value;
}

/** The header of a console page that nobody attends to: it says so itself, and all it can lose is a longer session. */
const unattendedHeader = "x-plinth-unattended";

/**
 * Whether the request moves the end of its session on. What only watches an open stream does not, nor does what a forgotten page asks by
 * its timers.
 */
export const isUse = (headers: RequestHeaders, method: string | null): boolean =>
  method !== null && headers[unattendedHeader] === undefined;

/** With the cookie of a session the page has to be this server's own, and its script has to send the header. */
export function refuseOtherPages(headers: RequestHeaders, ownOrigin: string | undefined): void {
  if (headers[consoleHeader] !== "1")
    throw authFailure("PLATFORM_CROSS_SITE", "The request lacks the header X-Plinth-Console: 1.");
  if (requestOrigin(headers, ownOrigin) !== "own")
    throw authFailure("PLATFORM_CROSS_SITE", "The request does not come from a page of this server.");
}

/** The guest needs no credentials, so that any page which is open here could act as it. Programs name no page and go on as before. */
export function refuseForeignPages(headers: RequestHeaders, ownOrigin: string | undefined): void {
  if (requestOrigin(headers, ownOrigin) === "foreign")
    throw authFailure("PLATFORM_CROSS_SITE", "A page of another site can't change anything as the guest.");
}
