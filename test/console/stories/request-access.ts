import assert from "node:assert/strict";
import type { Story } from "../support/story.ts";
import { unitOf } from "../support/units.ts";

export const story: Story = {
  title: "somebody asks for access to a unit, and the unit says what the request waits for",
  async tell({ server, open }) {
    const unit = unitOf("road-works");
    const page = await open(`/units/${encodeURIComponent(unit.id)}?tab=access&env=development`);
    await page.getByText("Nobody was given access here").waitFor();
    await page.getByRole("button", { name: "Request access" }).click();
    const dialog = page.getByRole("dialog", { name: "Request access in development" });
    assert.equal(await dialog.getByRole("checkbox", { name: "view" }).isChecked(), true);
    await dialog.getByLabel("Reason").fill("To count the tickets of each day.");
    await dialog.getByRole("button", { name: "Send request" }).click();
    await page.waitForURL(/\/access\/[0-9a-f-]+/);
    const id = new URL(page.url()).pathname.split("/").at(-1);
    const request = await server.guest.call("GET", `/api/builder/access-requests/${id}`);
    assert.equal(request.reason, "To count the tickets of each day.");
    await page.goBack();
    await page.getByText("Access of guest to view", { exact: false }).waitFor();
    await page.getByText("can act: user ada, operators", { exact: false }).waitFor();
    await page.getByText("6 d 23 h left", { exact: false }).waitFor();
  },
};
