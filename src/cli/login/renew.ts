/** Renews the session of a context whose sign-in can be renewed, once for all processes that want it at the same moment. */
import type { Cli } from "../context.ts";
import { Failure } from "../../platform/errors/failure.ts";
import {
  changeContexts,
  contextFilePath,
  readContexts,
  type Context,
  type SignIn,
} from "../contexts/context-file.ts";
import { withLock } from "../contexts/file-lock.ts";
import { signInFailure } from "./failures.ts";
import { readEndpoints, reachFrom } from "./metadata.ts";
import { refreshTokens } from "./provider-tokens.ts";
import { beginSession } from "./session.ts";

type Env = Cli["env"];

export interface Renewing {
  env: Env;
  signal: AbortSignal;
}

/** Alone among all processes of the user in changing the sign-in of that context. */
export function aloneWith<T>({ env, signal }: Renewing, name: string, work: () => Promise<T>): Promise<T> {
  const path = contextFilePath(env);
  return path === undefined ? work() : withLock(`${path}.${name}.lock`, signal, work);
}

export const contextNamed = (env: Env, name: string): Context | undefined => {
  const { contexts } = readContexts(env);
  return Object.hasOwn(contexts, name) ? contexts[name] : undefined;
};

/** The token of the context that is good now; what is stored where it can't be renewed. */
export async function renewedToken(renewing: Renewing, name: string): Promise<string | undefined> {
  const { env } = renewing;
  const context = contextNamed(env, name);
  if (context === undefined || !isDue(context)) return context?.token;
  return aloneWith(renewing, name, async () => {
    // Another process may have renewed it, or signed out, meanwhile.
    const now = contextNamed(env, name);
    return now !== undefined && isDue(now) ? renew(renewing, name, now) : now?.token;
  });
}

type Due = Context & { signIn: SignIn & { refreshToken: string } };

const isDue = (context: Context): context is Due =>
  context.signIn?.refreshToken !== undefined && Date.parse(context.signIn.renewAt) <= Date.now();

async function renew({ env, signal }: Renewing, name: string, context: Due): Promise<string> {
  const { url, signIn } = context;
  try {
    const endpoints = await readEndpoints(signIn, reachFrom(url), signal);
    const { candidates, refreshToken } = await refreshTokens(signIn, endpoints, signal);
    // The new refresh token is stored before the server has accepted anything: the identity provider may have ended the former one.
    store(env, name, signIn, { signIn: { ...signIn, ...(refreshToken !== undefined && { refreshToken }) } });
    const { token, ...session } = await beginSession({ url: withoutSlash(url), signal }, candidates, {
      name: signIn.sessionName,
      seconds: signIn.sessionSeconds,
    });
    store(env, name, signIn, {
      token,
      signIn: { ...signIn, ...(refreshToken !== undefined && { refreshToken }), ...session },
    });
    return token;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== "unauthenticated") throw error;
    throw signInFailure(
      error.message,
      [`Sign in again: plinth login --context ${name}`, ...error.solutions],
      error,
    );
  }
}

export const withoutSlash = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, "");
};

/** Changes what is stored of this sign-in; nothing where the context has another one by now, or none. */
function store(env: Env, name: string, signIn: SignIn, change: Partial<Context>): void {
  changeContexts(env, (contexts) => {
    const now = Object.hasOwn(contexts.contexts, name) ? contexts.contexts[name] : undefined;
    if (now?.signIn?.sessionName !== signIn.sessionName) return contexts;
    return { ...contexts, contexts: { ...contexts.contexts, [name]: { ...now, ...change } } };
  });
}
