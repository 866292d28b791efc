import { queryOptions, useQuery } from "@tanstack/react-query";
import { basePath } from "./base-path.ts";
import { api } from "./client.ts";
import { call } from "./error.ts";
import { keys } from "./keys.ts";
import { keepCaller } from "./session-state.ts";

/** Who is signed in, and where one can sign in. Answered for everybody. */
export const sessionQuery = queryOptions({
  queryKey: keys.session,
  staleTime: 60_000,
  queryFn: async ({ client, signal }): Promise<Session> =>
    keepCaller(client.getQueryData<Session>(keys.session), await readSession(signal)),
});

const watchMs = 3_000;

/** The same while the session is in doubt or has ended: whether somebody has signed in again, such as in another tab. */
export const sessionWatchQuery = queryOptions({
  queryKey: keys.sessionWatch,
  staleTime: 0,
  gcTime: 0,
  retry: false,
  refetchInterval: watchMs,
  refetchOnWindowFocus: "always",
  queryFn: ({ signal }) => readSession(signal),
});

const readSession = (signal: AbortSignal) => call(api.auth.GET("/api/auth/v1/browser/session", { signal }));

export type Session = Awaited<ReturnType<typeof readSession>>;

export const useSession = (): Session | undefined => useQuery(sessionQuery).data;

/** Whether the caller has one of the roles: to hide what would be refused. The server decides. */
export const useHasRole = (...roles: string[]): boolean =>
  useSession()?.caller?.roles.some((role) => roles.includes(role)) ?? false;

/** Leaves for the identity provider and comes back to where one was. */
export const signInAddress = ({ signInUrl }: { signInUrl: string }, returnTo: string): string =>
  `${signInUrl}&returnTo=${encodeURIComponent(returnTo)}`;

/** Ends the session; resolves to where to go then. */
export const signOut = async (): Promise<string> => {
  const { endSessionUrl } = await call(api.auth.POST("/api/auth/v1/browser/sign-out"));
  return endSessionUrl ?? `${basePath}/sign-in`;
};
