import assert from "node:assert/strict";
import { settled } from "../support/browser.ts";
import type { Story } from "../support/story.ts";

export const story: Story = {
  title: "a unit is found by its name, opened, and the address says so",
  async tell({ open }) {
    const page = await open("/");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Units" }).click();
    await page.getByRole("heading", { level: 1, name: "Units" }).waitFor();
    await page.getByLabel("Search units").fill("parcel");
    const table = page.getByRole("table", { name: "Units" });
    await table.getByRole("row").nth(2).waitFor({ state: "detached" });
    assert.equal(new URL(page.url()).searchParams.get("q"), "parcel");
    await table.getByRole("link", { name: "parcel-tracking" }).click();
    await page.getByRole("heading", { level: 1, name: "parcel-tracking" }).waitFor();
    await settled(page);
    assert.equal(await page.title(), "parcel-tracking · Plinth");
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Units" }).waitFor();
    assert.equal(await page.getByLabel("Search units").inputValue(), "parcel");
  },
};
