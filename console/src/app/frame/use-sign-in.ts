import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { basePath } from "../../api/base-path.ts";
import { sessionEnd } from "../../api/client.ts";
import { ownPath } from "../../api/own-path.ts";
import { sessionQuery, type Session } from "../../api/session.ts";
import { useSignal } from "../../api/signal.ts";

/** Leads to the sign-in when nobody is signed in, or no longer, and remembers where one was. */
export const useSignInWhenNeeded = (session: Session | undefined, isSignIn: boolean): void => {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const hasEnded = useSignal(sessionEnd);
  useEffect(() => {
    if (!hasEnded) return;
    sessionEnd.set(false);
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  }, [hasEnded, queries]);
  const isNobody = session !== undefined && session.caller === null;
  useEffect(() => {
    if (!isNobody || isSignIn) return;
    // The server and the router add the proxy's prefix to the addresses that they lead to.
    const returnTo = ownPath(location.pathname + location.search + location.hash, basePath);
    void navigate({ to: "/sign-in", search: { returnTo, reason: wasSignedIn ? "expired" : undefined } });
  }, [isNobody, isSignIn, navigate]);
  useEffect(() => {
    if (session?.caller) wasSignedIn = true;
  }, [session]);
};

/** Of this page since it was loaded: tells a session that ended from one that never began. */
let wasSignedIn = false;
