/** Debian's Chromium, and pages in it that fail a story when they log an error or break the policy for pages. */
import { existsSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";

export type Theme = "light" | "dark";

export interface PageOptions {
  theme?: Theme;
  /** Of the window, in pixels; 390 is a phone. */
  width?: number;
  height?: number;
  /** Parts of messages in the browser's console that the story expects, such as of an answer 403. */
  expected?: readonly string[];
}

export interface Tab {
  page: Page;
  /** What went wrong in it so far: errors of scripts, of the policy, and unexpected lines of the console. */
  faults: readonly string[];
  close(): Promise<void>;
}

export interface TestBrowser {
  open(address: string, options?: PageOptions): Promise<Tab>;
  close(): Promise<void>;
}

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The program of the browser, or undefined: `scripts/install-chromium.sh` brings it. */
export const chromiumPath = (): string | undefined =>
  [process.env["CHROMIUM_PATH"], ...places].find((path) => path !== undefined && existsSync(path));

export async function openBrowser(): Promise<TestBrowser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) {
    throw new Error(
      "There is no Chromium. `sh scripts/install-chromium.sh` installs Debian's; CHROMIUM_PATH names another one.",
    );
  }
  // The sandbox of Chromium refuses to work for root, which containers run tests as; pages are our own.
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  return { open: (address, options) => openTab(browser, address, options), close: () => browser.close() };
}

async function openTab(browser: Browser, address: string, options: PageOptions = {}): Promise<Tab> {
  const { theme = "light", width = 1280, height = 800, expected = [] } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
  });
  const page = await context.newPage();
  const faults: string[] = [];
  const add = (fault: string): void => {
    if (!expected.some((part) => fault.includes(part))) faults.push(fault);
  };
  page.on("pageerror", ({ message }) => add(message));
  page.on("console", (message) => {
    if (message.type() === "error") add(`${message.text()} ${message.location().url}`);
  });
  page.setDefaultTimeout(30_000);
  await page.goto(address);
  return { page, faults, close: () => context.close() };
}

const quietFrames = 6;
const settleMs = 30_000;

/** Runs in the page, whose names this program has no types for. */
async function isQuiet(frames: number): Promise<boolean> {
  const { document, requestAnimationFrame } = globalThis as any;
  for (let frame = 0; frame < frames; frame += 1) {
    await new Promise((next) => requestAnimationFrame(next));
    const isLoading = document.querySelector('[role="status"][aria-label^="Loading"]') !== null;
    if (isLoading || document.querySelector("h1") === null) return false;
  }
  return true;
}

/** Waits until the page has its heading and what it reads is there. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  // A page that is being left has no loading state either, for a moment: what is there has to stay for some frames.
  // Playwright's waitForFunction takes the promise of such a function for its answer.
  const end = Date.now() + settleMs;
  while (!(await page.evaluate(isQuiet, quietFrames)))
    if (Date.now() > end) throw new Error(`${page.url()} goes on loading.`);
}
