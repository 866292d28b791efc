import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { AuthExtra } from "../context.ts";
import { exchangeAccessToken, exchangeSession, getCaller, getUserInfo } from "./service.ts";
import {
  accessTokenBody,
  caller,
  jwtAnswer,
  sessionAnswer,
  sessionBody,
  signInView,
  userInfo,
} from "./schema.ts";

/** The first two and the paths are those of earlier releases; who the caller is has the shape of Backstage. */
export function addSessionRoutes(app: AreaApp<AuthExtra>): void {
  const tags = ["Signing in"];
  route(app, {
    id: "exchangeAccessToken",
    method: "POST",
    path: "/access-tokens/jwt",
    summary: "Get a JWT for a token",
    description:
      "The token in the body is the credential. The JWT is good for the wanted scopes, as long as the token is. Clients may send " +
      "the token itself as well, wherever a bearer token is taken.",
    tags,
    rule: "exchangeAccessToken",
    body: accessTokenBody,
    response: { 200: jwtAnswer },
    errors: [401, 403],
    handler: (ctx, { body }) => exchangeAccessToken(ctx, body),
  });
  route(app, {
    id: "exchangeSessionToken",
    method: "POST",
    path: "/session-tokens/jwt",
    summary: "Get a JWT for the caller's session",
    description:
      "For whatever the request is signed in with: a JWT of an identity provider, a fixed token, a token that was made here. " +
      "It is good for no more and no longer. The session is listed with the caller's tokens and can be revoked like these.",
    tags,
    rule: "exchangeSessionToken",
    body: sessionBody,
    response: { 200: sessionAnswer },
    errors: [403, 409],
    handler: (ctx, { body, raw }) => exchangeSession(ctx, body, raw.headers),
  });
  route(app, {
    id: "getUserInfo",
    method: "GET",
    path: "/v1/userinfo",
    summary: "Get who the caller is",
    description: "The user, and the groups of the catalogue that the user is in.",
    tags,
    rule: "getUserInfo",
    response: { 200: userInfo },
    errors: [400],
    handler: (ctx, { raw }) => getUserInfo(ctx, raw.headers),
  });
  route(app, {
    id: "getCaller",
    method: "GET",
    path: "/v1/whoami",
    summary: "Get who the caller is, with roles and scopes",
    description: "For people and programs alike, whatever they are signed in with.",
    tags,
    rule: "getCaller",
    response: { 200: caller },
    handler: (ctx, { raw }) => getCaller(ctx, raw.headers),
  });
  route(app, {
    id: "getSignIn",
    method: "GET",
    path: "/v1/sign-in",
    summary: "Get where people sign in",
    description:
      "What a client on a command line needs to sign somebody in at the identity provider, by the device authorization grant (RFC 8628).",
    tags,
    rule: "getSignIn",
    response: { 200: signInView },
    handler: ({ auth }) => ({ providers: auth.signIn, maxSeconds: auth.settings.maxJwtSeconds }),
  });
}
