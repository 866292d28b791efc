/** Wire shapes of JWTs, and of who the caller is and where people sign in. */
import { Type, type Static } from "typebox";
import { time } from "../schema.ts";

const wanted = {
  duration_seconds: Type.Integer({
    minimum: 1,
    maximum: 604_800,
    default: 3_600,
    description:
      "Life of the JWT: at most accessTokens.maxJwtSeconds, and never longer than what it is got for.",
  }),
  scope: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: "Scopes with blanks between. Not given: those of what it is got for.",
    }),
  ),
};

export const accessTokenBody = Type.Object({
  access_token: Type.String({ minLength: 1, maxLength: 8_192, description: "The token." }),
  ...wanted,
});

export const sessionBody = Type.Object({
  ...wanted,
  session_name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: "^\\P{C}+$",
      description:
        "Gives a sign-in a session of its own under that name, which is listed and revoked apart from the owner's others; no JWT " +
        "is issued for it once it was revoked. A token that was made here has none: its JWTs end with the token.",
    }),
  ),
});
export type WantedSession = Static<typeof sessionBody>;
export type WantedJwt = Omit<WantedSession, "session_name">;

export const jwtAnswer = Type.Object({
  jwt: Type.String({ description: "A bearer token." }),
  expires_in: Type.Integer({ description: "Seconds." }),
  scope: Type.String(),
});
export type JwtAnswer = Static<typeof jwtAnswer>;

export const sessionAnswer = Type.Object({
  ...jwtAnswer.properties,
  session_id: Type.String({
    description: "Of the session or token that the JWT stands for, by which it is revoked.",
  }),
});
export type SessionAnswer = Static<typeof sessionAnswer>;

export const caller = Type.Object({
  ref: Type.String({ description: "Who the caller acts as." }),
  provider: Type.String({ description: "What vouches for the caller: the name of a provider, or guest." }),
  roles: Type.Array(Type.String()),
  scopes: Type.Array(Type.String(), { description: "What the credentials are good for." }),
  tokenId: Type.Union([Type.String(), Type.Null()], {
    description: "Of the token or session, where the credentials were made here.",
  }),
  expiresAt: Type.Union([time, Type.Null()], {
    description: "When the credentials expire, as far as that is known.",
  }),
});
export type Caller = Static<typeof caller>;

export const userInfo = Type.Object({
  claims: Type.Object({
    sub: Type.String({ description: "The user." }),
    ent: Type.Array(Type.String(), { description: "The user and the groups that the user is in." }),
    exp: Type.Optional(Type.Integer({ description: "When the token expires, where it is a JWT." })),
  }),
});
export type UserInfo = Static<typeof userInfo>;

export const signInView = Type.Object({
  providers: Type.Array(
    Type.Object({
      name: Type.String(),
      issuer: Type.String(),
      metadataUrl: Type.String({ description: "Where its endpoints are." }),
      clientId: Type.String(),
      scopes: Type.Array(Type.String()),
      parameters: Type.Record(Type.String(), Type.String(), {
        description: "What else it wants when a sign-in begins.",
      }),
    }),
    { description: "Identity providers at which the command line can sign in." },
  ),
  maxSeconds: Type.Integer({ description: "The longest life of a JWT for a session." }),
});
