import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { AuthExtra } from "../context.ts";
import { browserSession, signedOut, signInAnswer, signInQuery } from "./browser-schema.ts";
import { getBrowserSession, signOut } from "./browser-service.ts";
import { beginSignIn, endSignIn } from "./browser-sign-in.ts";

/** What a web page signs people in and out with, and asks first. */
export function addBrowserRoutes(app: AreaApp<AuthExtra>): void {
  const tags = ["Signing in with a browser"];
  const led = { 302: { description: "Where the browser goes next.", noBody: true } } as const;
  const failures =
    "What goes wrong leads to `/sign-in?error=…` with one of denied, expired, provider, unavailable, refused, unknown-provider.";
  route(app, {
    id: "getBrowserSession",
    method: "GET",
    path: "/v1/browser/session",
    summary: "Get who is signed in, and where people sign in",
    description:
      "For whatever the request comes with: the cookie of a session, a bearer token, nothing. Credentials that are not accepted count as " +
      "none, and a cookie that is not accepted is taken from the browser. While the identity provider of a session can't be asked, the caller " +
      "is who it was when it was asked last, and other operations are refused with 503.",
    tags,
    rule: "getBrowserSession",
    readsCaller: true,
    response: { 200: browserSession },
    handler: (ctx, exchange) => getBrowserSession(ctx, exchange),
  });
  route(app, {
    id: "beginBrowserSignIn",
    method: "GET",
    path: "/v1/browser/sign-in",
    summary: "Begin a sign-in with a browser",
    description: `Sends the browser to the identity provider, with PKCE and a nonce. ${failures}`,
    tags,
    rule: "beginBrowserSignIn",
    query: signInQuery,
    response: led,
    handler: (ctx, { query, ...exchange }) => beginSignIn(ctx, query, exchange),
  });
  route(app, {
    id: "endBrowserSignIn",
    method: "GET",
    path: "/v1/browser/callback",
    summary: "End a sign-in with a browser",
    description:
      "Where the identity provider leads the browser back to. The browser gets the cookie of a new session, and the session that it had " +
      `before ends. ${failures} Audited.`,
    tags,
    rule: "endBrowserSignIn",
    query: signInAnswer,
    response: led,
    handler: (ctx, exchange) => endSignIn(ctx, exchange),
  });
  route(app, {
    id: "signOut",
    method: "POST",
    path: "/v1/browser/sign-out",
    summary: "Sign out of a browser",
    description:
      "Ends the session of the cookie, whose event streams end within seconds, and takes the cookie from the browser. Needs the header " +
      "`X-Plinth-Console: 1`. The identity provider need not be there. Audited.",
    tags,
    rule: "signOut",
    readsCaller: true,
    response: { 200: signedOut },
    errors: [403],
    handler: (ctx, exchange) => signOut(ctx, exchange),
  });
}
