import type { BrowserContext } from "playwright-core";
import { chromium } from "playwright-core";
import { chromiumPath } from "../support/browser.ts";

export interface Outcome {
  /** One for each thing that was checked, with its figures. */
  lines: string[];
  findings: string[];
}

export interface Check {
  /** As an argument of the program, after two hyphens. */
  name: string;
  /** @param paths of the only pages that are wanted; none: all */
  run: (paths: readonly string[]) => Promise<Outcome>;
}

export interface Contexts {
  /** A browser without memory. */
  context(): Promise<BrowserContext>;
  close(): Promise<void>;
}

export async function openChromium(more: readonly string[] = []): Promise<Contexts> {
  const executablePath = chromiumPath();
  if (executablePath === undefined)
    throw new Error("There is no Chromium: `sh scripts/install-chromium.sh`.");
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-dev-shm-usage", ...more],
  });
  return {
    context: () =>
      browser.newContext({
        viewport: { width: 1280, height: 1200 },
        reducedMotion: "reduce",
        locale: "en-GB",
      }),
    close: () => browser.close(),
  };
}
