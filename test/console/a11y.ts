/**
 * axe on every page in both themes and at phone width, and how wide each page is in the narrowest window: `npm run test:console-a11y`. Ends with 1 for each violation that is not excused.
 */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { openBrowser } from "./support/browser.ts";
import { lookAtAll } from "./support/looks.ts";
import { chosenRoutes, shownRoutes } from "./support/routes.ts";
import { startConsoleServer } from "./support/server.ts";

/** Rules that are broken for a reason: none at the moment. */
const excused: Record<string, string> = {};

/** No page is wider than the window, down to the width that WCAG 1.4.10 names. */
async function overflow(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 320, height: 640 });
  const { width, by } = await page.evaluate(howWide);
  return width > 320 ? [`in a window of 320 pixels it has ${width}, by ${by}`] : [];
}

/** Runs in the page: its width, and the first element that ends beyond the window. */
function howWide(): { width: number; by: string } {
  const { document, innerWidth } = globalThis as any;
  const beyond = [...document.querySelectorAll("main *")].find(
    (element: any) => element.getBoundingClientRect().right > innerWidth + 1,
  );
  return { width: document.documentElement.scrollWidth, by: beyond?.outerHTML.slice(0, 200) ?? "nothing" };
}

const server = await startConsoleServer();
const browser = await openBrowser();
const found: string[] = [];
let checked = 0;
try {
  const routes = chosenRoutes(await shownRoutes(server), process.argv.slice(2));
  const faults = await lookAtAll({ url: server.url, browser, routes }, async ({ route, look, tab }) => {
    const axe = new AxeBuilder({ page: tab.page }).disableRules(Object.keys(excused));
    const { violations } = await axe.analyze();
    checked += 1;
    if (look === "phone") found.push(...(await overflow(tab.page)).map((each) => `${route.path}: ${each}`));
    for (const { id, impact, help, nodes } of violations) {
      const places = nodes
        .slice(0, 3)
        .map(
          ({ target, failureSummary }) =>
            `    ${target.join(" ")}: ${failureSummary?.replaceAll(/\s+/g, " ")}`,
        );
      found.push(
        `${route.path} (${look}): ${id}, ${impact}: ${help}, ${nodes.length} times\n${places.join("\n")}`,
      );
    }
  });
  found.push(...faults);
} finally {
  await browser.close();
  await server.close();
}
for (const each of found) console.error(each);
console.log(`${checked} pages were checked: ${found.length} violations.`);
process.exitCode = found.length === 0 ? 0 : 1;
