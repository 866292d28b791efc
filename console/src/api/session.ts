import { queryOptions, useQuery } from "@tanstack/react-query";
import type { AuthComponents } from "plinth-client";
import { basePath } from "./base-path.ts";
import { api } from "./client.ts";
import { call, statusOf } from "./error.ts";
import { keys } from "./keys.ts";

export interface Caller {
  ref: string;
  provider: string;
  roles: string[];
  scopes: string[];
  groups: string[];
}

export interface SignInProvider {
  name: string;
  title: string;
  signInUrl: string;
}

export interface Session {
  /** null: nobody is signed in. */
  caller: Caller | null;
  /** Let in without sign-in, as on a developer's machine. */
  isGuest: boolean;
  session: { id: string; startedAt: string; expiresAt: string; endsAt: string } | null;
  providers: SignInProvider[];
  mode: "development" | "production";
  version: string;
  environments: string[];
}

const path = `${basePath}/api/auth/v1/browser/session`;

/** Who is signed in, and where one can sign in. Answered for everybody. */
export const sessionQuery = queryOptions({
  queryKey: keys.session,
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Session> => {
    const response = await fetch(path, { signal, headers: { accept: "application/json" } });
    return response.ok ? ((await response.json()) as Session) : sessionOfCaller();
  },
});

/** From a server that has no sessions for browsers. */
const sessionOfCaller = async (): Promise<Session> => {
  const { data: environments } = await call(api.coordinator.GET("/api/coordinator/v1/environments"));
  const caller = await call(api.auth.GET("/api/auth/v1/whoami")).catch((error: unknown) => {
    if (statusOf(error) === 401) return null;
    throw error;
  });
  return {
    caller: caller && { ...(caller satisfies AuthComponents["schemas"]["Caller"]), groups: [] },
    isGuest: caller?.provider === "guest",
    session: null,
    providers: [],
    mode: "development",
    version: "",
    environments: environments.map(({ name }) => name),
  };
};

export const useSession = (): Session | undefined => useQuery(sessionQuery).data;

/** Whether the caller has one of the roles: to hide what would be refused. The server decides. */
export const useHasRole = (...roles: string[]): boolean =>
  useSession()?.caller?.roles.some((role) => roles.includes(role)) ?? false;

/** Leaves for the identity provider and comes back to where one was. */
export const signInAddress = (provider: SignInProvider, returnTo: string): string =>
  `${provider.signInUrl}&returnTo=${encodeURIComponent(returnTo)}`;

/** Ends the session; resolves to where to go then. */
export const signOut = async (): Promise<string> => {
  const response = await fetch(`${basePath}/api/auth/v1/browser/sign-out`, {
    method: "POST",
    headers: { "x-plinth-console": "1" },
  });
  const { endSessionUrl } = response.ok
    ? ((await response.json()) as { endSessionUrl: string | null })
    : { endSessionUrl: null };
  return endSessionUrl ?? `${basePath}/sign-in`;
};
