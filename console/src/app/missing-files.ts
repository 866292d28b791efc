/** Files of a page that could not be loaded: the server is away, or a newer one no longer has those of an older build. */
import { useEffect } from "react";
import { doesServerAnswer, reachability } from "../api/client.ts";

const missing = new WeakSet<Error>();

/** Marks the error of a file that did not arrive. */
export const watchMissingFiles = (): void =>
  window.addEventListener("vite:preloadError", ({ payload }) => {
    missing.add(payload);
    // The router reloads the page by itself when it reads the browser's words for it: without a server that shows the browser's own error.
    payload.message = `A file of the console did not arrive. ${payload.message}`;
  });

export const isOfMissingFile = (error: unknown): boolean => error instanceof Error && missing.has(error);

/** Whether the server answers; while it does not, the banner says so, which asks again and then reads everything anew. */
export const isServerThere = async (): Promise<boolean> => {
  const isThere = await doesServerAnswer();
  if (!isThere) reachability.set("unreachable");
  return isThere;
};

const askAgainMs = 3000;
const reloadedKey = "plinth-reloaded";

/** What is typed beside the page would be lost, such as a question to the assistant. */
const isAnythingTyped = (): boolean =>
  [...document.querySelectorAll<HTMLTextAreaElement>("#root textarea")].some(
    ({ value }) => value.trim() !== "",
  );

/**
 * Loads all anew, at this address, as soon as the server answers and nothing is typed beside the page that lacks its files. Once only,
 * so that a server without the files is no circle.
 */
export const useReloadWhenServed = (isMissing: boolean): void =>
  useEffect(() => {
    if (!isMissing) return;
    const ask = async (): Promise<void> => {
      if (sessionStorage.getItem(reloadedKey) === location.pathname) return;
      if (!(await isServerThere()) || isAnythingTyped()) return;
      sessionStorage.setItem(reloadedKey, location.pathname);
      location.reload();
    };
    void ask();
    const timer = setInterval(() => void ask(), askAgainMs);
    return () => clearInterval(timer);
  }, [isMissing]);
