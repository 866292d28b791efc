/**
 * Each page in the light and dark theme and on a phone, as files: `npm run console:screenshots` writes docs/screenshots/*.webp, and
 * `-- --out /tmp/shots /units` PNG files of some pages to look at.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { openBrowser } from "./support/browser.ts";
import { lookAtAll } from "./support/looks.ts";
import { chosenRoutes, shownRoutes } from "./support/routes.ts";
import { startConsoleServer } from "./support/server.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: "string" } } });
const folder = values.out ?? join(import.meta.dirname, "../../docs/screenshots");
const format = values.out === undefined ? "webp" : "png";

await mkdir(folder, { recursive: true });
const server = await startConsoleServer();
const browser = await openBrowser();
let faults: string[] = [];
try {
  const routes = chosenRoutes(await shownRoutes(server), positionals);
  faults = await lookAtAll({ url: server.url, browser, routes }, async ({ route, look, tab }) =>
    writeFile(join(folder, `${route.name}-${look}.${format}`), await pictureOf(tab.page)),
  );
} finally {
  await browser.close();
  await server.close();
}
for (const fault of faults) console.error(fault);
console.log(`The screenshots are in ${folder}.`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** Chromium writes webp, which Playwright has no option for: a third of the size of PNG. */
async function pictureOf(page: Page): Promise<Buffer> {
  if (format === "png") return page.screenshot();
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 70 });
  return Buffer.from(data, "base64");
}
