import { queryOptions, useQuery } from "@tanstack/react-query";
import { basePath } from "./base-path.ts";
import { api } from "./client.ts";
import { call } from "./error.ts";
import { keys } from "./keys.ts";

/** Who is signed in, and where one can sign in. Answered for everybody. */
export const sessionQuery = queryOptions({
  queryKey: keys.session,
  staleTime: 60_000,
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
