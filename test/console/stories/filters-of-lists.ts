import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Story } from "../support/story.ts";

/** Page, field, the part of the address, and the link in the navigation. */
const filters = [
  ["/operations", "Id of a unit", "unit", "Plans and operations"],
  ["/catalogue", "Search the catalogue", "q", "Catalogue"],
  ["/templates", "Search templates", "q", "Templates"],
  ["/policies", "Search policies", "q", "Policies"],
  ["/adapters", "Search adapters", "q", "Adapters"],
  ["/units", "Search units", "q", "Units"],
] as const;

export const story: Story = {
  title: "a search field shows the filter of its list, also after a link to the list and after the way back",
  async tell({ open }) {
    const page = await open("/");
    for (const [path, label, part, link] of filters) {
      await page.goto(new URL(path, page.url()).href);
      const field = page.getByLabel(label, { exact: true });
      await field.fill("nothing is called this");
      await page.waitForURL(({ searchParams }) => searchParams.has(part));
      await goTo(page, link);
      await page.waitForURL(({ searchParams }) => !searchParams.has(part));
      assert.equal(await field.inputValue(), "", `${path} shows a filter that it does not have`);
      await page.goBack();
      await page.waitForURL(({ searchParams }) => searchParams.has(part));
      await field.and(page.locator('[value="nothing is called this"]')).waitFor();
    }
  },
};

const goTo = (page: Page, name: string): Promise<void> =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();
