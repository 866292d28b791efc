import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Story } from "../support/story.ts";

export const story: Story = {
  title:
    "by keyboard alone: skips to the content, goes to a page, finds a unit, leaves the search over a form, chooses a theme",
  async tell({ open }) {
    const page = await open("/");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.locator(":focus").textContent(), "Skip to the content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+k");
    const search = page.getByRole("textbox", { name: "Search", exact: true });
    await search.fill("polic");
    await chosen(page, "Policies");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Policies" }).waitFor();
    const focused = await page.locator(":focus").textContent();
    assert.equal(focused, "Policies", "the heading of the new page has the focus");
    await page.keyboard.press("/");
    await search.fill("parcel");
    await chosen(page, "parcel-tracking");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "parcel-tracking" }).waitFor();
    await escapeClosesTheSearchAlone(page);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Account of/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitemradio", { name: "Dark" }).press("Enter");
    await page.locator("[data-mantine-color-scheme=dark]").waitFor();
    await page.reload();
    await page.locator("[data-mantine-color-scheme=dark]").waitFor();
  },
};

/** Waits until Enter opens that one: the field says which. */
const chosen = async (page: Page, name: string): Promise<void> =>
  page.getByRole("option", { name }).and(page.locator("[data-combobox-selected]")).waitFor();

/** Over a form, which stays with what was typed there. */
async function escapeClosesTheSearchAlone(page: Page): Promise<void> {
  await page.goto(new URL("/tokens?tab=services", page.url()).href);
  await page.getByRole("button", { name: "New service account" }).press("Enter");
  const purpose = page.getByLabel("What it is for");
  await purpose.fill("Loads at night");
  await page.keyboard.press("Control+k");
  const search = page.getByRole("dialog", { name: "Search and commands" });
  await search.waitFor();
  await page.keyboard.press("Escape");
  await search.waitFor({ state: "detached" });
  assert.equal(await purpose.inputValue(), "Loads at night");
  await purpose.and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}
