import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Story } from "../support/story.ts";

const headings = ["The overview", "A data product", "Every change is a plan", "What changed", "Your turn"];

export const story: Story = {
  title: "the tour goes over five pages by Enter alone, ends with Esc, and is not offered again",
  async tell({ open }) {
    const page = await open("/");
    await page.getByRole("link", { name: "Take the tour" }).press("Enter");
    const tour = page.getByRole("complementary", { name: "Tour" });
    for (const [index, name] of headings.entries()) {
      await tour.getByRole("heading", { name }).waitFor();
      await page.waitForURL((url) => url.searchParams.get("tour") === String(index + 1));
      await page.getByRole("heading", { level: 1 }).waitFor();
      await focusIn(page, "Tour");
      if (index < headings.length - 1) await page.keyboard.press("Enter");
    }
    assert.match(new URL(page.url()).pathname, /^\/provision/);
    await page.keyboard.press("Escape");
    await tour.waitFor({ state: "detached" });
    assert.equal(new URL(page.url()).searchParams.get("tour"), null);
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Take the tour" }).count(), 0);
  },
};

/** Waits until what has the focus is in the part of that name. */
const focusIn = (page: Page, name: string): Promise<unknown> =>
  page.locator(`[aria-label="${name}"] :focus, [aria-label="${name}"]:focus`).first().waitFor();
