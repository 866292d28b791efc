import { Failure } from "../../platform/errors/failure.ts";

/** What somebody without a sign-in can do instead. */
export const otherWays = [
  "Or use a token: `plinth token create` makes one where you are signed in; give it as PLINTH_TOKEN, or to `plinth context set <name> --token-stdin`.",
];

/** The sign-in has ended, or can't begin. */
export const signInFailure = (message: string, solutions: string[] = [], cause?: unknown): Failure =>
  new Failure({ kind: "unauthenticated", code: "CLI_SIGN_IN", message, solutions, cause });

/** The identity provider can't be asked now. */
export const providerAway = (issuer: string, reason: string, cause?: unknown): Failure =>
  new Failure({
    kind: "unavailable",
    code: "CLI_PROVIDER_AWAY",
    message: `The identity provider ${issuer} can't be asked: ${reason}.`,
    solutions: ["Try again; if it stays, check that this machine reaches the identity provider."],
    cause,
  });
