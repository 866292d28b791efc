/** The platform's own session for a sign-in at an identity provider. */
import { Failure } from "../../platform/errors/failure.ts";
import type { SignIn } from "../contexts/context-file.ts";
import { callServer, type Server } from "../client/http.ts";

export interface Session {
  token: string;
  sessionId: string;
  expiresAt: string;
  renewAt: string;
}

interface SessionJwt {
  jwt: string;
  expires_in: number;
  session_id: string;
}

/** It is renewed a little before it ends. */
const earlierMs = 30_000;

/** Exchanges the first of the provider's tokens that the server accepts. */
export async function beginSession(
  server: Server,
  candidates: readonly string[],
  { name, seconds }: { name: string; seconds: number },
): Promise<Session> {
  let refusal: Failure | undefined;
  for (const token of candidates) {
    try {
      const { body } = await callServer<SessionJwt>(
        { url: server.url, token, tokenFrom: "the identity provider", isSignIn: true, signal: server.signal },
        {
          method: "POST",
          path: "/api/auth/session-tokens/jwt",
          body: { duration_seconds: seconds, session_name: name },
        },
      );
      return sessionOf(body);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== "unauthenticated") throw error;
      refusal ??= error;
    }
  }
  throw new Failure({
    kind: "unauthenticated",
    code: refusal!.code,
    message: `The server does not accept the tokens of the identity provider: ${refusal!.message}`,
    solutions: [
      "Ask an operator whether audience and otherAudiences of the provider name what its tokens are for, and to set commandLine.parameters.",
    ],
    cause: refusal,
  });
}

function sessionOf({ jwt, expires_in: seconds, session_id: sessionId }: SessionJwt): Session {
  const endsMs = Date.now() + seconds * 1_000;
  const renewMs = endsMs - Math.min(earlierMs, seconds * 100);
  return {
    token: jwt,
    sessionId,
    expiresAt: new Date(endsMs).toISOString(),
    renewAt: new Date(renewMs).toISOString(),
  };
}

/** Revokes the session of a sign-in; nothing is to be done where it has ended. */
export async function endSession(
  server: Server,
  token: string,
  { sessionId, expiresAt }: SignIn,
): Promise<void> {
  if (Date.parse(expiresAt) <= Date.now()) return;
  const { url, signal } = server;
  await callServer(
    { url, token, signal },
    { method: "DELETE", path: `/api/auth/v1/tokens/${encodeURIComponent(sessionId)}` },
  );
}
