/**
 * Whether the page's tab is the one that its window shows. Browsers open six connections to a server over HTTP/1.1, for all tabs together,
 * so a hidden page leaves the streams that it follows to those that are looked at.
 */

type Page = Pick<Document, "visibilityState" | "addEventListener">;

/** Resolves when the page is shown, or with the signal. */
export const untilShown = (stop: AbortSignal, page: Page = document): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const known = new AbortController();
  const look = (): void => {
    if (page.visibilityState !== "hidden" || stop.aborted) resolve();
  };
  page.addEventListener("visibilitychange", look, { signal: known.signal });
  stop.addEventListener("abort", look, { signal: known.signal });
  look();
  return promise.finally(() => known.abort());
};

/** Aborts with the given signal, and when the page is hidden. */
export const whileShown = (stop: AbortSignal, page: Page = document): AbortSignal => {
  const hidden = new AbortController();
  const both = AbortSignal.any([stop, hidden.signal]);
  const look = (): void => {
    if (page.visibilityState === "hidden") hidden.abort();
  };
  page.addEventListener("visibilitychange", look, { signal: both });
  look();
  return both;
};
