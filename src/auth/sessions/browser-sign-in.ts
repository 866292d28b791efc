/** People sign in with a browser: sent to the identity provider, and back with a session. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { clearCookie, cookieValues, onlyCookie, setCookie } from "../../platform/auth/browser/cookies.ts";
import { firstGood, renewalTime } from "../../platform/auth/browser/renewal.ts";
import { aboutSession, endSession, insertBrowserSession } from "../../platform/auth/browser/session-store.ts";
import { hashOf, type VouchedFor } from "../../platform/auth/tokens/stored-tokens.ts";
import { storeOwner } from "../../platform/auth/tokens/token-store.ts";
import { isLoopbackHost } from "../../platform/config/rules/loopback.ts";
import { inTransaction, type Transaction } from "../../platform/db/database.ts";
import { newId, newSecret } from "../../platform/lib/ids.ts";
import { writeAudit, type AuthContext } from "../context.ts";
import { insertToken } from "../tokens/store.ts";
import { readPending, sealPending, signInMs, type PendingSignIn } from "./pending.ts";
import { returnPath } from "./return-to.ts";
import type { SignInQuery } from "./browser-schema.ts";
import { listSurplus } from "./browser-store.ts";

/** Why a sign-in has failed, in the address of the page that says so. */
export type SignInProblem =
  | "denied"
  | "expired"
  | "provider"
  | "unavailable"
  | "refused"
  | "unknown-provider";

const callbackPath = "/api/auth/v1/browser/callback";
/** Older sessions of the same person end where there are more. */
const maxSurplus = 100;

interface Exchange {
  raw: FastifyRequest;
  reply: FastifyReply;
}

/** Sends the browser to the provider. */
export async function beginSignIn(
  ctx: AuthContext,
  query: SignInQuery,
  { raw, reply }: Exchange,
): Promise<void> {
  const { sessions, secrets } = ctx.auth;
  const name =
    query.provider ?? (sessions.providers.length === 1 ? sessions.providers[0]?.name : undefined) ?? "";
  const client = sessions.client(name);
  const returnTo = returnPath(query.returnTo);
  if (client === undefined) return lead(reply, problemPath(ctx, "unknown-provider", returnTo));
  const pending: PendingSignIn = {
    provider: name,
    state: newSecret(),
    nonce: newSecret(),
    verifier: newSecret(),
    returnTo,
    redirectUri: `${ownAddress(ctx, raw)}${callbackPath}`,
    untilMs: ctx.now().getTime() + signInMs,
  };
  const url = await client.authorizationUrl(pending, pending.redirectUri);
  if ("refusal" in url) {
    ctx.log.warn({ provider: name, reason: url.why }, "a sign-in could not begin");
    const problem = url.refusal === "unavailable" ? "unavailable" : "provider";
    return lead(reply, problemPath(ctx, problem, returnTo));
  }
  const others = readPending(cookieOf(ctx, raw), secrets, ctx.now().getTime());
  const { cookies } = sessions;
  const value = sealPending([...others, pending], secrets);
  const cookie = setCookie({ name: cookies.signIn, value, maxAgeSeconds: signInMs / 1_000 }, cookies);
  return lead(reply, url.href, [cookie]);
}

/** Ends what the browser has begun: with a new session, whatever it had before. */
export async function endSignIn(ctx: AuthContext, { raw, reply }: Exchange): Promise<void> {
  const { sessions, secrets } = ctx.auth;
  const { cookies } = sessions;
  const answer = new URL(raw.url, "http://nowhere.invalid");
  const all = readPending(cookieOf(ctx, raw), secrets, ctx.now().getTime());
  const pending = all.find(({ state }) => state === answer.searchParams.get("state"));
  if (pending === undefined) return lead(reply, problemPath(ctx, "expired"));
  // It is used up, however it ends.
  const rest = all.filter((other) => other !== pending);
  const after =
    rest.length === 0
      ? clearCookie(cookies.signIn, cookies)
      : setCookie(
          { name: cookies.signIn, value: sealPending(rest, secrets), maxAgeSeconds: signInMs / 1_000 },
          cookies,
        );
  const signedIn = await exchange(ctx, pending, answer);
  if (typeof signedIn === "string") return lead(reply, problemPath(ctx, signedIn, pending.returnTo), [after]);
  const { value, maxAgeSeconds } = await begin(ctx, pending, { ...signedIn, before: sessionOf(ctx, raw) });
  const session = setCookie({ name: cookies.session, value, maxAgeSeconds }, cookies);
  return lead(reply, reply.server.publicPrefix + pending.returnTo, [session, after]);
}

interface SignedIn {
  vouched: VouchedFor;
  refreshToken: string | null;
}

async function exchange(
  ctx: AuthContext,
  pending: PendingSignIn,
  answer: URL,
): Promise<SignedIn | SignInProblem> {
  const { sessions, tokens } = ctx.auth;
  const { provider } = pending;
  const note = (reason: string) => ctx.log.warn({ provider, reason }, "a sign-in has failed");
  const issued = await sessions
    .client(provider)
    ?.exchange(new URL(pending.redirectUri + answer.search), pending);
  if (issued === undefined) return "unknown-provider";
  if ("refusal" in issued) {
    note(issued.why);
    return issued.refusal === "not-accepted" ? "expired" : issued.refusal;
  }
  const vouched = await firstGood(tokens, provider, issued.candidates);
  if (!("kind" in vouched)) return { vouched, refreshToken: issued.refreshToken };
  note(vouched.message);
  return vouched.kind === "unavailable" ? "unavailable" : "refused";
}

interface Beginning extends SignedIn {
  /** The value of the cookie that the browser had. */
  before: string | undefined;
}

async function begin(
  ctx: AuthContext,
  { provider }: PendingSignIn,
  { vouched, refreshToken, before }: Beginning,
): Promise<{ value: string; maxAgeSeconds: number }> {
  const { database, sessions, secrets, tokens } = ctx.auth;
  const { actor, issuedAtMs, expiresAtMs } = vouched;
  const at = ctx.now();
  const id = newId();
  const value = newSecret();
  const vouchedUntil = new Date(expiresAtMs);
  const longest = sessions.lastEnd(at);
  const endsAt = refreshToken === null && vouchedUntil < longest ? vouchedUntil : longest;
  const idleEnd = sessions.idleEnd(at);
  const row = {
    id,
    kind: "session",
    owner: actor.ref,
    name: `browser session of ${provider}`,
    hash: hashOf(value),
    ending: null,
    roles: [...actor.roles].toSorted(),
    scopes: actor.scopes ?? ["all"],
    createdAt: at,
    createdBy: actor.ref,
    expiresAt: idleEnd < endsAt ? idleEnd : endsAt,
  } as const;
  const ended = await inTransaction(database, async (tx) => {
    await storeOwner(tx, {
      ref: actor.ref,
      source: "signed",
      provider,
      roles: [...actor.roles],
      domains: actor.domains === undefined ? null : [...actor.domains],
      knownAt: new Date(Math.min(issuedAtMs, at.getTime())),
    });
    const others = await endOthers(ctx, tx, { owner: actor.ref, before });
    await insertToken(tx, row);
    await insertBrowserSession(tx, {
      id,
      provider,
      endsAt,
      vouchedUntil,
      renewAt: renewalTime(at, vouchedUntil),
      sealed: refreshToken === null ? null : secrets.seal(Buffer.from(refreshToken), aboutSession(id)),
    });
    const { roles, scopes, expiresAt } = row;
    await writeAudit(
      tx,
      { ...ctx, actor },
      {
        operation: "endBrowserSignIn",
        subject: `token:${id}`,
        detail: { owner: actor.ref, provider, roles, scopes, expiresAt, endsAt },
      },
    );
    return others;
  });
  // They were checked a moment ago, and this process would go by that for some seconds.
  for (const other of ended) tokens.forget(other);
  return { value, maxAgeSeconds: Math.max(1, Math.floor((endsAt.getTime() - at.getTime()) / 1_000)) };
}

/** The session that the browser had, and the oldest ones where the person has too many; resolves to their ids. */
async function endOthers(
  ctx: AuthContext,
  tx: Transaction,
  { owner, before }: { owner: string; before: string | undefined },
): Promise<Set<string>> {
  const { sessions, settings } = ctx.auth;
  const at = ctx.now();
  const surplus = await listSurplus(tx, { owner, keep: settings.perOwner - 1, now: at, limit: maxSurplus });
  const own = before === undefined ? null : await sessions.find(tx, before);
  const ids = new Set([...surplus, ...(own === null ? [] : [own.id])]);
  for (const id of ids) await endSession(tx, id, { by: owner, at });
  return ids;
}

/** None where there are two: another path or name of the site has set one, which would sign the person in as whoever set it. */
const cookieOf = ({ auth }: AuthContext, { headers }: FastifyRequest): string | undefined =>
  onlyCookie(headers.cookie, auth.sessions.cookies.signIn);

const sessionOf = ({ auth }: AuthContext, { headers }: FastifyRequest): string | undefined =>
  cookieValues(headers.cookie, auth.sessions.cookies.session)[0];

/** Without a setting the server is reached on this machine only, by one of several names, each with cookies of its own. */
export function ownAddress(
  { auth }: AuthContext,
  { headers: { host = "" } }: Pick<FastifyRequest, "headers">,
): string {
  if (auth.baseUrl !== undefined) return auth.baseUrl.replace(/\/+$/, "");
  return isLoopbackHost(host.replace(/:\d{1,5}$/, "")) ? `http://${host}` : auth.listensAt;
}

/** With `returnTo`, a path of this server, the next attempt from that page leads to where the first one would have. */
function problemPath({ requestId, auth }: AuthContext, problem: SignInProblem, returnTo = "/"): string {
  const page = `${auth.prefix}/sign-in?error=${problem}&requestId=${encodeURIComponent(requestId)}`;
  return returnTo === "/" ? page : `${page}&returnTo=${encodeURIComponent(returnTo)}`;
}

/** The address that the browser comes from may hold a code, so that it is not passed on. */
function lead(reply: FastifyReply, location: string, cookies: string[] = []): void {
  void reply.headers({ location, "cache-control": "no-store", "referrer-policy": "no-referrer" });
  if (cookies.length > 0) void reply.header("set-cookie", cookies);
}
