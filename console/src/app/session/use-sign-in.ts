import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { basePath } from "../../api/base-path.ts";
import { ownPath } from "../../api/own-path.ts";
import type { Session } from "../../api/session.ts";

/** The address that the page is at. The server and the router add the proxy's prefix to the addresses that they lead to. */
export const currentPath = (): string =>
  ownPath(location.pathname + location.search + location.hash, basePath);

/** Leads to the sign-in when nobody is signed in, and remembers where one was. */
export const useSignInWhenNeeded = (session: Session | undefined, isSignIn: boolean): void => {
  const navigate = useNavigate();
  const isNobody = session !== undefined && session.caller === null;
  useEffect(() => {
    if (isNobody && !isSignIn) void navigate({ to: "/sign-in", search: { returnTo: currentPath() } });
  }, [isNobody, isSignIn, navigate]);
};
