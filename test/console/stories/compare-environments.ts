import assert from "node:assert/strict";
import { provision } from "../support/seed.ts";
import type { Story } from "../support/story.ts";
import { unitOf } from "../support/units.ts";

const name = "bike-counters";

export const story: Story = {
  title:
    "a unit's environments are seen side by side, two versions are compared, and the way back is previewed",
  async tell({ server, open }) {
    const first = unitOf(name, { mock: { view: { mode: "async", runningMs: 1 } } });
    const second = unitOf(name, { version: "1.1.0", mock: { view: { mode: "async", runningMs: 2 } } });
    const plan = await provision(server.guest, first, "COMPLETED");
    await provision(server.guest, second, "COMPLETED");
    await provision(server.guest, { ...first, environment: "production" }, "COMPLETED");
    const page = await open(`/units/${encodeURIComponent(first.id)}?env=development`);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    const environments = page.getByRole("region", { name: "Environments" });
    await environments.getByText("1.1.0").waitFor();
    await environments.getByText("1.0.0").waitFor();

    await page.getByRole("radio", { name: "Table" }).press("ArrowRight");
    const graph = page.getByRole("region", { name: "Graph in development" });
    await graph.getByRole("button", { name: /^refine/ }).click();
    const details = page.getByRole("dialog", { name: "refine" });
    await details.getByRole("rowheader", { name: "production" }).waitFor();
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "detached" });

    await page.getByRole("tab", { name: "Descriptor" }).click();
    await page.getByRole("combobox", { name: "Compare with" }).click();
    await page.getByRole("option", { name: "production: 1.0.0, as it is" }).click();
    const changed = page.getByRole("region", { name: "Changed components" });
    await changed.getByRole("heading", { name: "3 components differ" }).waitFor();
    await changed.getByText("/specific/mock/runningMs").waitFor();
    await page
      .getByRole("region", { name: "Descriptors" })
      .getByRole("textbox", { name: "production: 1.0.0, as it is" })
      .getByText('"version": "1.0.0"')
      .first()
      .waitFor();
    assert.equal(new URL(page.url()).searchParams.get("right"), "env:production");

    await page.getByRole("tab", { name: "History" }).click();
    await page.getByRole("button", { name: "Roll back to it" }).click();
    const dialog = page.getByRole("dialog", { name: "Roll back to 1.0.0 in development" });
    await dialog.getByRole("table", { name: "What changes" }).getByText("Redeploy").first().waitFor();
    await dialog.getByRole("button", { name: "Roll back" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/plans/") && !url.pathname.endsWith(plan));
  },
};
