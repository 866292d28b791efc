import assert from "node:assert/strict";
import { settled } from "../support/browser.ts";
import type { Story } from "../support/story.ts";

export const story: Story = {
  title: "a unit is found by search and facets, opened, and the address says so",
  async tell({ open }) {
    const page = await open("/");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Units" }).click();
    await page.getByRole("heading", { level: 1, name: "Units" }).waitFor();
    const table = page.getByRole("table", { name: "Units" });
    const filters = page.getByRole("group", { name: "Filters" });
    await filters.getByRole("group", { name: "Status" }).getByRole("button", { name: "Corrupt" }).click();
    await table.getByRole("link", { name: "weather-stations" }).waitFor({ state: "detached" });
    await table.getByRole("link", { name: "parcel-tracking" }).waitFor();
    await filters.getByRole("group", { name: "Domain" }).getByRole("button", { name: "supply" }).waitFor({
      state: "detached",
    });
    const search = (): URLSearchParams => new URL(page.url()).searchParams;
    assert.equal(search().get("status"), '["CORRUPT"]');
    await filters.getByRole("button", { name: "Clear filters" }).click();
    await table.getByRole("link", { name: "weather-stations" }).waitFor();
    await page.getByLabel("Search units").fill("parcel");
    await table.getByRole("link", { name: "weather-stations" }).waitFor({ state: "detached" });
    assert.equal(search().get("q"), "parcel");
    await table.getByRole("link", { name: "parcel-tracking" }).click();
    await page.getByRole("heading", { level: 1, name: "parcel-tracking" }).waitFor();
    await settled(page);
    assert.equal(await page.title(), "parcel-tracking · Plinth");
    await page.getByText("The bucket raw-parcels is owned by another account.").first().waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Units" }).waitFor();
    assert.equal(await page.getByLabel("Search units").inputValue(), "parcel");
  },
};
