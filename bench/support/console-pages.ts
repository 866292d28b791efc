/** Pages of the console in Chromium, with what is measured in them. */
import type { Page } from "playwright-core";
import type { Tab, TestBrowser } from "../../test/console/support/browser.ts";

const heading = "h1";
const marks = {
  row: '[role="table"][aria-label="Tasks"] [role="row"][data-index]',
  node: ".react-flow__node",
} as const;

/** Milliseconds from the last click, or from the beginning of the navigation, until an element is there, found in the frame that draws it. */
async function timeTo(page: Page, selector: string): Promise<number> {
  await page.waitForSelector(selector, { state: "attached" });
  await page.waitForFunction(`firstSeen[${JSON.stringify(selector)}] !== undefined`);
  return page.evaluate(`firstSeen[${JSON.stringify(selector)}]`);
}

/** Notes in each frame what has appeared since the navigation began. Scripts of pages are text: they know no Node.js, and this no DOM. */
const watch = (selectors: readonly string[]): string => `
  globalThis.firstSeen = {};
  let began = 0;
  addEventListener("click", () => { began = performance.now(); firstSeen = {}; }, true);
  const look = () => {
    for (const selector of ${JSON.stringify(selectors)})
      if (firstSeen[selector] === undefined && document.querySelector(selector) !== null)
        firstSeen[selector] = performance.now() - began;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);`;

async function openWatched(browser: TestBrowser, address: string): Promise<Tab> {
  const tab = await browser.open("about:blank");
  await tab.page.addInitScript(watch([heading, ...Object.values(marks)]));
  await tab.page.goto(address, { waitUntil: "commit" });
  return tab;
}

export async function timeToHeading(browser: TestBrowser, address: string): Promise<number> {
  const tab = await openWatched(browser, address);
  const ms = await timeTo(tab.page, heading);
  await tab.close();
  return ms;
}

export interface Lag {
  count: number;
  median: number;
  p95: number;
  longest: number;
}

export interface PlanPage {
  page: Page;
  firstMs: number;
  /** How long after their events the page shows the lines of the log. */
  lag(): Promise<Lag>;
  close(): Promise<void>;
}

/** From the click on a plan in the list of operations to its first row; or from an address, and everything cold. */
export async function openTable(browser: TestBrowser, address: string, isCold = false): Promise<PlanPage> {
  const { origin, pathname } = new URL(address);
  const tab = await openWatched(browser, isCold ? address : `${origin}/operations`);
  if (!isCold) await tab.page.locator(`a[href^="${pathname}"]`).click();
  return pageOf(tab, await timeTo(tab.page, marks.row));
}

/** From the click on the tab of the graph to its first node; or from an address, and everything cold. */
export async function openGraph(browser: TestBrowser, address: string, isCold = false): Promise<PlanPage> {
  const tab = await openWatched(browser, `${address}?stage=all${isCold ? "&tab=graph" : ""}`);
  if (!isCold) {
    await timeTo(tab.page, marks.row);
    await tab.page.getByRole("tab", { name: "Graph" }).click();
  }
  return pageOf(tab, await timeTo(tab.page, marks.node));
}

const pageOf = (tab: Tab, firstMs: number): PlanPage => ({
  page: tab.page,
  firstMs,
  lag: () => lagOf(tab.page),
  close: () => tab.close(),
});

const lagMs = 8000;

/** Resolves to the age that each new line of the log has when it is in the document. */
const watchLines = `new Promise((resolve) => {
  const log = document.querySelector('[role="log"]');
  const began = Date.now();
  const known = new Set();
  const found = [];
  const look = () => {
    for (const time of log.querySelectorAll("time")) {
      const key = time.dateTime + time.parentElement.textContent;
      if (known.has(key)) continue;
      known.add(key);
      const at = Date.parse(time.dateTime);
      if (at >= began) found.push(Date.now() - at);
    }
  };
  const observer = new MutationObserver(look);
  observer.observe(log, { childList: true, subtree: true, characterData: true });
  setTimeout(() => { observer.disconnect(); resolve(found); }, ${lagMs});
})`;

async function lagOf(page: Page): Promise<Lag> {
  await page.getByRole("tab", { name: "Log" }).click();
  const log = page.getByRole("log", { name: "Log of the plan" });
  await log.waitFor();
  // What was there before is no event of now.
  await page.waitForTimeout(1500);
  const lags: number[] = await page.evaluate(watchLines);
  const sorted = lags.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Infinity;
  return { count: sorted.length, median: at(0.5), p95: at(0.95), longest: at(1) };
}

const panMs = 5000;

/** Frames a second of the graph while it is dragged to and fro, by those of a blank page under the same moves. */
export async function panRatio(
  browser: TestBrowser,
  { page }: PlanPage,
): Promise<{ blank: number; graph: number; ratio: number }> {
  const empty = await browser.open("about:blank");
  const region = page.getByRole("region", { name: "Graph of the plan" });
  await region.scrollIntoViewIfNeeded();
  const box = (await region.boundingBox()) ?? { x: 0, y: 0, width: 800, height: 400 };
  const middle = { x: box.x + box.width / 2, y: box.y + box.height * 0.6 };
  // Alternately, so that both see the same machine.
  const rates = { blank: [] as number[], graph: [] as number[] };
  for (let round = 0; round < 2; round += 1) {
    await empty.page.bringToFront();
    rates.blank.push(await framesWhileDragging(empty.page, { x: 600, y: 400 }));
    await page.bringToFront();
    rates.graph.push(await framesWhileDragging(page, middle));
  }
  await empty.close();
  const mean = (list: number[]): number => list.reduce((sum, each) => sum + each, 0) / list.length;
  const [blank, graph] = [mean(rates.blank), mean(rates.graph)];
  return { blank, graph, ratio: graph / blank };
}

const countFrames = `new Promise((resolve) => {
  let frames = 0;
  const began = performance.now();
  const next = () => {
    frames += 1;
    const passed = performance.now() - began;
    if (passed < ${panMs}) requestAnimationFrame(next);
    else resolve((frames / passed) * 1000);
  };
  requestAnimationFrame(next);
})`;

async function framesWhileDragging(page: Page, from: { x: number; y: number }): Promise<number> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  const counting: Promise<number> = page.evaluate(countFrames);
  let isOver = false;
  void counting.then(() => (isOver = true));
  for (let step = 0; !isOver; step += 1) {
    const angle = step / 12;
    await page.mouse.move(from.x + Math.sin(angle) * 260, from.y + Math.cos(angle) * 120);
  }
  await page.mouse.up();
  return counting;
}

const sampleMs = 15_000;

/** MB of the page's heap after a collection, several times a minute. */
export async function followedMemory(
  browser: TestBrowser,
  address: string,
  minutes: number,
): Promise<number[]> {
  const tab = await openWatched(browser, address);
  await timeTo(tab.page, heading);
  const session = await tab.page.context().newCDPSession(tab.page);
  const samples: number[] = [];
  const end = Date.now() + minutes * 60_000;
  // The first seconds load what the page needs.
  await tab.page.waitForTimeout(sampleMs);
  while (Date.now() < end) {
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    samples.push(usedSize / 1024 / 1024);
    await tab.page.waitForTimeout(sampleMs);
  }
  await tab.close();
  return samples;
}
