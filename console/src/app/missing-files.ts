/** Files of a page that could not be loaded: the server is away, or a newer one no longer has those of an older build. */
import { useEffect } from "react";
import { doesServerAnswer, reachability } from "../api/client.ts";
import { createSignal, useSignal } from "../api/signal.ts";

const missing = createSignal(false);

/** Nothing reloads the page by itself then, as libraries would: without a server that shows the browser's own error. */
export const watchMissingFiles = (): void =>
  window.addEventListener("vite:preloadError", (event) => {
    event.preventDefault();
    missing.set(true);
  });

const reloadedKey = "plinth-reloaded";

/**
 * Whether the page that is to be shown lacks its files. Loads all anew as soon as the server answers, at this address, and once only, so
 * that a server without the files is no circle.
 */
export const useMissingFiles = (): boolean => {
  const isMissing = useSignal(missing);
  const isReachable = useSignal(reachability) === "reachable";
  useEffect(() => {
    if (!isMissing) return;
    if (!isReachable) return;
    const ask = async (): Promise<void> => {
      if (!(await doesServerAnswer())) {
        reachability.set("unreachable");
        return;
      }
      if (sessionStorage.getItem(reloadedKey) === location.pathname) return;
      sessionStorage.setItem(reloadedKey, location.pathname);
      location.reload();
    };
    void ask();
  }, [isMissing, isReachable]);
  return isMissing;
};
