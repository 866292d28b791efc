/** Who is signed in with a browser, and how that ends. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { clearCookie, cookieValues, onlyCookie } from "../../platform/auth/browser/cookies.ts";
import { aboutSession, endSession, readBrowserSession } from "../../platform/auth/browser/session-store.ts";
import { inTransaction } from "../../platform/db/database.ts";
import type { Actor } from "../../platform/lib/actor.ts";
import { writeAudit, type AuthContext } from "../context.ts";
import { readTokenRow } from "../tokens/store.ts";
import type { BrowserSessionView, SignedOut } from "./browser-schema.ts";
import { ownAddress } from "./browser-sign-in.ts";

interface Exchange {
  raw: FastifyRequest;
  reply: FastifyReply;
}

/** What a page needs before it shows anything. */
export async function getBrowserSession(ctx: AuthContext, exchange: Exchange): Promise<BrowserSessionView> {
  const { auth } = ctx;
  const caller = await callerOf(ctx, exchange.raw);
  if (caller === null) forgetCookie(ctx, exchange);
  return {
    caller: caller && (await callerView(ctx, caller)),
    isGuest: caller?.provider === "guest",
    session: caller && (await sessionView(ctx, exchange.raw, caller)),
    providers: auth.sessions.providers.map(({ name, settings }) => ({
      name,
      title: settings.browser.title ?? name,
      signInUrl: `${auth.prefix}/api/auth/v1/browser/sign-in?provider=${encodeURIComponent(name)}`,
    })),
    mode: auth.mode,
    version: auth.version,
    environments: [...auth.environments],
  };
}

/** Null where nobody is signed in. While the provider of a session can't be asked: who it was when it was asked last. */
async function callerOf({ actor, auth }: AuthContext, { headers }: FastifyRequest): Promise<Actor | null> {
  if (actor.provider !== "none") return actor;
  if (headers.authorization !== undefined) return null;
  const value = onlyCookie(headers.cookie, auth.sessions.cookies.session);
  return value === undefined ? null : auth.sessions.lastKnown(value);
}

async function callerView(
  { auth }: AuthContext,
  { ref, provider, roles, scopes = ["all"] }: Actor,
): Promise<BrowserSessionView["caller"]> {
  const groups = ref.startsWith("user:") ? await auth.readGroups(ref) : [];
  return { ref, provider, roles: [...roles], scopes: [...scopes], groups };
}

async function sessionView(
  { auth }: AuthContext,
  { headers }: FastifyRequest,
  actor: Actor,
): Promise<BrowserSessionView["session"]> {
  if (actor.tokenId === undefined || headers.authorization !== undefined) return null;
  const { db } = auth.database;
  const [stored, session] = await Promise.all([
    readTokenRow(db, actor.tokenId),
    readBrowserSession(db, { id: actor.tokenId }),
  ]);
  if (stored === null || session === null) return null;
  return {
    id: session.id,
    startedAt: session.startedAt.toISOString(),
    expiresAt: stored.expiresAt.toISOString(),
    endsAt: session.endsAt.toISOString(),
  };
}

/** Ends the session of the request, and takes the cookie from the browser. What has ended already changes nothing. */
export async function signOut(ctx: AuthContext, exchange: Exchange): Promise<SignedOut> {
  const { auth } = ctx;
  forgetCookie(ctx, exchange);
  const actor = exchange.raw.headers.authorization === undefined ? await callerOf(ctx, exchange.raw) : null;
  const id = actor?.tokenId;
  const session = id === undefined ? null : await readBrowserSession(auth.database.db, { id });
  if (actor === null || session === null) return { endSessionUrl: null };
  await inTransaction(auth.database, async (tx) => {
    await endSession(tx, session.id, { by: actor.ref, at: ctx.now() });
    await writeAudit(
      tx,
      { ...ctx, actor },
      {
        operation: "signOut",
        subject: `token:${session.id}`,
        detail: { owner: actor.ref, provider: session.provider },
      },
    );
  });
  auth.tokens.forget(session.id);
  const client = auth.sessions.client(session.provider);
  const refreshToken = session.sealed && auth.secrets.open(session.sealed, aboutSession(session.id));
  // The provider may be slow or away, and the session here has ended without it.
  if (refreshToken !== null) void client?.revoke(refreshToken.toString("utf8"));
  return { endSessionUrl: (await client?.endSessionUrl(`${ownAddress(ctx, exchange.raw)}/sign-in`)) ?? null };
}

function forgetCookie({ auth }: AuthContext, { raw, reply }: Exchange): void {
  const { cookies } = auth.sessions;
  if (cookieValues(raw.headers.cookie, cookies.session).length > 0)
    void reply.header("set-cookie", clearCookie(cookies.session, cookies));
}
