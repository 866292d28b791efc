/** Wire shapes of sessions of browsers. */
import { Type, type Static } from "typebox";
import { time } from "../schema.ts";

export const browserCaller = Type.Object({
  ref: Type.String({ description: "Who the caller acts as." }),
  provider: Type.String({ description: "What vouches for the caller: the name of a provider, or guest." }),
  roles: Type.Array(Type.String()),
  scopes: Type.Array(Type.String(), { description: "What the credentials are good for." }),
  groups: Type.Array(Type.String(), { description: "The groups of the catalogue that the caller is in." }),
});

export const browserSession = Type.Object({
  caller: Type.Union([browserCaller, Type.Null()], { description: "Null where nobody is signed in." }),
  isGuest: Type.Boolean({
    description:
      "Whether the caller needs no credentials, as in development; then there is nothing to sign out of.",
  }),
  session: Type.Union(
    [
      Type.Object({
        id: Type.String({ description: "As in the list of tokens, by which it can be revoked." }),
        startedAt: time,
        expiresAt: Type.String({ format: "date-time", description: "Its end where it is not used before." }),
        endsAt: Type.String({ format: "date-time", description: "Its end however much it is used." }),
      }),
      Type.Null(),
    ],
    { description: "Null where the request has no cookie of one." },
  ),
  providers: Type.Array(
    Type.Object({
      name: Type.String(),
      title: Type.String({ description: "How it is called on a sign-in page." }),
      signInUrl: Type.String({ description: "Where the browser goes; `&returnTo=` may be added." }),
    }),
    { description: "Identity providers at which people sign in with a browser." },
  ),
  mode: Type.Union([Type.Literal("development"), Type.Literal("production")]),
  version: Type.String({ description: "Of the server." }),
  environments: Type.Array(Type.String(), { description: "Names, the first in order first." }),
});
export type BrowserSessionView = Static<typeof browserSession>;

export const signInQuery = Type.Object({
  provider: Type.Optional(
    Type.String({ minLength: 1, maxLength: 63, description: "Not given: the only one that there is." }),
  ),
  returnTo: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description:
        "Where the browser is led afterwards: a path of this server of at most 500 characters that begins with one slash. Anything else counts as `/`.",
    }),
  ),
});
export type SignInQuery = Static<typeof signInQuery>;

const parameter = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

export const signInAnswer = Type.Object({
  state: parameter(8_192),
  code: parameter(4_096),
  iss: parameter(2_048),
  error: parameter(128),
  error_description: parameter(2_048),
});

export const signedOut = Type.Object({
  endSessionUrl: Type.Union([Type.String(), Type.Null()], {
    description: "Where the identity provider ends its own session, if it has such a page.",
  }),
});
export type SignedOut = Static<typeof signedOut>;
