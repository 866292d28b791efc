import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { settled } from "../support/browser.ts";
import type { Story } from "../support/story.ts";
import { until } from "../support/until.ts";

const pageSize = 20;
/** Of a list of several pages, at least. */
const records = 5 * pageSize;

export const story: Story = {
  title: "a list whose next page cannot be read says so and asks once; a long one is read again when wanted",
  async tell({ server, open }) {
    for (let index = 0; index < records; index += 1) {
      await server.guest.call("PUT", `/api/auth/v1/service-accounts/listed-${index}`, { roles: ["viewer"] });
    }
    const page = await open("/", { expected: ["500"] });
    const list = await smallPages(page);
    list.isAway = true;
    await page.goto(new URL("/audit", server.url).href);
    const problem = page.getByRole("alert").getByText("Plinth has not read what comes next");
    await problem.waitFor();
    await toTheEnd(page);
    await settled(page);
    assert.equal(list.asked.next, 1, "the next page is asked for once");

    list.isAway = false;
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
    await problem.waitFor({ state: "detached" });
    const again = page.getByRole("button", { name: "Read it again" });
    await until(
      async () => {
        await toTheEnd(page);
        return again.isVisible();
      },
      (isVisible) => isVisible,
    );
    const before = list.asked.first;
    await again.click();
    await until(
      async () => list.asked.first,
      (asked) => asked === before + 1,
    );
    await readWaitingItemsOneByOne(page, server.url);
  },
};

/** A list that goes on when its reader says so tells as well that it does not follow any more. */
async function readWaitingItemsOneByOne(page: Page, url: string): Promise<void> {
  await page.route(/\/v1\/waiting\?/, (route) => {
    const asked = new URL(route.request().url());
    asked.searchParams.set("limit", "1");
    return route.continue({ url: asked.href });
  });
  await page.goto(new URL("/waiting", url).href);
  const items = page.getByRole("list", { name: "What waits" }).getByRole("listitem");
  const again = page.getByRole("button", { name: "Read it again" });
  for (const pages of [2, 3]) {
    assert.equal(await again.count(), 0);
    await page.getByRole("button", { name: "Show more" }).click();
    await until(
      () => items.count(),
      (count) => count === pages,
    );
  }
  await again.waitFor();
}

interface SmallPages {
  /** The next pages are answered 500. */
  isAway: boolean;
  asked: { first: number; next: number };
}

/** Reads the audit in smaller pages than the console does, so that a list of several is made quickly. */
async function smallPages(page: Page): Promise<SmallPages> {
  const list: SmallPages = { isAway: false, asked: { first: 0, next: 0 } };
  await page.route(/\/v1\/audit\?/, async (route) => {
    const url = new URL(route.request().url());
    const isNext = url.searchParams.has("after");
    list.asked[isNext ? "next" : "first"] += 1;
    if (isNext && list.isAway) {
      const headers = { "x-request-id": "of-the-story" };
      return route.fulfill({
        status: 500,
        headers,
        json: { code: "COORD_INTERNAL", userMessage: "Broken." },
      });
    }
    url.searchParams.set("limit", String(pageSize));
    return route.continue({ url: url.href });
  });
  return list;
}

const toTheEnd = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { document, scrollTo } = globalThis as any;
    scrollTo(0, document.body.scrollHeight);
  });
