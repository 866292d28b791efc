/** Ends a sign-in: the session at the server, and what could renew it at the identity provider. */
import { Failure } from "../../platform/errors/failure.ts";
import type { Context, SignIn } from "../contexts/context-file.ts";
import { readEndpoints, reachFrom } from "./metadata.ts";
import { revokeRefreshToken } from "./provider-tokens.ts";
import { withoutSlash } from "./renew.ts";
import { endSession } from "./session.ts";

/** What could not be ended, a sentence each. */
export async function endSignIn(
  context: Context & { signIn: SignIn },
  signal: AbortSignal,
): Promise<string[]> {
  const { url, token, signIn } = context;
  const atServer = reasonsOf("The session at the server could not be revoked", async () => {
    if (token === undefined) return;
    await endSession({ url: withoutSlash(url), signal }, token, signIn).catch((error: unknown) => {
      // Revoked already, or unknown by now: there is nothing left to end.
      if (error instanceof Failure && (error.kind === "unauthenticated" || error.kind === "not_found"))
        return;
      throw error;
    });
  });
  const atProvider = reasonsOf(`The sign-in at ${signIn.issuer} could not be revoked`, async () => {
    const { refreshToken } = signIn;
    if (refreshToken === undefined) return;
    const endpoints = await readEndpoints(signIn, reachFrom(url), signal);
    if (!(await revokeRefreshToken({ ...signIn, refreshToken }, endpoints, signal)))
      throw new Error("it does not offer that, or refused");
  });
  return (await Promise.all([atServer, atProvider])).flat();
}

async function reasonsOf(what: string, work: () => Promise<void>): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    return [`${what}: ${error instanceof Error ? error.message : String(error)}`];
  }
}
