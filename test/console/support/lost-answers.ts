/** Networks that are slow or lose answers: requests reach the server, and what it answers is kept back or thrown away. */
import type { Page } from "playwright-core";

export interface HeldAnswers {
  /** The server has answered the first request. */
  held: Promise<void>;
  /** Gives the page what was held, and keeps nothing back any more. */
  release: () => void;
}

/** Holds the answers to requests of that path. */
export async function holdAnswers(page: Page, path: string): Promise<HeldAnswers> {
  const first = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    const answer = await route.fetch();
    first.resolve();
    await opened.promise;
    // The page may not want it any more.
    await route.fulfill({ response: answer }).catch(() => undefined);
  });
  return { held: first.promise, release: opened.resolve };
}

/** Loses the answer to the next POST of that path, or the request itself. The page's console says `ERR_FAILED` then. */
export async function loseNext(page: Page, path: string, what: "answer" | "request"): Promise<void> {
  let isLost = false;
  await page.route(path, async (route) => {
    if (isLost || route.request().method() !== "POST") return route.continue();
    isLost = true;
    if (what === "answer") await route.fetch();
    return route.abort();
  });
}
